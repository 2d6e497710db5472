// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/onnx/onnx_protos.hpp"
#include "troupe/onnx/program_writer.hpp"

namespace troupe {

class onnx_model;

/// Node of a graph while it is translated: its inputs and attributes as a rule asks for them, and
/// the lines that the rule writes. What is not there, or not known, is refused with the node's
/// name; so are, at the end, inputs and attributes that the rule did not ask for.
class graph_node {
 public:
  graph_node(const onnx::NodeProto& of, onnx_model& model, program_writer& writer);

  const std::string& op() const noexcept;
  int opset() const noexcept;
  [[noreturn]] void refuse(const std::string& what) const;
  void refuse_if(bool wrong, const std::string& what) const {
    if (wrong) refuse(what);
  }

  // Inputs, by number.

  int inputs() const noexcept;
  bool has(int i) const;
  /// Returns the name in the text of an input.
  std::string in(int i);
  dtype element(int i = 0) const { return type(i).element; }
  shape dims(int i = 0) const { return type(i).dims; }
  int rank(int i = 0) const { return dims(i).rank(); }
  /// Notes that an input means nothing here.
  void ignore(int i) { asked_inputs_.insert(i); }
  /// Returns the elements of an input that is constant.
  std::vector<std::int64_t> integers(int i);
  std::int64_t integer(int i);
  double real(int i);
  const tensor& constant_input(int i);

  // Attributes, by name.

  bool has_attribute(std::string_view name);
  std::int64_t attribute(std::string_view name, std::int64_t otherwise);
  float real_attribute(std::string_view name, float otherwise);
  std::string text_attribute(std::string_view name, const std::string& otherwise);
  std::optional<std::vector<std::int64_t>> list_attribute(std::string_view name);
  const onnx::TensorProto* tensor_attribute(std::string_view name);
  const onnx::AttributeProto* raw_attribute(std::string_view name);
  dtype dtype_attribute(std::string_view name, dtype otherwise);
  /// Returns a real attribute as a literal.
  std::string literal(std::string_view name, float otherwise);
  /// Returns an axis counted from 0, of an array of so many.
  int axis(std::int64_t of, int rank) const;
  int axis_attribute(std::int64_t otherwise, int rank) {
    return axis(attribute("axis", otherwise), rank);
  }

  // Lines and results that the rule writes.

  int outputs() const noexcept;
  bool wants(int i) const;

  /// Adds a line and returns its name.
  std::string line(const std::string& expression) { return writer_.line(expression); }
  std::string constant(const tensor& x) { return writer_.constant(x); }
  /// Says what an output is: an expression, another value of the text, or a constant.
  void out(int i, const std::string& expression) { out_is(i, line(expression)); }
  void out_is(int i, const std::string& name);
  void out_known(int i, const tensor& x);

  caller where() const noexcept;
  /// Throws unless all inputs and attributes have been asked for and all outputs are there.
  void finish() const;

 private:
  /// `type` is ONNX's number.
  const onnx::AttributeProto* find(std::string_view name, int type);
  const std::string& value(int i) const;
  tensor_type type(int i) const;

  const onnx::NodeProto& of_;
  onnx_model& model_;
  program_writer& writer_;
  std::set<std::string, std::less<>> asked_;
  mutable std::set<int> asked_inputs_;
  std::set<int> given_;
};

/// Returns "[2, 3]".
std::string text_of(const shape& dims);
std::string text_of(const std::vector<std::int64_t>& numbers);

}  // namespace troupe
