// SPDX-License-Identifier: MIT
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "troupe/onnx/onnx.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/file_call.hpp"

namespace troupe {

/// Model of a file, which ONNX's checker has accepted, with the types and the constants that are
/// known of its values.
class onnx_model {
 public:
  onnx_model(const file_call& call, const onnx_options& options);

  const onnx::GraphProto& graph() const noexcept { return model_.graph(); }
  /// Version of the operators.
  int opset() const noexcept { return opset_; }
  const file_call& call() const noexcept { return call_; }

  /// Inputs that become arguments, in order.
  const std::vector<std::string>& arguments() const noexcept { return arguments_; }

  /// Returns the dtype and the shape of a value, or nothing if they are not known.
  std::optional<tensor_type> type_of(const std::string& name);
  void set_type(const std::string& name, const tensor_type& type) {
    types_.insert_or_assign(name, type);
  }

  /// Returns the value of an initializer, or of what has been found to be constant; or nullptr.
  const tensor* known(const std::string& name);
  /// Returns the names of a sequence's elements, or nullptr for what is none.
  const std::vector<std::string>* sequence(const std::string& name) const {
    const auto found = sequences_.find(name);
    return found == sequences_.end() ? nullptr : &found->second;
  }
  void set_sequence(const std::string& name, const std::vector<std::string>& elements) {
    sequences_.insert_or_assign(name, elements);
  }
  /// Returns true for an optional value that is not there.
  bool absent(const std::string& name) const { return absent_.contains(name); }
  void set_absent(const std::string& name) { absent_.insert(name); }
  /// Notes that a value is constant.
  void know(const std::string& name, const tensor& x) { known_.insert_or_assign(name, x); }

 private:
  void parse();
  /// Returns the version of a domain's operators, or 0.
  int version_of(const std::string& domain) const;
  void refuse_unknown(const onnx::GraphProto& of) const;
  void fill_in(const onnx_options& options);
  /// Makes each element of an input that is a sequence an argument.
  void fill_in_sequence(const std::string& name, const onnx::TypeProto& element,
                        const onnx_options& options);
  void check();

  file_call call_;
  onnx::ModelProto model_;
  int opset_ = 0;
  std::vector<std::string> arguments_;
  std::map<std::string, tensor_type> types_;
  std::map<std::string, int> initializers_;  // by name: their places in the graph
  std::map<std::string, tensor> known_;
  std::map<std::string, std::vector<std::string>> sequences_;
  std::set<std::string> absent_;
};

/// Returns a node's operator, behind its domain if that is not ONNX's own.
std::string operator_of(const onnx::NodeProto& node);

/// Returns the type of what an optional value holds, or any other type itself.
const onnx::TypeProto& present_type(const onnx::TypeProto& type);

/// Returns "node "n" of Conv", or the name of its first output where it has none of its own.
std::string text_of(const onnx::NodeProto& node);

/// Returns an error's text without the place that it ends in, on one line.
std::string facts_of(const error& e);

/// Most elements of constants with which is computed when a model is loaded.
inline constexpr std::int64_t most_folded = 4096;

}  // namespace troupe
