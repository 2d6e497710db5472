// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>
#include <vector>

#include "troupe/tensor/program/graph.hpp"

namespace troupe {

/// Steps of a program that can lead elementwise ones: products, which are read by such a one first.
class leading_steps {
 public:
  explicit leading_steps(const graph& of);

  /// Returns which values are there when a step runs, whatever runs beside it; null if it cannot
  /// lead.
  const std::vector<bool>* find(const program_step& s) const;

 private:
  std::unordered_map<const program_step*, std::vector<bool>> ready_;
};

}  // namespace troupe
