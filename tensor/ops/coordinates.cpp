// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/coordinates.hpp"

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/sets.hpp"

namespace troupe {

namespace {

void check_integers(std::string_view what, const tensor& x, caller where) {
  check_defined(what, x, where);
  if (!is_integer(x.dtype()))
    throw error(std::string(what) + ": no integers: " + to_string(x.type()), where);
}

void check_axes(std::string_view what, const shape& sizes, caller where) {
  if (sizes.rank() == 0 || sizes.size() == 0)
    throw error(std::string(what) + ": an array of shape " + to_string(sizes) + " has no places",
                where);
}

}  // namespace

tensor argwhere(const tensor& x, caller where) {
  check_defined("argwhere", x, where);
  if (x.rank() == 0) throw error("argwhere: " + to_string(x.type()) + " has no axes", where);
  return stack(nonzero(x, where), 1, where);
}

tensor flatnonzero(const tensor& x, caller where) {
  check_defined("flatnonzero", x, where);
  return nonzero(flatten(x, where), where)[0];
}

std::vector<tensor> unravel_index(const tensor& numbers, const shape& sizes, caller where) {
  check_integers("unravel_index", numbers, where);
  check_axes("unravel_index", sizes, where);
  const detail::on_behalf_of user(where);
  tensor rest = astype(numbers, int64);
  std::vector<tensor> out(static_cast<std::size_t>(sizes.rank()));
  for (int axis = sizes.rank() - 1; axis > 0; --axis) {
    out[static_cast<std::size_t>(axis)] = remainder(rest, sizes[axis]);
    rest = floor_divide(rest, sizes[axis]);
  }
  out[0] = rest;
  return out;
}

tensor ravel_multi_index(const std::vector<tensor>& coordinates, const shape& sizes, caller where) {
  check_axes("ravel_multi_index", sizes, where);
  if (coordinates.size() != static_cast<std::size_t>(sizes.rank()))
    throw error("ravel_multi_index: " + std::to_string(coordinates.size()) +
                    " coordinates for shape " + to_string(sizes),
                where);
  for (const auto& one : coordinates) check_integers("ravel_multi_index", one, where);
  const detail::on_behalf_of user(where);
  tensor number = astype(coordinates[0], int64);
  for (int axis = 1; axis < sizes.rank(); ++axis)
    number = number * sizes[axis] + coordinates[static_cast<std::size_t>(axis)];
  return astype(number, int64);
}

std::vector<tensor> tril_indices(std::int64_t rows, std::int64_t diagonal,
                                 std::optional<std::int64_t> columns, caller where) {
  return nonzero(tri(rows, columns, diagonal, {.dtype = boolean}, where), where);
}

std::vector<tensor> triu_indices(std::int64_t rows, std::int64_t diagonal,
                                 std::optional<std::int64_t> columns, caller where) {
  const detail::on_behalf_of user(where);
  return nonzero(logical_not(tri(rows, columns, diagonal - 1, {.dtype = boolean})));
}

}  // namespace troupe
