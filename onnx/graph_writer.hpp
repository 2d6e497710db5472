// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "troupe/onnx/onnx_protos.hpp"
#include "troupe/tasks/file_call.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Value of an ONNX graph that is being written. Without a name: an optional input that is left
/// out.
struct onnx_value {
  std::string name = {};
  dtype element = dtype::float32;
  shape dims = {};
};

/// One element of a dtype.
struct onnx_number {
  dtype element;
  std::uint64_t bits;
};

struct onnx_attribute {
  const char* name;
  std::variant<std::int64_t, std::vector<std::int64_t>, std::string, onnx_number> value;
};

/// ONNX graph that is being written, node by node. Values have names of their own, made from the
/// name of the step that they belong to.
class graph_writer {
 public:
  using values = std::vector<onnx_value>;
  using node_attributes = std::vector<onnx_attribute>;

  /// `opset` is the version of the operators, `taken` are names that arguments and results have.
  graph_writer(onnx::GraphProto& to, int opset, std::set<std::string> taken, file_call call);

  int opset() const noexcept { return opset_; }

  /// Lets the names of values begin with this from now on.
  void begin(std::string_view stem) { stem_ = stem; }

  /// Adds a node with one output, of this dtype and shape.
  onnx_value add(const char* op, const values& in, dtype element, const shape& dims,
                 const node_attributes& given = {});
  /// Adds a node with several outputs, whose names are made here.
  values add(const char* op, const values& in, values out, const node_attributes& given = {});

  /// Adds an initializer, whose elements are waited for. Throws if they failed.
  onnx_value initializer(const std::string& name, const tensor& x);
  /// Returns an initializer of no axes, the same for equal numbers.
  onnx_value number(onnx_number x);
  onnx_value number(dtype element, double x);
  /// Returns an initializer of int64, the same for equal lists.
  onnx_value list(std::span<const std::int64_t> x) { return list(x, {std::ssize(x)}); }
  onnx_value list(std::span<const std::int64_t> x, const shape& dims);

  // Nodes that many steps need; none where nothing is to be done.
  onnx_value cast(const onnx_value& x, dtype to);
  onnx_value reshape(const onnx_value& x, const shape& to);
  onnx_value transpose(const onnx_value& x, const std::vector<std::int64_t>& order);
  onnx_value expand(const onnx_value& x, const shape& to);
  /// Array of any shape, filled with a number.
  onnx_value full(const shape& dims, onnx_number x);

  // Elementwise nodes on operands of one dtype, which are broadcast: with results of that dtype,
  // or, if they compare, of bool.
  onnx_value map(const char* op, const onnx_value& x);
  onnx_value join(const char* op, const onnx_value& x, const onnx_value& y);
  onnx_value compare(const char* op, const onnx_value& x, const onnx_value& y);
  onnx_value select(const onnx_value& condition, const onnx_value& x, const onnx_value& y);

  /// Gives a value that a node computes another name; false for those that no node computes.
  bool rename(const std::string& from, const std::string& to);

  /// Refuses what a step needs.
  [[noreturn]] void fail(const std::string& facts) const { call_.fail(facts); }

 private:
  std::string new_name();
  onnx::TensorProto& new_initializer(const std::string& name, dtype element, const shape& dims);

  onnx::GraphProto& to_;
  int opset_;
  std::set<std::string> taken_;
  file_call call_;
  std::string stem_;
  std::size_t count_ = 0;
  std::map<std::pair<dtype, std::uint64_t>, onnx_value> numbers_;
  std::map<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>, onnx_value> lists_;
  std::map<std::pair<std::string, dtype>, onnx_value> casts_;
};

/// Returns a number as an element of a dtype; a fraction is truncated for integers.
onnx_number element_of(dtype element, double x);

}  // namespace troupe
