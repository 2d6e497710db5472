// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/model.hpp"

namespace troupe {

/// Way to take nodes that hold graphs or work on sequences apart: into the nodes of the graphs, as
/// often as they are gone through, with names of their own. A sequence is a list of values. What
/// decides how often must be constant.
class unrolling {
 public:
  using adder = std::function<void(const onnx::NodeProto& inner)>;

  /// `add` is given the nodes that take the place of others.
  unrolling(onnx_model& model, adder add) : model_(model), add_(std::move(add)) {}

  /// Returns false for a node that is no such one.
  bool take_apart(const onnx::NodeProto& from);

 private:
  using names = std::vector<std::string>;

  // Nodes that hold graphs.
  void choose(graph_node& n, const onnx::NodeProto& from);
  void loop(graph_node& n, const onnx::NodeProto& from);
  void scan(graph_node& n, const onnx::NodeProto& from);
  void map_sequences(graph_node& n, const onnx::NodeProto& from);

  // Sequences.
  void split(graph_node& n, const onnx::NodeProto& from);
  void change(graph_node& n, const onnx::NodeProto& from);
  void concatenate(const onnx::NodeProto& from);
  const names& sequence(graph_node& n, const onnx::NodeProto& from, int input) const;

  /// Adds a copy of a graph whose inputs have other names, and returns the names of its outputs.
  names inlined(graph_node& n, const onnx::GraphProto& graph, const names& inputs);
  /// Lets a value, or a sequence, have another name, too.
  void name_also(const std::string& value, const std::string& name);
  std::string fresh(const std::string& name) { return name + '#' + std::to_string(++copies_); }
  void add(const std::string& op, const names& inputs, const std::string& output,
           const std::map<std::string, std::int64_t>& attributes);

  onnx_model& model_;
  adder add_;
  std::int64_t copies_ = 0, nodes_ = 0;
};

}  // namespace troupe
