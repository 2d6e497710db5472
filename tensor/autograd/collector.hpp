// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/autograd/gradient_flow.hpp"

namespace troupe {

/// The history of a tensor with `attach_grad`: gradients end here and are added up.
class collector final : public history {
 public:
  std::size_t source_count() const noexcept override { return 0; }
  const history_ref& source(std::size_t) const noexcept override { return none_; }
  void pass_on(const tensor& arriving, gradient_flow& flow) override;

  /// Not for several threads at once.
  const tensor& sum() const noexcept { return sum_; }
  void reset() noexcept { sum_ = {}; }

 private:
  static const history_ref none_;
  tensor sum_;
};

/// The history of a tensor that stands for another one: gradients go through.
class stand_in final : public history {
 public:
  explicit stand_in(history_ref of) noexcept : of_(std::move(of)) {}

  std::size_t source_count() const noexcept override { return 1; }
  const history_ref& source(std::size_t) const noexcept override { return of_; }
  void pass_on(const tensor& arriving, gradient_flow& flow) override { flow.add(of_, arriving); }

 private:
  history_ref of_;
};

}  // namespace troupe
