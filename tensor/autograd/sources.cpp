// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/sources.hpp"

#include <vector>

#include "troupe/tensor/autograd/source_gradient.hpp"

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

void gradient_sources::attach(std::span<tensor> inputs) const {
  for (const auto& s : all_) {
    if (auto& x = inputs[s.input]; x.defined()) x = x.with_node(s.from);
  }
}

void gradient_sources::pass_on(std::size_t i, const tensor& gradient, gradient_flow& flow) const {
  const auto& s = all_[i];
  flow.add(s.from, source_gradient(gradient, s.part, s.whole, s.element));
}

}  // namespace troupe
