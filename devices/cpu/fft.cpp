// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <new>
#include <optional>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/fft_plan.hpp"
#include "troupe/devices/cpu/long_fft.hpp"
#include "troupe/devices/cpu/phases.hpp"
#include "troupe/devices/cpu/workspace.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr double least_work = 100'000;  // steps that are worth a chunk

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

std::int64_t lines_of_chunk(const kernel_args& args) noexcept {
  const auto n = static_cast<double>(line_length(args));
  return std::max<std::int64_t>(1,
                                static_cast<std::int64_t>(least_work / (n * std::log2(n + 1) * 4)));
}

std::int64_t chunks(const kernel_args& args) {
  const auto each = lines_of_chunk(args);
  return (count_lines(args) + each - 1) / each;
}

template <class T>
void transform(fft_plan<T>& plan, const std::complex<T>* in, std::complex<T>* out) {
  plan.transform(in, out);
}
template <class T>
void transform(fft_plan<T>& plan, const T* in, std::complex<T>* out) {
  plan.transform_real(in, out);
}
template <class T>
void transform(fft_plan<T>& plan, const std::complex<T>* in, T* out) {
  plan.transform_to_real(in, out);
}

/// Lines from In to Out, whose parts are T.
template <class T, class In, class Out>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array &in = args.inputs[0], &out = args.outputs[0];
  const auto& given = attributes_of(args);
  const auto length = last_size(in), made = last_size(out);
  const auto each = lines_of_chunk(args), end = std::min(count_lines(args), last * each);
  if (first * each >= end) return;
  const auto n = std::is_same_v<In, T> ? length : made;
  const borrowed_fft_plan<T> plan(n, given.inverse);
  const auto scale = static_cast<T>(given.scale);
  const bool plain = in.contiguous();
  const auto axes = plain ? loop_nest{} : merge_axes({&in, 1});
  auto* const room =
      plain ? nullptr : static_cast<In*>(workspace(static_cast<std::size_t>(length) * sizeof(In)));
  for (auto i = first * each; i < end; ++i) {
    const In* line = in.as<const In>() + i * length;
    if (!plain) {
      gather(room, in.data, sizeof(In), axes, 0, i * length, length);
      line = room;
    }
    Out* const to = out.as<Out>() + i * made;
    transform(*plan.operator->(), line, to);
    if (scale != T(1)) {
      for (std::int64_t k = 0; k < made; ++k) to[k] *= scale;
    }
  }
}

/// Long transforms of complex numbers, if there are few: threads share the rounds of each.
template <class T>
struct shared_transforms {
  using number = std::complex<T>;

  static constexpr std::int64_t few = 8;
  static constexpr std::int64_t parts = 32;  ///< of a round

  static bool wanted(const kernel_args& args) noexcept {
    return args.inputs[0].contiguous() && count_lines(args) < few &&
           long_fft<T>::rows_for(line_length(args)) != 0;
  }
  static std::int64_t chunks(const kernel_args& args) {
    return wanted(args) ? count_lines(args) * 2 * parts : cpu_kernels::chunks(args);
  }
  static std::size_t scratch_bytes(const kernel_args& args) {
    if (!wanted(args)) return 0;
    const auto n = line_length(args);
    return sizeof(phases) + long_fft<T>::table_size(n) * sizeof(std::complex<double>) +
           static_cast<std::size_t>(n) * sizeof(number);
  }
  static void begin(const kernel_args& args) {
    if (!wanted(args)) return;
    ::new (args.scratch) phases;
    rounds(args).fill(table(args));
  }

  static void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
    if (!wanted(args)) return cpu_kernels::run<T, number, number>(args, first, last);
    auto& steps = *static_cast<phases*>(args.scratch);
    std::optional<worker> one;
    try {
      one.emplace(args);
    } catch (...) {  // the others wait for its steps
      steps.run(last - first, parts, [](std::int64_t, std::int64_t) {});
      throw;
    }
    steps.run(last - first, parts,
              [&](std::int64_t phase, std::int64_t part) { one->run(phase, part); });
  }

 private:
  /// What a thread needs to take part.
  class worker {
   public:
    explicit worker(const kernel_args& args)
        : in_(args.inputs[0].as<const number>()),
          out_(args.outputs[0].as<number>()),
          rounds_(rounds(args)),
          length_(line_length(args)),
          room_(reinterpret_cast<number*>(table(args) + long_fft<T>::table_size(length_))),
          scratch_(static_cast<number*>(workspace(rounds_.scratch_size() * sizeof(number)))),
          scale_(static_cast<T>(attributes_of(args).scale)),
          of_columns_(rounds_.rows(), attributes_of(args).inverse),
          of_rows_(rounds_.columns(), attributes_of(args).inverse) {}

    void run(std::int64_t phase, std::int64_t part) {
      const bool columns = phase % 2 == 0;
      const auto line = phase / 2 * length_;
      const auto blocks = columns ? rounds_.blocks_of_columns() : rounds_.blocks_of_rows();
      const auto begin = blocks * part / parts, end = blocks * (part + 1) / parts;
      if (columns)
        rounds_.transform_columns(*of_columns_.operator->(), in_ + line, room_, begin, end,
                                  scratch_);
      else
        rounds_.transform_rows(*of_rows_.operator->(), room_, out_ + line, scale_, begin, end,
                               scratch_);
    }

   private:
    const number* in_;
    number* out_;
    long_fft<T> rounds_;
    std::int64_t length_;
    number *room_, *scratch_;
    T scale_;
    borrowed_fft_plan<T> of_columns_, of_rows_;
  };

 private:
  static std::complex<double>* table(const kernel_args& args) noexcept {
    return reinterpret_cast<std::complex<double>*>(static_cast<std::byte*>(args.scratch) +
                                                   sizeof(phases));
  }
  static long_fft<T> rounds(const kernel_args& args) noexcept {
    return {line_length(args), attributes_of(args).inverse, table(args)};
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
