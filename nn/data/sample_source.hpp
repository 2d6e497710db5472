// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "troupe/tasks/random_bits.hpp"
#include "troupe/tensor/ops/call.hpp"

namespace troupe::nn {

/// What stands behind a dataset. Called from several threads at once.
class sample_source {
 public:
  virtual ~sample_source() = default;
  /// Writes every field of sample i.
  virtual void read(std::int64_t i, outputs& into, random_bits& bits) const = 0;
  /// Tensors that have to be there before samples are read.
  virtual std::vector<tensor> needs() const { return {}; }
  /// Samples as whole tensors, where that is more than reading one after the other; submits what it
  /// takes.
  virtual std::optional<std::vector<tensor>> rows(std::span<const std::int64_t>, caller) const {
    return std::nullopt;
  }
};

}  // namespace troupe::nn
