// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/reduction_rows.hpp"

namespace troupe::cuda {

namespace {

struct itself {
  template <class Sum>
  TROUPE_BOTH static Sum of(Sum x) {
    return x;
  }
};

struct square {
  template <class Sum>
  TROUPE_BOTH static Sum of(Sum x) {
    return x * x;
  }
};

/// Type in which sums of T are computed. Unsigned integers wrap.
template <class T>
using sum_type = std::conditional_t<is_floating(dtype_of<T>()), T, std::uint64_t>;

/// Sum or mean of a function of the elements.
template <class T, class Part>
struct adding {
  using element = T;
  using state = sum_type<T>;
  using result = std::conditional_t<is_floating(dtype_of<T>()), T, std::int64_t>;

  result* out;
  double divisor;

  adding(const kernel_args& args, reduction_op op)
      : out(args.outputs[0].as<result>()),
        divisor(op == reduction_op::mean ? static_cast<double>(reduced_size(args)) : 1.0) {}

  TROUPE_BOTH state start() const { return state(0); }

  /// Adds in pairs, which keeps sums of floats accurate.
  template <int N>
  TROUPE_BOTH void take(state& s, const pack<T, N>& x, std::int64_t) const {
    state sums[N];
    for (int k = 0; k < N; ++k) sums[k] = Part::of(static_cast<state>(x.elements[k]));
    for (int half = N / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; ++k) sums[k] += sums[k + half];
    }
    s += sums[0];
  }
  TROUPE_BOTH void merge(state& a, const state& b) const { a += b; }

  TROUPE_BOTH void put(std::int64_t row, const state& s) const {
    if constexpr (is_floating(dtype_of<T>()))
      out[row] = static_cast<T>(static_cast<double>(s) / divisor);
    else out[row] = static_cast<std::int64_t>(s);
  }
};

/// Product; that of float32 is computed in float64, as partial products may be out of range where
/// the whole is not.
template <class T>
struct multiplying {
  using element = T;
  using state = std::conditional_t<is_floating(dtype_of<T>()), double, std::uint64_t>;
  using result = typename adding<T, itself>::result;

  result* out;

  multiplying(const kernel_args& args, reduction_op) : out(args.outputs[0].as<result>()) {}

  TROUPE_BOTH state start() const { return state(1); }
  template <int N>
  TROUPE_BOTH void take(state& s, const pack<T, N>& x, std::int64_t) const {
    state product = static_cast<state>(x.elements[0]);
    for (int k = 1; k < N; ++k) product *= static_cast<state>(x.elements[k]);
    s *= product;
  }
  TROUPE_BOTH void merge(state& a, const state& b) const { a *= b; }
  TROUPE_BOTH void put(std::int64_t row, const state& s) const {
    out[row] = static_cast<result>(s);
  }
};

/// Returns the kernel with a floating-point result: integers are converted to float64.
template <class Part, reduction_op Op>
const kernel* floating_kernel(dtype input) noexcept {
  if (input == float32) return &reduction_by<adding<float, Part>, Op>;
  return is_floating(input) ? &reduction_by<adding<double, Part>, Op>
                            : &reduction_by<adding<double, Part>, Op, true>;
}

}  // namespace

const kernel* sum_kernel(reduction_op op, dtype input) noexcept {
  if (op == reduction_op::mean) return floating_kernel<itself, reduction_op::mean>(input);
  if (op == reduction_op::sum_of_squares)
    return floating_kernel<square, reduction_op::sum_of_squares>(input);
  return visit_computed(input, [op](auto zero) -> const kernel* {
    using T = decltype(zero);
    if (op == reduction_op::prod) return &reduction_by<multiplying<T>, reduction_op::prod>;
    return &reduction_by<adding<T, itself>, reduction_op::sum>;
  });
}

}  // namespace troupe::cuda
