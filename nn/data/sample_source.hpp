// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "troupe/tasks/random_bits.hpp"
#include "troupe/tensor/ops/call.hpp"

namespace troupe::nn::detail {

/// Source of a dataset's samples. Called from several threads at once.
class sample_source {
 public:
  virtual ~sample_source() = default;
  /// Writes every field of sample i.
  virtual void read(std::int64_t i, outputs& into, random_bits& bits) const = 0;
  /// Returns tensors that must be ready before samples are read.
  virtual std::vector<tensor> needs() const { return {}; }
  /// Returns samples as whole tensors, where that is better than reading one after the other;
  /// submits the tasks for it.
  virtual std::optional<std::vector<tensor>> rows(std::span<const std::int64_t>, caller) const {
    return std::nullopt;
  }
};

}  // namespace troupe::nn::detail
