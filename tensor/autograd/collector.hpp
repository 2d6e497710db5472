// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

#include "troupe/tensor/autograd/gradient_flow.hpp"
#include "troupe/tensor/autograd/tangent_flow.hpp"

namespace troupe {

/// Gradient node of a tensor with `attach_grad`: gradients end here and are added up, those of
/// several threads, too.
class collector : public gradient_node {
 public:
  std::size_t source_count() const noexcept override { return 0; }
  const gradient_node_ref& source(std::size_t) const noexcept override { return none_; }
  void pass_on(const tensor& arriving, gradient_flow& flow) override;
  tensor tangent(tangent_flow&) override { return {}; }

  /// Returns the sum so far.
  virtual tensor sum() const;
  virtual void reset() { set({}); }
  void set(const tensor& sum);

 private:
  static const gradient_node_ref none_;
  mutable std::mutex mutex_;
  tensor sum_;
};

/// Gradient node of a tensor that stands for another one: gradients pass through.
class stand_in final : public gradient_node {
 public:
  explicit stand_in(gradient_node_ref of) noexcept : original_(std::move(of)) {}

  std::size_t source_count() const noexcept override { return 1; }
  const gradient_node_ref& source(std::size_t) const noexcept override { return original_; }
  bool bars_gradients() const noexcept override { return original_->bars_gradients(); }
  void pass_on(const tensor& arriving, gradient_flow& flow) override {
    if (flow.wants(original_)) flow.add(original_, arriving);
  }
  tensor tangent(tangent_flow& flow) override { return flow.of(original_); }

 private:
  gradient_node_ref original_;
};

}  // namespace troupe
