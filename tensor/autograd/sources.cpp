// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/sources.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"

namespace troupe {

namespace {

/// Releases gradient nodes one after the other: each may be the last holder of a long chain.
void let_go(gradient_node_ref h) noexcept {
  static thread_local constinit std::vector<gradient_node_ref>* going = nullptr;
  if (going) {
    going->push_back(std::move(h));
    return;
  }
  std::vector<gradient_node_ref> all;
  going = &all;
  all.push_back(std::move(h));
  while (!all.empty()) {
    const auto next = std::move(all.back());
    all.pop_back();
  }
  going = nullptr;
}

}  // namespace

gradient_sources::~gradient_sources() {
  for (auto& s : all_) let_go(std::move(s.from));
}

void gradient_sources::add(std::size_t input, gradient_node_ref from, view_ref part,
                           const shape& whole, dtype element) {
  all_.emplace_back(source{input, std::move(from), std::move(part), whole, element});
}

void gradient_sources::add(std::size_t input, const tensor& x) {
  add(input, x.node(), x.part(), x.source()->dims(), x.source()->element);
}

std::vector<tensor> gradient_sources::keep(const std::vector<tensor>& inputs) {
  std::vector<tensor> constants;
  constants.reserve(inputs.size());
  for (const auto& x : inputs) {
    if (x.node()) add(constants.size(), x);
    constants.push_back(x.detach());
  }
  return constants;
}

void gradient_sources::attach(std::span<tensor> inputs) const {
  for (const auto& s : all_) {
    if (auto& x = inputs[s.input]; x.defined()) x = x.with_node(s.from);
  }
}

void gradient_sources::pass_on(std::size_t i, const tensor& gradient, gradient_flow& flow) const {
  const auto& s = all_[i];
  flow.add(s.from, source_gradient(gradient, s.part, s.whole, s.element));
}

tensor gradient_sources::tangent(std::size_t i, tangent_flow& flow) const {
  const auto& s = all_[i];
  const auto found = flow.of(s.from);
  if (!found.defined()) return found;
  const auto t = contiguous(found);
  if (!s.part) return t;
  auto view = s.part->layout;
  view.offset += t.view().offset;
  return t.viewed(view);
}

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

/// Returns true if the axes in this order cover an array of `size` elements.
bool covers(const layout& part, const std::vector<int>& order, std::int64_t size) {
  std::int64_t expected = 1;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    if (part.strides[*i] != expected) return false;
    expected *= part.dims[*i];
  }
  return part.offset == 0 && expected == size;
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

tensor source_gradient(const tensor& seen_gradient, const view_ref& part, const shape& whole,
                       dtype element) {
  const auto g = astype(is_complex(element) ? seen_gradient : real(seen_gradient), element);
  if (!part) return g;
  layout where = part->layout;
  const auto once = without_repeats(g, where);
  const auto order = memory_order(where);
  if (covers(where, order, whole.size())) return reshape(transpose(once, order), whole);
  if (once.size() > 0 && may_overlap(where, order)) return added_up(once, where, whole);
  return unslice(once, where, whole);
}

}  // namespace troupe
