// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/complex.hpp"

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/arranging.hpp"
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
