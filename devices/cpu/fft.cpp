// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <new>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/fft_plan.hpp"
#include "troupe/devices/cpu/long_fft.hpp"
#include "troupe/devices/cpu/phases.hpp"
#include "troupe/devices/cpu/workspace.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr double least_work = 400'000;  // steps that are worth a chunk
constexpr std::int64_t most_abreast = 16;

const fft_attributes& attributes_of(const kernel_args& args) noexcept {
  return *static_cast<const fft_attributes*>(args.attributes);
}

std::int64_t last_size(const array& x) noexcept { return x.shape[x.rank - 1]; }

/// The number of real or complex numbers that are transformed together.
std::int64_t line_length(const kernel_args& args) noexcept {
  return std::max(last_size(args.inputs[0]), last_size(args.outputs[0]));
}

std::int64_t count_lines(const kernel_args& args) noexcept {
  const auto& out = args.outputs[0];
  return out.size() == 0 ? 0 : out.size() / last_size(out);
}

/// Lines of a chunk: some that are transformed side by side, unless they are long.
std::int64_t lines_of_chunk(const kernel_args& args) noexcept {
  const auto n = static_cast<double>(line_length(args));
  const auto enough = static_cast<std::int64_t>(least_work / (n * std::log2(n + 1) * 4));
  if (enough < 1) return 1;
  return (enough + most_abreast - 1) / most_abreast * most_abreast;
}

std::int64_t chunks(const kernel_args& args) {
  const auto each = lines_of_chunk(args);
  return (count_lines(args) + each - 1) / each;
}

template <class T>
void transform(fft_plan<T>& plan, const std::complex<T>* in, std::complex<T>* out,
               std::int64_t lines, T scale) {
  plan.transform(in, out, lines, scale);
}
template <class T>
void transform(fft_plan<T>& plan, const T* in, std::complex<T>* out, std::int64_t lines, T scale) {
  plan.transform_real(in, out, lines, scale);
}
template <class T>
void transform(fft_plan<T>& plan, const std::complex<T>* in, T* out, std::int64_t lines, T scale) {
  plan.transform_to_real(in, out, lines, scale);
}

/// Lines from In to Out, whose parts are T.
template <class T, class In, class Out>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array &in = args.inputs[0], &out = args.outputs[0];
  const auto& given = attributes_of(args);
  const auto length = last_size(in), made = last_size(out);
  const auto each = lines_of_chunk(args), end = std::min(count_lines(args), last * each);
  if (first * each >= end) return;
  const borrowed_fft_plan<T> plan(std::is_same_v<In, T> ? length : made, given.inverse);
  const auto scale = static_cast<T>(given.scale);
  const bool plain = in.contiguous();
  const auto axes = plain ? loop_nest{} : merge_axes({&in, 1});
  const auto step = plain ? end - first * each : std::min(each, most_abreast);
  for (auto i = first * each; i < end; i += step) {
    const auto lines = std::min(step, end - i);
    const In* from = in.as<const In>() + i * length;
    if (!plain) {
      auto* const room =
          static_cast<In*>(workspace(static_cast<std::size_t>(lines * length) * sizeof(In)));
      gather(room, in.data, sizeof(In), axes, 0, i * length, lines * length);
      from = room;
    }
    transform(*plan, from, out.as<Out>() + i * made, lines, scale);
  }
}

/// Long transforms of complex numbers, if there are few: threads share the rounds of each. The
/// scratch memory holds the phases and the numbers between the rounds.
template <class T>
struct shared_transforms {
  using number = std::complex<T>;

  static constexpr std::int64_t few = 8;
  static constexpr std::int64_t parts = 32;  ///< of a round

  static bool wanted(const kernel_args& args) noexcept {
    return args.inputs[0].contiguous() && count_lines(args) < few &&
           long_fft<T>::takes(line_length(args));
  }
  static std::int64_t chunks(const kernel_args& args) {
    return wanted(args) ? count_lines(args) * 2 * parts : cpu_kernels::chunks(args);
  }
  static std::size_t scratch_bytes(const kernel_args& args) {
    return wanted(args)
               ? sizeof(phases) + static_cast<std::size_t>(line_length(args)) * sizeof(number)
               : 0;
  }
  static void begin(const kernel_args& args) {
    if (wanted(args)) ::new (args.scratch) phases;
  }

  static void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
    if (!wanted(args)) return cpu_kernels::run<T, number, number>(args, first, last);
    auto& steps = *static_cast<phases*>(args.scratch);
    std::shared_ptr<const long_fft<T>> rounds;
    void* scratch;
    try {
      rounds = shared_long_fft<T>(line_length(args), attributes_of(args).inverse);
      scratch = workspace(rounds->scratch_bytes());
    } catch (...) {  // the others wait for its steps
      steps.run(last - first, parts, [](std::int64_t, std::int64_t) {});
      throw;
    }
    const auto* const in = args.inputs[0].as<const number>();
    auto* const out = args.outputs[0].as<number>();
    auto* const room =
        reinterpret_cast<number*>(static_cast<std::byte*>(args.scratch) + sizeof(phases));
    const auto scale = static_cast<T>(attributes_of(args).scale);
    steps.run(last - first, parts, [&](std::int64_t phase, std::int64_t part) {
      const auto line = phase / 2 * rounds->length();
      const auto blocks = phase % 2 == 0 ? rounds->blocks_of_columns() : rounds->blocks_of_rows();
      const auto begin = blocks * part / parts, end = blocks * (part + 1) / parts;
      if (phase % 2 == 0) rounds->transform_columns(in + line, room, begin, end, scratch);
      else rounds->transform_rows(room, out + line, scale, begin, end, scratch);
    });
  }
};

template <class T, class In, class Out>
constexpr kernel kernel_of{.run = run<T, In, Out>, .chunks = chunks};
template <class T>
constexpr kernel shared_kernel_of{.run = shared_transforms<T>::run,
                                  .chunks = shared_transforms<T>::chunks,
                                  .scratch_bytes = shared_transforms<T>::scratch_bytes,
                                  .begin = shared_transforms<T>::begin};

template <class T>
const kernel* choose(fft_op op) noexcept {
  switch (op) {
    case fft_op::fft: return &shared_kernel_of<T>;
    case fft_op::rfft: return &kernel_of<T, T, std::complex<T>>;
    case fft_op::irfft: break;
  }
  return &kernel_of<T, std::complex<T>, T>;
}

}  // namespace

const kernel* fft_kernel(fft_op op, dtype input) noexcept {
  if (is_complex(input) == (op == fft_op::rfft)) return nullptr;
  if (real_of(input) == float32) return choose<float>(op);
  return real_of(input) == float64 ? choose<double>(op) : nullptr;
}

}  // namespace troupe::cpu_kernels
