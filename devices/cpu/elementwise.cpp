// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "troupe/devices/cpu/elementwise_run.hpp"

namespace troupe::cpu_kernels {

namespace {

const elementwise_loops& loops_of_arity(int arity) noexcept {
  return arity == 1 ? TROUPE_SELECT(unary_loops) : TROUPE_SELECT(binary_loops);
}

/// Returns true if what is computed with is stored as this dtype.
bool all_are(dtype t, const kernel_args& args, bool bool_first) noexcept {
  for (std::size_t k = bool_first ? 1 : 0; k < args.inputs.size(); ++k) {
    if (args.inputs[k].type != t) return false;
  }
  return true;
}

constexpr std::size_t most_inputs = 3;

/// The inputs of a task whose tensors are narrow integers; numbers beside them, which come in the
/// dtype that is computed in, are made as narrow.
class stored_inputs {
 public:
  stored_inputs(const kernel_args& of, dtype narrow) noexcept : count_(of.inputs.size()) {
    for (std::size_t k = 0; k < count_; ++k) {
      all_[k] = of.inputs[k];
      if (all_[k].type == computed(narrow) && (of.numbers >> k & 1) != 0) make_narrow(k, narrow);
    }
  }

  /// Returns true if no number was changed by that.
  bool fit() const noexcept { return fit_; }
  std::span<const array> all() const noexcept { return {all_.data(), count_}; }

 private:
  void make_narrow(std::size_t k, dtype narrow) noexcept {
    const auto x =
        all_[k].type == int32 ? *all_[k].as<std::int32_t>() : *all_[k].as<std::int64_t>();
    visit(narrow, [&]<class T>(T) {
      const auto stored = static_cast<T>(x);
      if constexpr (is_integer(dtype_of<T>()))
        fit_ = fit_ && static_cast<std::int64_t>(stored) == x;
      std::memcpy(&numbers_[k], &stored, sizeof stored);
    });
    all_[k].data = &numbers_[k];
    all_[k].type = narrow;
  }

  std::array<array, most_inputs> all_;
  std::array<std::int64_t, most_inputs> numbers_{};
  std::size_t count_;
  bool fit_ = true;
};

template <elementwise_op Op, dtype Input>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  constexpr dtype compute = types_of(Op, Input)->compute;
  constexpr auto domain = info(Op).domain;
  constexpr dtype made = domain == elementwise_domain::predicate ? boolean
                         : domain == elementwise_domain::part    ? real_of(compute)
                         : domain == elementwise_domain::pair    ? complex_of(compute)
                                                                 : compute;
  constexpr bool bool_first = info(Op).domain == elementwise_domain::selection;
  const auto& loops = loops_of_arity(info(Op).arity).loops[static_cast<int>(Op)];
  if constexpr (done_as_stored(Op, Input)) {
    constexpr dtype same = domain == elementwise_domain::predicate ? boolean : Input;
    const auto run_stored = [&](const kernel_args& stored) {
      run_elementwise(stored, first, last, loops[static_cast<int>(Input)], Input, same, bool_first);
    };
    if (all_are(Input, args, bool_first)) return run_stored(args);
    if constexpr (is_narrow_integer(Input)) {
      const stored_inputs stored(args, Input);
      kernel_args narrow = args;
      narrow.inputs = stored.all();
      if (stored.fit() && all_are(Input, narrow, bool_first)) return run_stored(narrow);
    }
  }
  run_elementwise(args, first, last, loops[static_cast<int>(compute)], compute, made, bool_first);
}

template <elementwise_op Op, dtype Input>
constexpr kernel make_kernel() noexcept {
  if constexpr (types_of(Op, Input)) return {.run = run<Op, Input>, .chunks = elementwise_chunks};
  else return {};
}

template <std::size_t... I>
constexpr auto make_kernels(std::index_sequence<I...>) noexcept {
  return std::array<kernel, sizeof...(I)>{make_kernel<static_cast<elementwise_op>(I / dtype_count),
                                                      static_cast<dtype>(I % dtype_count)>()...};
}

constexpr auto kernels =
    make_kernels(std::make_index_sequence<elementwise_op_count * dtype_count>{});

}  // namespace

const kernel* elementwise_kernel(elementwise_op op, dtype input) noexcept {
  const kernel& kernel =
      kernels[static_cast<std::size_t>(op) * dtype_count + static_cast<std::size_t>(input)];
  return kernel.run == nullptr ? nullptr : &kernel;
}

}  // namespace troupe::cpu_kernels
