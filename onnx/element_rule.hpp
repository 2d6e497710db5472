// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "troupe/devices/elementwise.hpp"
#include "troupe/onnx/term.hpp"

namespace troupe {

class written_step;

/// Elementwise operation that is being written: its operands, of the dtype that it is computed in.
struct element_operands {
  const written_step& step;
  std::vector<term> all;
  /// Those that are numbers.
  std::vector<std::optional<onnx_number>> numbers;

  const term& x() const { return all[0]; }
  const term& y() const { return all[1]; }
  const term& w() const { return all[2]; }
  dtype element() const { return all.back().element(); }
  bool is_real() const { return is_floating(element()); }
  bool is_bool() const { return element() == boolean; }
};

/// Nodes for a row of elementwise.def. The result may have another dtype than the operation's.
struct element_rule {
  /// The operator that takes the operands as they are and gives their dtype.
  const char* same = nullptr;
  term (*write)(const element_operands& e) = nullptr;
};

using element_rules = std::map<elementwise_op, element_rule>;

// The rules, by subject.
element_rules arithmetic_element_rules();
element_rules comparison_element_rules();
element_rules division_element_rules();
element_rules function_element_rules();

/// Refuses an operation on such operands.
[[noreturn]] void refuse(const element_operands& e, const std::string& why);

/// Returns the sign of real numbers, also that of -0; not that of NaN, which ONNX does not show.
term is_negative(const term& x);

/// Returns log(exp(x) + exp(y)) without overflow.
term logaddexp_of(const term& x, const term& y);

}  // namespace troupe
