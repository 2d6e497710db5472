// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/onnx/graph_writer.hpp"
#include "troupe/tensor/program/graph.hpp"

namespace troupe {

/// Step of a program that is being written as nodes: its operands, and what it computes.
class written_step {
 public:
  /// `values` are those of the program that have been written.
  written_step(const program_step& of, const graph& program, graph_writer& to,
               std::vector<onnx_value>& values);

  const operation& op() const noexcept { return *step_.op; }
  graph_writer& to() const noexcept { return to_; }
  template <class T>
  const T& given() const noexcept {
    return step_.given.as<T>();
  }

  std::size_t inputs() const noexcept { return step_.inputs.size(); }
  bool is_number(std::size_t i) const noexcept { return step_.inputs[i].value < 0; }
  /// The number that an input is.
  onnx_number number(std::size_t i) const noexcept {
    return {step_.inputs[i].element, step_.inputs[i].immediate};
  }
  dtype element(std::size_t i) const noexcept { return step_.inputs[i].element; }

  /// The shape that the step sees of an input that is no number.
  const shape& dims(std::size_t i) const noexcept {
    const auto& one = step_.inputs[i];
    return one.part ? one.part->layout.dims : type_of(one.value).dims;
  }

  /// Returns an input with the shape that the step sees.
  onnx_value in(std::size_t i = 0) const;
  /// Returns an input with size 1 along axes that repeat its elements, without those that come
  /// first.
  onnx_value in_once(std::size_t i) const;

  const tensor_type& result() const { return type_of(step_.outputs[0]); }
  /// Says what the step computes: converts it to the dtype, and repeats it to the shape, of the
  /// result.
  void out(const onnx_value& x) const;

  /// Refuses the step, which has no counterpart.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  const tensor_type& type_of(int number) const {
    return program_.types[static_cast<std::size_t>(number)];
  }

  const program_step& step_;
  const graph& program_;
  graph_writer& to_;
  std::vector<onnx_value>& values_;
};

}  // namespace troupe
