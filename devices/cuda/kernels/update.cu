// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <array>
#include <utility>

#include "troupe/devices/cuda/kernels/gather.hpp"
#include "troupe/devices/update_formulas.hpp"

namespace troupe::cuda {

namespace {

using namespace update_formulas;

/// A single number, in memory of the GPU or the host.
template <class T>
struct one_number {
  one_number(const array& x, bool of_host) noexcept
      : data(of_host ? nullptr : x.as<const T>()), number(of_host ? *x.as<const T>() : T(0)) {}

  TROUPE_BOTH T operator()() const { return data ? *data : number; }

  const T* data;
  T number;
};

/// Gradient, read in place, since gradients are often transposed.
template <class T>
struct gradient {
  explicit gradient(const array& x) noexcept
      : data(x.as<const T>()), in_order(x.contiguous()), positions(offsets_of(x)) {}

  TROUPE_BOTH T operator[](std::int64_t i) const { return data[in_order ? i : positions(i)]; }

  const T* data;
  bool in_order;
  offsets<1> positions;
};

/// Step of an update. Every element is read from all inputs before it is written to any output,
/// which may share an input's memory.
template <class Formula, int States, class T>
struct step {
  factors<T> numbers;
  one_number<T> scale;
  gradient<T> by;
  const T* from[States + 1] = {};
  T* into[States + 1] = {};

  TROUPE_BOTH void operator()(std::int64_t i) const {
    T x[most_update_states + 1] = {};
    for (int k = 0; k <= States; ++k) x[k] = from[k][i];
    Formula::apply(numbers, clipped(by[i], scale(), numbers), x[0], x[1], x[2], x[3]);
    for (int k = 0; k <= States; ++k) into[k][i] = x[k];
  }
};

// Parameters and states are usually contiguous, since updates have written them. Others are copied
// first.

std::size_t room_in_order(const array& x) noexcept {
  return x.contiguous() ? 0 : whole_lines(static_cast<std::size_t>(x.size()) * size_of(x.type));
}

std::size_t scratch_bytes(const kernel_args& args, stream&) {
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < args.outputs.size(); ++k) bytes += room_in_order(args.inputs[k]);
  return bytes;
}

template <class Formula, int States, class T>
void launch(const kernel_args& args, stream& on) {
  constexpr std::size_t arrays = States + 1;
  step<Formula, States, T> f{
      .numbers = {*static_cast<const update_attributes*>(args.attributes)},
      .scale = {args.inputs[arrays + 1], (args.numbers >> (arrays + 1) & 1) != 0},
      .by = gradient<T>(args.inputs[arrays])};
  auto* room = static_cast<char*>(args.scratch);
  for (std::size_t k = 0; k < arrays; ++k) {
    const array& x = args.inputs[k];
    f.from[k] = x.as<const T>();
    if (const auto bytes = room_in_order(x)) {
      gather(on, x, room);
      f.from[k] = reinterpret_cast<const T*>(room);
      room += bytes;
    }
    f.into[k] = args.outputs[k].as<T>();
  }
  for_each(on, args.outputs[0].size(), f);
}

using kernels_of_rule = std::array<kernel, 2>;  // for float32 and float64

template <update_rule Rule>
constexpr kernels_of_rule kernels() noexcept {
  using rule = formula<Rule>;
  constexpr int states = info(Rule).states;
  return {{{.launch = launch<rule, states, float>, .launch_scratch_bytes = scratch_bytes},
           {.launch = launch<rule, states, double>, .launch_scratch_bytes = scratch_bytes}}};
}

template <std::size_t... Rule>
constexpr std::array<kernels_of_rule, sizeof...(Rule)> all_kernels(
    std::index_sequence<Rule...>) noexcept {
  return {{kernels<static_cast<update_rule>(Rule)>()...}};
}

constexpr auto table = all_kernels(std::make_index_sequence<update_rule_count>{});

}  // namespace

const kernel* update_kernel(update_rule rule, dtype element) noexcept {
  if (!is_floating(element)) return nullptr;
  return &table[static_cast<std::size_t>(rule)][element == float64];
}

}  // namespace troupe::cuda
