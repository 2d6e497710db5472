// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/gradient_sum.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <utility>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"

namespace troupe {

namespace {

/// Sums repeated axes, and removes axes of size 1, in both the gradient and the layout.
tensor without_repeats(const tensor& g, layout& part) {
  std::vector<int> repeated;
  layout kept;
  kept.offset = part.offset;
  for (int i = 0; i < part.dims.rank(); ++i) {
    if (part.dims[i] == 1 || part.strides[i] == 0) {
      if (part.dims[i] != 1) repeated.push_back(i);
    } else {
      kept.strides[kept.dims.rank()] = part.strides[i];
      kept.dims.push_back(part.dims[i]);
    }
  }
  part = kept;
  return reshape(repeated.empty() ? g : sum(g, axes(repeated)), part.dims);
}

/// Returns the axes in the order in which they lie in memory.
std::vector<int> memory_order(const layout& part) {
  std::vector<int> order;
  for (int i = 0; i < part.dims.rank(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(part.strides[a]) > std::abs(part.strides[b]);
  });
  return order;
}

/// Returns true if the axes in this order may reach an element several times, as windows do.
bool may_overlap(const layout& part, const std::vector<int>& order) {
  std::int64_t reach = 0;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    const auto stride = std::abs(part.strides[*i]);
    if (stride <= reach) return true;
    reach += stride * (part.dims[*i] - 1);
  }
  return false;
}

/// Returns zeros to which the elements of a view are added where they are in the whole array.
tensor added_up(const tensor& g, const layout& part, const shape& whole) {
  const auto n = whole.size();
  const auto positions =
      arange(n, {.dtype = n > std::numeric_limits<std::int32_t>::max() ? int64 : int32,
                 .device = g.device()})
          .viewed(part);
  return reshape(index_add(reshape(g, {-1}), reshape(positions, {-1}), 0, n), whole);
}

}  // namespace

void gradient_sum::add(const tensor& share) {
  whole_ = whole_.defined() ? troupe::add(whole_, share) : share;
}

void gradient_sum::add_part(const tensor& share, const layout& part, const shape& whole) {
  sizes_ = whole;
  layout where = part;
  const auto once = without_repeats(share, where);
  const auto order = memory_order(where);
  if (once.size() == 0) return add(unslice(once, where, whole));
  if (add_slab(once, where, order)) return;
  if (may_overlap(where, order)) return add(added_up(once, where, whole));
  add(unslice(once, where, whole));
}

/// Takes a part that consists of the same columns of all rows, if the array has such rows.
bool gradient_sum::add_slab(const tensor& share, const layout& part,
                            const std::vector<int>& order) {
  std::int64_t length = 1, rows = 1, row_length = sizes_.size();
  auto axis = order.rbegin();
  for (; axis != order.rend() && part.strides[*axis] == length; ++axis) length *= part.dims[*axis];
  if (axis != order.rend()) row_length = part.strides[*axis];
  for (; axis != order.rend() && part.strides[*axis] == row_length * rows; ++axis)
    rows *= part.dims[*axis];
  if (axis != order.rend() || rows * row_length != sizes_.size() || row_length < 1) return false;
  if (part.offset + length > row_length) return false;
  const auto elements = reshape(transpose(share, order), {rows, length});
  if (length == row_length) {
    add(reshape(elements, sizes_));
    return true;
  }
  slabs_.push_back({rows, part.offset, elements});
  waiting_ += elements.size();
  if (waiting_ > 2 * sizes_.size()) lay_out();
  return true;
}

/// Sorts the slabs, and adds up those of the same place.
void gradient_sum::merge_equal() {
  const auto place = [](const slab& s) { return std::tuple(s.rows, s.from, s.length()); };
  std::stable_sort(slabs_.begin(), slabs_.end(),
                   [&](const slab& a, const slab& b) { return place(a) < place(b); });
  std::vector<slab> merged;
  for (auto& s : slabs_) {
    if (merged.empty() || place(merged.back()) != place(s)) merged.push_back(std::move(s));
    else merged.back().elements = troupe::add(merged.back().elements, s.elements);
  }
  slabs_ = std::move(merged);
}

/// Returns the array of slabs that do not overlap, in their order, and zeros elsewhere.
tensor gradient_sum::side_by_side(std::vector<slab> all) const {
  const auto rows = all[0].rows, row_length = sizes_.size() / rows;
  if (all.size() == 1) {
    layout part(shape{rows, all[0].length()});
    part.offset = all[0].from;
    part.strides[0] = row_length;
    return unslice(all[0].elements, part, sizes_);
  }
  const auto nothing =
      zeros({1, 1}, {.dtype = all[0].elements.dtype(), .device = all[0].elements.device()});
  std::vector<tensor> pieces;
  std::int64_t end = 0;
  const auto fill_to = [&](std::int64_t next) {
    if (next > end) pieces.push_back(broadcast_to(nothing, {rows, next - end}));
  };
  for (const auto& s : all) {
    fill_to(s.from);
    pieces.push_back(s.elements);
    end = s.end();
  }
  fill_to(row_length);
  return reshape(concatenate(pieces, 1), sizes_);
}

/// Adds the slabs to the whole: those that do not overlap together.
void gradient_sum::lay_out() {
  merge_equal();
  while (!slabs_.empty()) {
    std::vector<slab> layer, rest;
    for (auto& s : slabs_) {
      const bool fits =
          layer.empty() || (layer.back().rows == s.rows && layer.back().end() <= s.from);
      (fits ? layer : rest).push_back(std::move(s));
    }
    add(side_by_side(std::move(layer)));
    slabs_ = std::move(rest);
  }
  waiting_ = 0;
}

tensor gradient_sum::total() {
  lay_out();
  return whole_;
}

}  // namespace troupe
