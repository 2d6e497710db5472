// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/matrix_operand.hpp"

#include "troupe/tensor/ops/cast.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

tensor matrix_operand(const tensor& given, dtype element, caller where) {
  constexpr std::int64_t large = 65536;
  const auto x = astype(given, element, where);
  const auto down = x.strides()[static_cast<std::size_t>(x.rank()) - 2],
             right = x.strides()[static_cast<std::size_t>(x.rank()) - 1];
  const auto rows = x.shape()[x.rank() - 2], columns = x.shape()[x.rank() - 1];
  const bool as_it_lies = right == 1 || down == 1 || rows == 1 || columns == 1;
  return as_it_lies || x.size() < large ? x : copy(x, where);
}

}  // namespace troupe
