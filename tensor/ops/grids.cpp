// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/grids.hpp"

#include <utility>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

std::vector<tensor> meshgrid(const std::vector<tensor>& coordinates, std::string_view indexing,
                             caller where) {
  if (indexing != "xy" && indexing != "ij")
    throw error("meshgrid: the indexing is xy or ij, not " + std::string(indexing), where);
  if (coordinates.size() > static_cast<std::size_t>(max_rank))
    throw error("meshgrid: " + std::to_string(coordinates.size()) + " coordinates; at most " +
                    std::to_string(max_rank) + " axes are possible",
                where);
  shape grid;
  std::vector<tensor_type> types;
  for (const auto& x : coordinates) {
    check_defined("meshgrid", x, where);
    if (x.rank() > 1)
      throw error("meshgrid: coordinates are vectors, not " + to_string(x.type()), where);
    grid.push_back(x.size());
    types.push_back(x.type());
  }
  if (!grid.countable()) refuse("meshgrid", "more elements than can be counted", types, where);
  const bool exchange = indexing == "xy" && grid.rank() > 1;
  if (exchange) std::swap(grid[0], grid[1]);
  std::vector<tensor> out;
  for (int i = 0; i < grid.rank(); ++i) {
    const int axis = exchange && i < 2 ? 1 - i : i;
    shape line;
    for (int k = 0; k < grid.rank(); ++k) line.push_back(k == axis ? grid[k] : 1);
    const auto& x = coordinates[static_cast<std::size_t>(i)];
    out.push_back(broadcast_to(reshape(x, line, where), grid, where));
  }
  return out;
}

tensor one_hot(const tensor& x, std::int64_t classes, dtype element, caller where) {
  check_defined("one_hot", x, where);
  if (!is_integer(x.dtype()))
    throw error("one_hot: the labels are no integers: " + to_string(x.type()), where);
  if (classes < 0) throw error("one_hot: negative classes " + std::to_string(classes), where);
  shape out = x.shape();
  if (out.rank() < max_rank) out.push_back(classes);
  else throw error("one_hot: " + to_string(x.type()) + " has as many axes as are possible", where);
  if (!out.countable())
    throw error("one_hot: " + std::to_string(classes) + " classes for " + to_string(x.type()) +
                    " are more than can be counted",
                where);
  const auto all = arange(classes, {.device = x.device()}, where);
  return astype(equal(expand_dims(x, -1, where), all, where), element, where);
}

namespace {

/// The powers of complex numbers as products, in which zeros and whole numbers stay what they are.
tensor products_of(const tensor& x, std::int64_t count, caller where) {
  const auto column = expand_dims(x, 1, where);
  if (count == 0) return broadcast_to(column, {x.size(), 0}, where);
  const auto factors = broadcast_to(column, {x.size(), count - 1}, where);
  return concatenate({ones_like(column, {}, where), cumprod(factors, 1, where)}, 1, where);
}

}  // namespace

tensor vander(const tensor& x, std::optional<std::int64_t> columns, flag increasing, caller where) {
  check_defined("vander", x, where);
  if (x.rank() != 1) throw error("vander: not a vector: " + to_string(x.type()), where);
  const auto count = columns.value_or(x.size());
  if (count < 0) throw error("vander: negative columns " + std::to_string(count), where);
  shape out = x.shape();
  out.push_back(count);
  if (!out.countable())
    throw error("vander: " + std::to_string(count) + " columns for " + to_string(x.type()) +
                    " are more than can be counted",
                where);
  if (is_complex(x.dtype())) {
    const auto products = products_of(x, count, where);
    return increasing ? products : flip(products, 1, where);
  }
  const auto element = promote(x.dtype(), int64);
  const auto powers = arange(count, {.dtype = element, .device = x.device()}, where);
  return power(expand_dims(astype(x, element, where), 1, where),
               increasing ? powers : flip(powers, {}, where), where);
}

}  // namespace troupe
