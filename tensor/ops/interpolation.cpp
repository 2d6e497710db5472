// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/interpolation.hpp"

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

/// Interpolates at places of the points' dtype, or of that of their parts.
tensor between_points(const tensor& at, const tensor& places, const tensor& values,
                      const interp_options& options) {
  const auto last = places.size() - 1;
  const auto upper = minimum(maximum(searchsorted(places, at, "right"), 1), last);
  const auto lower = maximum(upper - 1, 0);
  const auto from = take(places, lower), width = take(places, upper) - from;
  const auto share = (at - from) / where(equal(width, 0), 1, width);
  const auto low = take(values, lower), inside = low + share * (take(values, upper) - low);
  const auto first = values[0], end = values[last];
  const auto below = less(at, places[0]), above = greater(at, places[last]);
  const auto up = where(greater_equal(at, places[last]), end, inside);
  const auto bounded = options.right ? where(above, *options.right, up) : up;
  return options.left ? where(below, *options.left, bounded) : where(below, first, bounded);
}

}  // namespace

tensor interp(const tensor& x, const tensor& xp, const tensor& fp, const interp_options& options,
              caller where) {
  const tensor* const inputs[] = {&x, &xp, &fp};
  common_home("interp", inputs, where);
  const tensor_type types[] = {xp.type(), fp.type()};
  if (xp.rank() != 1 || fp.rank() != 1 || xp.size() != fp.size())
    refuse("interp", "points are two vectors of the same length", types, where);
  if (xp.size() == 0) refuse("interp", "no points", types, where);
  const tensor_type places[] = {x.type(), xp.type()};
  if (is_complex(x.dtype()) || is_complex(xp.dtype()))
    refuse("interp", "complex numbers have no order", places, where);
  const detail::on_behalf_of user(where);
  auto element = promote(promote(x.dtype(), xp.dtype()), fp.dtype());
  if (!is_inexact(element)) element = float64;
  const auto real = real_of(element);
  return between_points(astype(x, real), astype(xp, real), astype(fp, element), options);
}

tensor digitize(const tensor& x, const tensor& edges, flag right, caller where) {
  const tensor* const inputs[] = {&x, &edges};
  common_home("digitize", inputs, where);
  if (edges.rank() != 1)
    throw error("digitize: not a vector of edges: " + to_string(edges.type()), where);
  return searchsorted(edges, x, right ? "left" : "right", where);
}

}  // namespace troupe
