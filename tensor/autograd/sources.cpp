// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/sources.hpp"

#include <vector>

#include "troupe/tensor/autograd/gradient_sum.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

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

/// Returns a gradient as elements of the array that it is the gradient of.
tensor of_element(const tensor& g, dtype element) {
  return astype(is_complex(element) ? g : real(g), element);
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
  const auto share = of_element(gradient, s.element);
  if (s.part) flow.add_part(s.from, share, s.part->layout, s.whole);
  else flow.add(s.from, share);
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

tensor source_gradient(const tensor& seen_gradient, const view_ref& part, const shape& whole,
                       dtype element) {
  const auto g = of_element(seen_gradient, element);
  if (!part) return g;
  gradient_sum all;
  all.add_part(g, part->layout, whole);
  return all.total();
}

}  // namespace troupe
