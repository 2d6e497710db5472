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

/// Choices of who writes a model.
struct save_onnx_options {
  /// Names of the graph's inputs, one for each argument; none: x0, x1, ...
  std::vector<std::string> arguments = {};
  /// Names of its outputs, one for each result; none: y0, y1, ...
  std::vector<std::string> results = {};
  /// Version of the operators, from 13 to 17.
  int opset = 17;
  /// The file's word for what has written it.
  std::string producer = "troupe";
};

/// Writes a program as an ONNX model: its arguments are the graph's inputs, of the shapes that its
/// text says; its results the outputs. Constants, and variables as they are now, become
/// initializers. Each operation becomes a node or a few, which give the same results; where ONNX
/// leaves something open, docs/onnx.md says so. A sync point: waits for constants and variables.
///
///     auto net = compile([](const tensor& x) { return softmax(exp(x) + 1); });
///     save_onnx("net.onnx", net.program(x), {.arguments = {"image"}, .results = {"scores"}});
///
/// Throws, naming the operation and its line, for what has no counterpart in ONNX: random numbers,
/// variables that are assigned, most of linear algebra. Throws for arguments of which the text says
/// no type, names that repeat or are not as many, other versions, more than the format's 2 GiB, and
/// if the file cannot be written; an older file of that name then stays as it was. ONNX's own
/// checker has accepted the file.
void save_onnx(const std::string& path, const program& p, const save_onnx_options& options = {},
               caller where = caller::current());

}  // namespace troupe
