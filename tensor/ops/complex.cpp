// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/complex.hpp"

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/dtypes.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

tensor angle(const tensor& x, caller where) {
  check_defined("angle", x, where);
  return arctan2(imag(x, where), real(x, where), where);
}

tensor detail::complex_sign(const tensor& x, caller where) {
  const auto size = abs(x, where);
  return divide(x, troupe::where(equal(size, 0, where), 1, size, where), where);
}

tensor detail::complex_lerp(const tensor_or_scalar& x, const tensor_or_scalar& y,
                            const tensor_or_scalar& w, const value& home, caller where) {
  const tensor_or_scalar all[] = {x, y, w};
  const auto element = result_type(all, where);
  const use_engine same(home.engine);
  const auto as_tensor = [&](const tensor_or_scalar& one) {
    if (one.array()) return astype(*one.array(), element, where);
    return full({}, one.number(), {.dtype = element, .device = home.device}, where);
  };
  const auto from = as_tensor(x), to = as_tensor(y), share = as_tensor(w);
  const auto apart = subtract(to, from, where);
  return troupe::where(
      less(abs(share, where), 0.5, where), add(from, multiply(share, apart, where), where),
      subtract(to, multiply(apart, subtract(1, share, where), where), where), where);
}

tensor detail::complex_logaddexp(const tensor& x, const tensor& y, caller where) {
  const auto first = greater_equal(real(x, where), real(y, where), where);
  const auto greater = troupe::where(first, x, y, where), less = troupe::where(first, y, x, where);
  // An infinite greater one is the result: differences of infinities are no numbers.
  const auto plain = isfinite(real(greater, where), where);
  const auto apart = subtract(troupe::where(plain, less, 0, where),
                              troupe::where(plain, greater, 0, where), where);
  const auto sum = add(greater, log1p(exp(apart, where), where), where);
  // NaN is neither greater nor less, and gets lost in what is chosen by comparison.
  const auto lost = logical_or(isnan(x, where), isnan(y, where), where);
  return troupe::where(lost, add(x, y, where), troupe::where(plain, sum, greater, where), where);
}

tensor detail::complex_product(const tensor& x, std::uint32_t axes, caller where) {
  tensor out = x;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if ((axes >> axis & 1) == 0) continue;
    for (auto n = out.shape()[axis]; n != 1; n = out.shape()[axis]) {
      std::vector<std::pair<std::int64_t, std::int64_t>> more(static_cast<std::size_t>(x.rank()));
      more[static_cast<std::size_t>(axis)].second = n == 0 ? 1 : n % 2;
      if (n % 2 == 1 || n == 0) out = pad(out, more, 1, where);
      const auto half = out.shape()[axis] / 2;
      if (half == 0) break;
      out = multiply(slice(out, axis, 0, half, 1, where), slice(out, axis, half, {}, 1, where),
                     where);
    }
  }
  return out;
}

}  // namespace troupe
