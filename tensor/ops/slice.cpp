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

/// Narrows one axis of a view to a range.
void narrow(layout& view, int axis, const range& r, std::string_view what, caller where) {
  if (r.step == 0) throw error(std::string(what) + ": the step is 0", where);
  const auto [start, step, count] = resolve(r, view.dims[axis]);
  if (count > 0) view.offset += start * view.strides[axis];
  view.strides[axis] = count > 1 ? view.strides[axis] * step : 1;
  view.dims[axis] = count;
}

/// Throws for too many parts; an empty or broadcast axis may have any number of them.
void check_parts(std::string_view what, std::int64_t parts, caller where) {
  if (parts > most_parts)
    throw error(std::string(what) + ": " + std::to_string(parts) + " parts are too many, at most " +
                    std::to_string(most_parts) + " are possible",
                where);
}

void add_axis(layout& view, std::int64_t size, std::int64_t stride) noexcept {
  view.strides[view.dims.rank()] = stride;
  view.dims.push_back(size);
}

}  // namespace

tensor slice(const tensor& x, int axis, std::optional<std::int64_t> start,
             std::optional<std::int64_t> stop, std::int64_t step, caller where) {
  check_defined("slice", x, where);
  layout view = x.view();
  narrow(view, detail::checked_axis(axis, x.rank(), x.type(), "slice", where), {start, stop, step},
         "slice", where);
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

tensor at(const tensor& x, std::span<const index* const> indices, caller where) {
  check_defined("index", x, where);
  const auto count = [&](index::kind k) {
    return std::count_if(indices.begin(), indices.end(),
                         [k](const index* i) { return i->type() == k; });
  };
  const auto used = count(index::kind::position) + count(index::kind::extent);
  if (used > x.rank())
    throw error("index: " + std::to_string(used) + (used == 1 ? " index" : " indices") + " for " +
                    to_string(x.type()),
                where);
  if (x.rank() - count(index::kind::position) + count(index::kind::new_axis) > max_rank)
    throw error("index: more axes than the " + std::to_string(max_rank) + " possible ones for " +
                    to_string(x.type()),
                where);
  layout from = x.view(), out;
  std::int64_t offset = 0;
  int axis = 0;
  for (const auto* i : indices) {
    if (i->type() == index::kind::new_axis) {
      add_axis(out, 1, 0);
      continue;
    }
    if (i->type() == index::kind::extent) {
      narrow(from, axis, i->extent(), "index", where);
      add_axis(out, from.dims[axis], from.strides[axis]);
    } else {
      const auto size = from.dims[axis], position = i->position();
      if (position < -size || position >= size)
        throw error("index: " + std::to_string(position) + " is out of range for axis " +
                        std::to_string(axis) + " of " + to_string(x.type()),
                    where);
      offset += (position < 0 ? position + size : position) * from.strides[axis];
    }
    ++axis;
  }
  for (; axis < x.rank(); ++axis) add_axis(out, from.dims[axis], from.strides[axis]);
  out.offset = from.offset + offset;
  return x.viewed(out);
}

tensor tensor::operator[](const index& i) const {
  const index* const indices[] = {&i};
  return at(*this, indices, i.where());
}

tensor tensor::operator()(const index& a, const index& b, const index& c, const index& d,
                          const index& e, const index& f, const index& g, const index& h) const {
  const index* const indices[] = {&a, &b, &c, &d, &e, &f, &g, &h};
  const auto given = std::find_if(std::begin(indices), std::end(indices),
                                  [](const index* i) { return i->type() == index::kind::absent; });
  return at(*this, {std::begin(indices), given}, a.where());
}

}  // namespace troupe
