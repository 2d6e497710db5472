// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/tasks/operation.hpp"

namespace troupe {

class written_step;

/// Way to write a step of a program as nodes of ONNX.
struct step_rule {
  const operation* op;
  void (*write)(const written_step& s);
};

/// Returns the rule of an operation, or nullptr.
const step_rule* find_step_rule(const operation& op);

// The rules, by subject.
std::vector<step_rule> copying_step_rules();
std::vector<step_rule> creation_step_rules();
std::vector<step_rule> cumulative_step_rules();
std::vector<step_rule> elementwise_step_rules();
std::vector<step_rule> indexing_step_rules();
std::vector<step_rule> product_step_rules();
std::vector<step_rule> reduction_step_rules();
std::vector<step_rule> sorting_step_rules();
std::vector<step_rule> window_step_rules();

}  // namespace troupe
