// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/reduction_rows.hpp"

namespace troupe::cuda {

namespace {

template <class T>
struct found {
  T value;
  std::int64_t index;
};

/// Position of the greatest or the least element, the first of several; a NaN beats all else.
template <class T, bool Greatest>
struct position {
  using element = T;
  using state = found<T>;

  std::int64_t* out;

  position(const kernel_args& args, reduction_op) : out(args.outputs[0].as<std::int64_t>()) {}

  /// Returns a state that any element replaces.
  TROUPE_BOTH state start() const { return {T(0), INT64_MAX}; }
  template <int N>
  TROUPE_BOTH void take(state& s, const pack<T, N>& x, std::int64_t index) const {
    for (int k = 0; k < N; ++k) {
      const bool better = (s.index == INT64_MAX) | beats(x.elements[k], s.value);
      s.value = better ? x.elements[k] : s.value;
      s.index = better ? index + k : s.index;
    }
  }
  TROUPE_BOTH void merge(state& a, const state& b) const {
    if (b.index == INT64_MAX) return;
    if (a.index == INT64_MAX || beats(b.value, a.value) ||
        (b.index < a.index && !beats(a.value, b.value)))
      a = b;
  }
  TROUPE_BOTH void put(std::int64_t row, const state& s) const { out[row] = s.index; }

 private:
  TROUPE_BOTH static bool beats(T x, T y) {
    return (Greatest ? x > y : x < y) | ((x != x) & (y == y));
  }
};

}  // namespace

const kernel* position_kernel(reduction_op op, dtype input) noexcept {
  return visit_computed(input, [op](auto zero) -> const kernel* {
    using T = decltype(zero);
    return op == reduction_op::argmax ? &reduction_by<position<T, true>, reduction_op::argmax>
                                      : &reduction_by<position<T, false>, reduction_op::argmin>;
  });
}

}  // namespace troupe::cuda
