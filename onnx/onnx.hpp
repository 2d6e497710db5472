// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "troupe/tensor/program/program.hpp"

namespace troupe {

/// Choices that a model's file leaves to who reads it.
struct onnx_options {
  /// Shapes of inputs, by name: needed where the file gives a size a name, such as "N".
  std::map<std::string, shape> shapes = {};
  /// Shapes of the elements of inputs that are sequences, by name: each element is an argument.
  std::map<std::string, std::vector<shape>> sequences = {};
  /// Optional inputs that are not there; others are.
  std::set<std::string> absent = {};
  /// Inputs that never change, by name: they become part of the program and are no arguments.
  named_tensors constants = {};
};

/// Reads an ONNX model as a program: its arguments are the graph's inputs, as far as they are no
/// initializers and not among `options.constants`, in the graph's order; its results the graph's
/// outputs. The program's text has a line or a few for each node. The elements of a
/// sequence are arguments, or results, one by one.
///
///     const program net = load_onnx("net.onnx", {.shapes = {{"x", {8, 3, 32, 32}}}});
///     tensor y = net(x);
///
/// Throws, naming the node, for operators, attributes and dtypes that have no counterpart here; for
/// shapes that are not known; for files that are damaged or that ONNX's own checker refuses; and
/// for weights in other files. Computes only what is constant and small, such as shapes.
program load_onnx(const std::string& path, const onnx_options& options = {},
                  caller where = caller::current());

}  // namespace troupe
