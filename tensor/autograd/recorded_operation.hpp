// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <span>
#include <string_view>

#include "troupe/tasks/task.hpp"
#include "troupe/tensor/autograd/sources.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

/// Recorded operation, with the arrays that its gradients need and no others.
class recorded_operation final : public gradient_node {
 public:
  explicit recorded_operation(const task& t) noexcept;

  /// Notes the gradient node of the input that the task was given last.
  void add_source(const task& t, const gradient_node_ref& from);
  /// Stores what the gradients need, once the task has all its inputs and its output. Returns false
  /// if no gradient can flow from the output.
  bool complete(const task& t);

  std::size_t source_count() const noexcept override { return sources_.size(); }
  const gradient_node_ref& source(std::size_t i) const noexcept override {
    return sources_.from(i);
  }
  bool is_copy() const noexcept override {
    return sources_.size() == 1 && (op_ == &transfer_operation || op_ == &astype_operation);
  }
  bool bars_gradients() const noexcept override { return barrier_ != nullptr; }
  void pass_on(const tensor& arriving, gradient_flow& flow) override;
  tensor tangent(tangent_flow& flow) override;

 private:
  /// Operation without a derivative that the result was computed from.
  struct barrier : counted<barrier> {
    std::string_view name;
    std::source_location call_site;

    barrier(std::string_view of, const std::source_location& line) noexcept
        : name(of), call_site(line) {}
  };

  /// Returns the barrier between the output of a task and its inputs, or null.
  reference<const barrier> barrier_of(const task& t) const;
  const gradient_rule& rule_of(std::size_t input) const noexcept {
    return op_->gradients[op_->any_number ? 0 : input];
  }
  void check_possible(const char* pass, caller where) const;
  /// Returns the inputs and the result as they are seen by gradients.
  small_vector<tensor, 2> attached_inputs() const;
  tensor attached_result();
  /// Passes on the gradient of one source.
  void pass_share(std::size_t source, std::span<const tensor> inputs, const tensor& result,
                  const tensor& arriving, gradient_flow& flow) const;
  /// Return the part of the tangent that comes from one source, whose tangent is `change`.
  tensor elementwise_share(std::size_t source, const tensor& change);
  tensor linear_share(std::size_t input, const tensor& change) const;
  /// Returns true if the inputs that gradients do not flow to are there.
  bool keeps_other_inputs() const noexcept;
  /// Returns the tangent if the operation is linear in all sources together.
  tensor linear_tangent(std::span<const tensor> changes) const;
  tensor repeat(std::span<const tensor> inputs) const;
  tensor transposed(std::span<const tensor> changes, const tangent_flow& flow);

  const operation* op_;
  std::source_location call_site_;
  attributes attributes_;
  gradient_sources sources_;
  small_vector<tensor_type, 2> types_;  // types of all inputs
  small_vector<tensor, 2> inputs_;      // inputs that are needed
  tensor result_;
  tensor_type result_type_ = {};
  reference<const barrier> barrier_;
  bool spent_ = false;
};

/// Records the gradient node of the input that the task was given last. Does nothing where no
/// gradient can flow.
void record_input(task& t, const gradient_node_ref& from);
/// Returns the gradient node for the output of a complete task.
gradient_node_ref record_output(task& t);

}  // namespace troupe
