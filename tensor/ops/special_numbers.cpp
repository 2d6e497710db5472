// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/special_numbers.hpp"

#include <limits>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/dtypes.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check_real(const char* what, const tensor& x, caller where) {
  check_defined(what, x, where);
  if (is_complex(x.dtype()))
    throw error(std::string(what) + ": complex numbers have no sign: " + to_string(x.type()),
                where);
}

}  // namespace

tensor isposinf(const tensor& x, caller where) {
  check_real("isposinf", x, where);
  return equal(x, infinity, where);
}

tensor isneginf(const tensor& x, caller where) {
  check_real("isneginf", x, where);
  return equal(x, -infinity, where);
}

tensor nan_to_num(const tensor& x, double nan, std::optional<double> posinf,
                  std::optional<double> neginf, caller where) {
  check_defined("nan_to_num", x, where);
  if (is_complex(x.dtype())) {
    const auto of = [&](const tensor& part) {
      return nan_to_num(part, nan, posinf, neginf, where);
    };
    return complex(of(real(x, where)), of(imag(x, where)), where);
  }
  if (!is_floating(x.dtype())) return x;
  const auto most = finfo(x.dtype(), where).max;
  tensor finite = clip(x, -most, most, where);
  if (posinf) finite = troupe::where(equal(x, infinity, where), *posinf, finite, where);
  if (neginf) finite = troupe::where(equal(x, -infinity, where), *neginf, finite, where);
  return troupe::where(isnan(x, where), nan, finite, where);
}

}  // namespace troupe
