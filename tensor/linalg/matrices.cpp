// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/matrices.hpp"

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::linalg::detail {

tensor as_matrices(std::string_view what, const tensor& x, caller where) {
  check_defined(what, x, where);
  const tensor_type types[] = {x.type()};
  if (x.rank() < 2) refuse(what, "no matrix: two axes or more are needed", types, where);
  return is_inexact(x.dtype()) ? x : astype(x, float64, where);
}

tensor as_square_matrices(std::string_view what, const tensor& x, caller where) {
  const auto out = as_matrices(what, x, where);
  const tensor_type types[] = {x.type()};
  if (rows_of(x) != columns_of(x)) refuse(what, "not a square matrix", types, where);
  return out;
}

tensor submit(linalg_op op, tensor_pointers inputs, const linalg_attributes& given, caller where) {
  const auto& r = record(op);
  const auto place = common_home(r.name, inputs, where).device;
  if (place.kind != device_kind::cpu && op == linalg_op::expm)
    throw error(std::string(r.name) + ": not possible on " + to_string(place) +
                    ": copy the matrices to a CPU: to(x, cpu())",
                where);
  return apply(r, inputs, given, where);
}

shape batch_of(const shape& s) noexcept {
  shape out;
  for (int i = 0; i + 2 < s.rank(); ++i) out.push_back(s[i]);
  return out;
}

shape with_axes(shape s, std::initializer_list<std::int64_t> more) noexcept {
  for (const auto size : more) s.push_back(size);
  return s;
}

tensor transposed(const tensor& x) { return swapaxes(x, -1, -2); }

tensor adjoint(const tensor& x) { return transposed(conj(x)); }

tensor permutation_matrix(const tensor& order, dtype element, caller where) {
  const auto n = order.shape()[order.rank() - 1];
  const auto rows = arange(n, {.dtype = order.dtype(), .device = order.device()}, where);
  const auto places = equal(expand_dims(order, -2, where), expand_dims(rows, 1, where), where);
  return astype(places, element, where);
}

void refuse_gradient(const std::string& text) {
  const auto* line = troupe::detail::on_behalf_of::line();
  throw error(text, line ? *line : caller());
}

tensor parts::take(std::initializer_list<std::int64_t> sizes) {
  shape to;
  for (int i = 0; i + 1 < row_.rank(); ++i) to.push_back(row_.shape()[i]);
  std::int64_t size = 1;
  for (const auto n : sizes) {
    to.push_back(n);
    size *= n;
  }
  const auto part = slice(row_, -1, begin_, begin_ + size);
  begin_ += size;
  return reshape(part, to);
}

}  // namespace troupe::linalg::detail
