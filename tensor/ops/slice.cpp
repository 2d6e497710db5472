// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/slice.hpp"

#include <algorithm>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

stretch resolve(const range& r, std::int64_t size) noexcept {
  const auto step = std::max(r.step, -INT64_MAX);
  const bool forwards = step > 0;
  const std::int64_t lowest = forwards ? 0 : -1, highest = forwards ? size : size - 1;
  const auto end = [&](const std::optional<std::int64_t>& given, std::int64_t otherwise) {
    if (!given) return otherwise;
    return std::clamp(*given < 0 ? *given + size : *given, lowest, highest);
  };
  const auto start = end(r.start, forwards ? lowest : highest);
  const auto stop = end(r.stop, forwards ? highest : lowest);
  const auto distance = forwards ? stop - start : start - stop;
  return {start, step, distance <= 0 ? 0 : (distance - 1) / (forwards ? step : -step) + 1};
}

namespace {

constexpr std::int64_t most_parts = std::int64_t{1} << 20;

/// Throws for too many parts; an empty or broadcast axis may have any number of them.
void check_parts(std::string_view what, std::int64_t parts, caller where) {
  if (parts > most_parts)
    throw error(std::string(what) + ": " + std::to_string(parts) + " parts are too many, at most " +
                    std::to_string(most_parts) + " are possible",
                where);
}

}  // namespace

namespace detail {

void narrow(layout& view, int axis, const range& r, std::string_view what, caller where) {
  if (r.step == 0) throw error(std::string(what) + ": the step is 0", where);
  const auto [start, step, count] = resolve(r, view.dims[axis]);
  if (count > 0) view.offset += start * view.strides[axis];
  view.strides[axis] = count > 1 ? view.strides[axis] * step : 1;
  view.dims[axis] = count;
}

}  // namespace detail

tensor slice(const tensor& x, int axis, std::optional<std::int64_t> start,
             std::optional<std::int64_t> stop, std::int64_t step, caller where) {
  check_defined("slice", x, where);
  layout view = x.view();
  detail::narrow(view, detail::checked_axis(axis, x.rank(), x.type(), "slice", where),
                 {start, stop, step}, "slice", where);
  return x.viewed(view);
}

std::vector<tensor> split(const tensor& x, std::int64_t parts, int axis, caller where) {
  check_defined("split", x, where);
  const int i = detail::checked_axis(axis, x.rank(), x.type(), "split", where);
  if (parts <= 0 || x.shape()[i] % parts != 0)
    throw error("split: axis " + std::to_string(i) + " of " + to_string(x.type()) + " has not " +
                    std::to_string(parts) + " equal parts",
                where);
  check_parts("split", parts, where);
  const auto size = x.shape()[i] / parts;
  std::vector<tensor> out;
  for (std::int64_t p = 0; p < parts; ++p)
    out.push_back(slice(x, i, p * size, (p + 1) * size, 1, where));
  return out;
}

std::vector<tensor> array_split(const tensor& x, std::int64_t parts, int axis, caller where) {
  check_defined("array_split", x, where);
  const int i = detail::checked_axis(axis, x.rank(), x.type(), "array_split", where);
  if (parts <= 0)
    throw error("array_split: " + std::to_string(parts) + " parts of " + to_string(x.type()),
                where);
  check_parts("array_split", parts, where);
  const auto size = x.shape()[i] / parts, longer = x.shape()[i] % parts;
  std::vector<tensor> out;
  std::int64_t start = 0;
  for (std::int64_t p = 0; p < parts; ++p) {
    const auto end = start + size + (p < longer ? 1 : 0);
    out.push_back(slice(x, i, start, end, 1, where));
    start = end;
  }
  return out;
}

std::vector<tensor> split(const tensor& x, std::span<const std::int64_t> positions, int axis,
                          caller where) {
  check_defined("split", x, where);
  const int i = detail::checked_axis(axis, x.rank(), x.type(), "split", where);
  std::vector<tensor> out;
  std::int64_t start = 0;
  for (const auto p : positions) {
    out.push_back(slice(x, i, start, p, 1, where));
    start = p;
  }
  out.push_back(slice(x, i, start, {}, 1, where));
  return out;
}

std::vector<tensor> unstack(const tensor& x, int axis, caller where) {
  check_defined("unstack", x, where);
  const int i = detail::checked_axis(axis, x.rank(), x.type(), "unstack", where);
  const auto parts = x.shape()[i];
  check_parts("unstack", parts, where);
  std::vector<tensor> out;
  for (std::int64_t p = 0; p < parts; ++p)
    out.push_back(squeeze(slice(x, i, p, p + 1, 1, where), i, where));
  return out;
}

}  // namespace troupe
