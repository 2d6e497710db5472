// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/standard_names.hpp"

#include <string>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/dtypes.hpp"

namespace troupe {

shape broadcast_shapes(std::span<const shape> some, caller where) {
  shape all;
  for (const auto& one : some) {
    const auto both = broadcast(all, one);
    if (both && both->countable()) {
      all = *both;
      continue;
    }
    std::string text = both ? "broadcast_shapes: more elements than can be counted: "
                            : "broadcast_shapes: shapes do not broadcast: ";
    for (const auto& s : some) {
      if (&s != some.data()) text += ", ";
      text += to_string(s);
    }
    throw error(text, where);
  }
  return all;
}

namespace {

using accumulation = tensor (*)(const tensor& x, optional_axis axis, caller where);

tensor accumulated(const char* what, accumulation how, double initial, const tensor& x,
                   optional_axis axis, const cumulative_options& options, caller where) {
  check_defined(what, x, where);
  if (!axis && x.rank() != 1)
    throw error(std::string(what) + ": an axis is needed for " + to_string(x.type()), where);
  const int along = detail::checked_axis(axis.value_or(0), x.rank(), x.type(), what, where);
  const auto from = options.element ? detail::as_asked(what, x, *options.element, where) : x;
  auto out = how(from, along, where);
  if (options.element) out = astype(out, *options.element, where);
  if (!options.include_initial) return out;
  auto before = out.shape();
  before[along] = 1;
  const use_engine same(out.source()->engine);
  const auto first = astype(
      full(before, initial, {.dtype = float64, .device = out.device()}, where), out.dtype(), where);
  return concatenate({first, out}, along, where);
}

}  // namespace

tensor cumulative_sum(const tensor& x, optional_axis axis, const cumulative_options& options,
                      caller where) {
  return accumulated("cumulative_sum", cumsum, 0, x, axis, options, where);
}

tensor cumulative_prod(const tensor& x, optional_axis axis, const cumulative_options& options,
                       caller where) {
  return accumulated("cumulative_prod", cumprod, 1, x, axis, options, where);
}

}  // namespace troupe
