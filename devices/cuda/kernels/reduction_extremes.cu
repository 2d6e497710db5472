// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/reduction_rows.hpp"

namespace troupe::cuda {

namespace {

/// Greatest or least element; any NaN wins.
template <class T, bool Greatest>
struct extreme {
  using element = T;
  using state = T;

  T* out;

  extreme(const kernel_args& args, reduction_op) : out(args.outputs[0].as<T>()) {}

  TROUPE_BOTH state start() const {
    if constexpr (is_floating(dtype_of<T>())) {
      return T(Greatest ? -__builtin_inf() : __builtin_inf());
    } else {
      constexpr auto least =
          static_cast<T>(std::is_signed_v<T> ? std::uint64_t{1} << (8 * sizeof(T) - 1) : 0);
      return Greatest ? least : static_cast<T>(~least);
    }
  }
  template <int N>
  TROUPE_BOTH void take(state& s, const pack<T, N>& x, std::int64_t) const {
    T most = x.elements[0];
    for (int k = 1; k < N; ++k) merge(most, x.elements[k]);
    merge(s, most);
  }
  TROUPE_BOTH void merge(state& a, const state& b) const {
    a = ((Greatest ? b > a : b < a) | (b != b)) ? b : a;
  }
  TROUPE_BOTH void put(std::int64_t row, const state& s) const { out[row] = s; }
};

/// Search for an element that is not 0 (any), or for one that is 0 (all).
template <class T>
struct search {
  using element = T;
  using state = std::int32_t;

  bool* out;
  bool sought;

  search(const kernel_args& args, reduction_op op)
      : out(args.outputs[0].as<bool>()), sought(op == reduction_op::any) {}

  TROUPE_BOTH state start() const { return 0; }
  template <int N>
  TROUPE_BOTH void take(state& s, const pack<T, N>& x, std::int64_t) const {
    for (int k = 0; k < N; ++k) s |= (x.elements[k] != T(0)) == sought;
  }
  TROUPE_BOTH void merge(state& a, const state& b) const { a |= b; }
  TROUPE_BOTH void put(std::int64_t row, const state& s) const { out[row] = (s != 0) == sought; }
};

}  // namespace

const kernel* extreme_kernel(reduction_op op, dtype input) noexcept {
  return visit_computed(input, [op](auto zero) -> const kernel* {
    using T = decltype(zero);
    if constexpr (!std::is_same_v<T, bool>) {
      if (op == reduction_op::max) return &reduction_by<extreme<T, true>, reduction_op::max>;
      if (op == reduction_op::min) return &reduction_by<extreme<T, false>, reduction_op::min>;
    }
    // For bools, the greatest is the same as any.
    return op == reduction_op::any || op == reduction_op::max
               ? &reduction_by<search<T>, reduction_op::any>
               : &reduction_by<search<T>, reduction_op::all>;
  });
}

}  // namespace troupe::cuda
