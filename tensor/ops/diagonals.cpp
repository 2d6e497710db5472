// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/diagonals.hpp"

#include <algorithm>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// True at the places of a matrix on a diagonal and below it.
tensor below(std::int64_t rows, std::int64_t columns, std::int64_t diagonal, device place,
             caller where) {
  const auto k = std::clamp(diagonal, -rows, columns);  // the same places, without overflow
  const auto row = arange(k, k + rows, 1, {.device = place}, where);
  const auto column = arange(0, columns, 1, {.device = place}, where);
  return greater_equal(expand_dims(row, 1, where), column, where);
}

tensor below(std::string_view what, const tensor& x, std::int64_t diagonal, caller where) {
  check_defined(what, x, where);
  if (x.rank() < 2)
    throw error(std::string(what) + ": two axes or more are needed, not " + to_string(x.type()),
                where);
  return below(x.shape()[x.rank() - 2], x.shape()[x.rank() - 1], diagonal, x.device(), where);
}

/// The view of a diagonal; the axes are counted from 0.
tensor diagonal_of(const tensor& x, std::int64_t offset, int rows, int columns) {
  layout view;
  const auto& from = x.view();
  view.offset = from.offset;
  for (int i = 0; i < x.rank(); ++i) {
    if (i == rows || i == columns) continue;
    view.strides[view.dims.rank()] = from.strides[i];
    view.dims.push_back(from.dims[i]);
  }
  const auto k = std::clamp(offset, -from.dims[rows], from.dims[columns]);
  const auto size = std::min(from.dims[rows] - std::max<std::int64_t>(-k, 0),
                             from.dims[columns] - std::max<std::int64_t>(k, 0));
  if (size > 0) view.offset += k >= 0 ? k * from.strides[columns] : -k * from.strides[rows];
  view.strides[view.dims.rank()] = size > 1 ? from.strides[rows] + from.strides[columns] : 1;
  view.dims.push_back(size);
  return x.viewed(view);
}

}  // namespace

tensor diagonal(const tensor& x, std::int64_t offset, int axis1, int axis2, caller where) {
  check_defined("diagonal", x, where);
  if (x.rank() < 2)
    throw error("diagonal: two axes or more are needed, not " + to_string(x.type()), where);
  axes({axis1, axis2}).mask(x.type(), "diagonal", where);
  return diagonal_of(x, offset, axis1 < 0 ? axis1 + x.rank() : axis1,
                     axis2 < 0 ? axis2 + x.rank() : axis2);
}

tensor diag(const tensor& x, std::int64_t diagonal, caller where) {
  check_defined("diag", x, where);
  if (x.rank() == 2) return diagonal_of(x, diagonal, 0, 1);
  if (x.rank() != 1)
    throw error("diag: neither a vector nor a matrix: " + to_string(x.type()), where);
  constexpr auto most = std::int64_t{1} << 30;
  const auto size = std::min(x.size(), most), k = std::clamp(diagonal, -most, most);
  const auto above = std::max<std::int64_t>(k, 0), under = std::max<std::int64_t>(-k, 0);
  shape sizes;
  sizes.push_back(size + above + under);
  sizes.push_back(sizes[0]);
  if (!sizes.countable())
    throw error("diag: more elements than can be counted come out of " + to_string(x.type()) +
                    " on diagonal " + std::to_string(diagonal),
                where);
  const auto main = eye(size, {}, 0, {.dtype = boolean, .device = x.device()}, where);
  return pad(troupe::where(main, x, false, where), {{under, above}, {above, under}}, 0, where);
}

tensor tri(std::int64_t rows, std::optional<std::int64_t> columns, std::int64_t diagonal,
           const tensor_options& options, caller where) {
  const auto wide = columns.value_or(rows);
  if (rows < 0 || wide < 0)
    throw error("tri: negative size " + std::to_string(std::min(rows, wide)), where);
  shape({rows, wide}, where);  // throws if they are too large
  return astype(below(rows, wide, diagonal, options.device.value_or(default_device()), where),
                options.dtype.value_or(float32), where);
}

tensor tril(const tensor& x, std::int64_t diagonal, caller where) {
  return troupe::where(below("tril", x, diagonal, where), x, false, where);
}

tensor triu(const tensor& x, std::int64_t diagonal, caller where) {
  // All but what lies on the diagonal before this one and below it.
  const auto next = diagonal == INT64_MIN ? diagonal : diagonal - 1;
  const auto lower = below("triu", x, next, where);
  return troupe::where(logical_not(lower, where), x, false, where);
}

}  // namespace troupe
