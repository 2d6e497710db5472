// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/tasks/small_vector.hpp"
#include "troupe/tensor/autograd/gradient_flow.hpp"
#include "troupe/tensor/autograd/tangent_flow.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Inputs of an operation that gradients flow on to. The inputs are kept as constants beside it;
/// their gradient nodes are held here alone, so that a long chain of nodes is released without deep
/// recursion.
class gradient_sources {
 public:
  gradient_sources() = default;
  gradient_sources(gradient_sources&&) = default;
  ~gradient_sources();

  /// Adds input number `input`: a view (empty for all) of an array of shape `whole` with gradient
  /// node `from`.
  void add(std::size_t input, gradient_node_ref from, view_ref part, const shape& whole,
           dtype element);
  void add(std::size_t input, const tensor& x);
  /// Adds the inputs that gradients flow on to, and returns all of them as constants.
  std::vector<tensor> keep(const std::vector<tensor>& inputs);

  std::size_t size() const noexcept { return all_.size(); }
  const gradient_node_ref& from(std::size_t i) const noexcept { return all_[i].from; }
  std::size_t input(std::size_t i) const noexcept { return all_[i].input; }
  dtype element(std::size_t i) const noexcept { return all_[i].element; }
  void set_part(std::size_t i, const view_ref& part) noexcept { all_[i].part = part; }

  /// Restores the gradient nodes of inputs that were kept as constants.
  void attach(std::span<tensor> inputs) const;

  /// Passes on the gradient of the view of source i.
  void pass_on(std::size_t i, const tensor& gradient, gradient_flow& flow) const;
  /// Returns the tangent of the view of source i, which lies as the view does; names no array if it
  /// is 0.
  tensor tangent(std::size_t i, tangent_flow& flow) const;

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

/// Returns the gradient of a whole array, given the gradient of the view that an operation read, of
/// that view's shape. Repeated elements are added up; elements outside the view are zero.
tensor source_gradient(const tensor& seen_gradient, const view_ref& part, const shape& whole,
                       dtype element);

}  // namespace troupe
