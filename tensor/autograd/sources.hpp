// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/small_vector.hpp"
#include "troupe/tensor/autograd/gradient_flow.hpp"

namespace troupe {

/// Of the inputs that something was computed from, those that gradients flow on to. Inputs are kept
/// as constants beside it: it alone holds their gradient nodes, and lets go of a long chain of them
/// without deep recursion.
class gradient_sources {
 public:
  gradient_sources() = default;
  gradient_sources(gradient_sources&&) = default;
  ~gradient_sources();

  /// Input number `input` is this view (empty for all) of an array of shape `whole` that came about
  /// so.
  void add(std::size_t input, gradient_node_ref from, view_ref part, const shape& whole,
           dtype element);
  void add(std::size_t input, const tensor& x);

  std::size_t size() const noexcept { return all_.size(); }
  const gradient_node_ref& from(std::size_t i) const noexcept { return all_[i].from; }
  std::size_t input(std::size_t i) const noexcept { return all_[i].input; }
  void set_part(std::size_t i, const view_ref& part) noexcept { all_[i].part = part; }

  /// Gives inputs that were kept as constants their gradient nodes back.
  void attach(std::span<tensor> inputs) const;

  /// Passes on the gradient of what was seen of source i.
  void pass_on(std::size_t i, const tensor& gradient, gradient_flow& flow) const;

 private:
  struct source {
    std::size_t input;
    gradient_node_ref from;
    view_ref part;
    shape whole;
    dtype element;
  };

  small_vector<source, 2> all_;
};

}  // namespace troupe
