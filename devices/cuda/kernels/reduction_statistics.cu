// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/exponential_sum.hpp"
#include "troupe/devices/cuda/kernels/reduction_rows.hpp"

namespace troupe::cuda {

namespace {

/// Moments of some numbers, of which the first is `first`: the sum and the sum of squares of their
/// distances from first + offset. That point is one of the numbers or their mean, so little
/// accuracy is lost when the square of the sum is subtracted from the sum of squares.
struct moments {
  double first = 0, offset = 0, sum = 0, squares = 0;
  std::int64_t count = 0;

  TROUPE_BOTH double share() const { return sum / static_cast<double>(count); }
  /// Returns the distance from the first number to the mean.
  TROUPE_BOTH double to_mean() const { return offset + share(); }
  /// Returns the sum of squared distances from the mean.
  TROUPE_BOTH double spread() const {
    const double left = squares - sum * share();
    return left < 0 ? 0 : left;
  }
};

template <class T>
struct variance {
  using element = T;
  using state = moments;

  T* out;
  int ddof;

  variance(const kernel_args& args, reduction_op)
      : out(args.outputs[0].as<T>()),
        ddof(static_cast<const reduction_attributes*>(args.attributes)->ddof) {}

  TROUPE_BOTH state start() const { return {}; }
  /// Takes numbers before any merging, while the offset is 0.
  template <int N>
  TROUPE_BOTH void take(state& s, const pack<T, N>& x, std::int64_t) const {
    s.first = s.count == 0 ? static_cast<double>(x.elements[0]) : s.first;
    s.count += N;
    for (int k = 0; k < N; ++k) {
      const double apart = static_cast<double>(x.elements[k]) - s.first;
      s.sum += apart;
      s.squares += apart * apart;
    }
  }
  /// Merges as in Chan, Golub and LeVeque, "Algorithms for computing the sample variance" (1983).
  TROUPE_BOTH void merge(state& a, const state& b) const {
    if (b.count == 0) return;
    if (a.count == 0) {
      a = b;
      return;
    }
    const auto count = a.count + b.count;
    const double apart = (b.first - a.first) + (b.to_mean() - a.to_mean());
    const double share = static_cast<double>(b.count) / static_cast<double>(count);
    const double between = apart * apart * share * static_cast<double>(a.count);
    a = {a.first, a.to_mean() + apart * share, 0, a.spread() + b.spread() + between, count};
  }
  TROUPE_BOTH void put(std::int64_t row, const state& s) const {
    const auto divisor = s.count - ddof;
    out[row] =
        static_cast<T>(s.count == 0 ? static_cast<double>(__builtin_nanf(""))
                                    : s.spread() / static_cast<double>(divisor > 0 ? divisor : 0));
  }
};

template <class T>
struct logsumexp {
  using element = T;
  using state = exponential_sum<T>;

  T* out;

  logsumexp(const kernel_args& args, reduction_op) : out(args.outputs[0].as<T>()) {}

  TROUPE_BOTH state start() const { return {}; }
  template <int N>
  TROUPE_BOTH void take(state& s, const pack<T, N>& x, std::int64_t) const {
    s.add(x);
  }
  TROUPE_BOTH void merge(state& a, const state& b) const { a.add(b); }
  TROUPE_BOTH void put(std::int64_t row, const state& s) const {
    const double logarithm = scalar_functions::log(static_cast<double>(s.sum));
    out[row] = static_cast<T>(logarithm + static_cast<double>(s.origin()));
  }
};

/// Returns the kernel for a dtype; integers are converted to float64.
template <template <class> class Reduction, reduction_op Op>
const kernel* floating_kernel(dtype input) noexcept {
  if (input == float32) return &reduction_by<Reduction<float>, Op>;
  return is_floating(input) ? &reduction_by<Reduction<double>, Op>
                            : &reduction_by<Reduction<double>, Op, true>;
}

}  // namespace

const kernel* statistic_kernel(reduction_op op, dtype input) noexcept {
  return op == reduction_op::variance ? floating_kernel<variance, reduction_op::variance>(input)
                                      : floating_kernel<logsumexp, reduction_op::logsumexp>(input);
}

}  // namespace troupe::cuda
