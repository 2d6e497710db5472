// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "troupe/devices/elementwise.hpp"
#include "troupe/onnx/graph_writer.hpp"

namespace troupe {

/// Elementwise operation that is being written: its operands, of the dtype that it is computed in.
struct element_operands {
  graph_writer& to;
  std::vector<onnx_value> all;
  std::vector<bool> numbers;  ///< those that are numbers
  std::vector<std::uint64_t> bits;  ///< of numbers

  const onnx_value& x() const { return all[0]; }
  const onnx_value& y() const { return all[1]; }
  const onnx_value& w() const { return all[2]; }
  dtype element() const { return all.back().element; }
  bool is_real() const { return is_floating(element()); }
  bool is_bool() const { return element() == boolean; }
  /// Returns a number of the dtype.
  onnx_value number(double x) const { return to.number(element(), x); }
};

/// Nodes for a row of elementwise.def. The result may have another dtype than the operation's.
using element_rule = onnx_value (*)(const element_operands& e);
using element_rules = std::map<elementwise_op, element_rule>;

// The rules, by subject.
element_rules function_element_rules();

}  // namespace troupe
