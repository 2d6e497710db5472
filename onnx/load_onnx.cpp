// SPDX-License-Identifier: MIT
#include <new>
#include <utility>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/model.hpp"
#include "troupe/onnx/program_writer.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/onnx/unrolling.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/program/compile.hpp"

namespace troupe {

namespace {

void translate(const onnx::NodeProto& from, onnx_model& model, program_writer& writer) {
  graph_node n(from, model, writer);
  find_rule(operator_of(from))->translate(n);
  n.finish();
}

/// Finds the types of a program's results. Nothing is computed: it is captured.
std::vector<tensor_type> types_of(const program& p, const std::vector<tensor_type>& arguments,
                                  caller where) {
  std::vector<tensor> in;
  for (const auto& type : arguments)
    in.push_back(broadcast_to(zeros({}, type.element, where), type.dims, where));
  std::vector<tensor_type> types;
  compile([&](const std::vector<tensor>& x) {
    auto out = p.call(x, where);
    types.clear();
    for (const auto& one : out) types.push_back(one.type(where));
    return out;
  }).program(in);
  return types;
}

/// Finds what is to be known of a node's outputs: their types, and their elements if all that it
/// reads is constant and small, and they are small, too.
void examine(const onnx::NodeProto& from, onnx_model& model, caller where) {
  program_writer alone;
  std::vector<tensor_type> arguments;
  bool constant = true;
  for (const auto& name : from.input()) {
    if (name.empty()) continue;
    const auto* x = model.known(name);
    // With windows over more axes much could have to be computed for little.
    constant = constant && x && x->size() <= most_folded && x->rank() <= 2;
    const auto type = model.type_of(name);
    if (x || !type || alone.name_of(name)) continue;
    arguments.push_back(*type);
    alone.name_value(name, alone.argument(*type));
  }
  translate(from, model, alone);
  std::vector<std::string> outputs, results;
  for (const auto& name : from.output()) {
    if (name.empty() || model.known(name)) continue;
    outputs.push_back(name);
    results.push_back(*alone.name_of(name));
  }
  if (outputs.empty()) return;
  try {
    const auto p = alone.finish(results, where);
    const auto types = types_of(p, arguments, where);
    for (const auto& type : types) constant = constant && type.dims.size() <= most_folded;
    const auto elements = constant ? p.call({}, where) : std::vector<tensor>();
    for (std::size_t i = 0; i < types.size(); ++i) {
      model.set_type(outputs[i], types[i]);
      if (constant) model.know(outputs[i], elements[i].wait(where));
    }
  } catch (const error& e) { model.call().fail(text_of(from) + ": " + facts_of(e)); }
}

bool all_known(const onnx::NodeProto& from, onnx_model& model) {
  for (const auto& name : from.output()) {
    if (!name.empty() && !model.known(name)) return false;
  }
  return true;
}

/// Returns the names in the text of the graph's outputs, which have the dtypes that it says. Of a
/// sequence these are its elements.
std::vector<std::string> results_of(onnx_model& model, program_writer& writer) {
  std::vector<std::string> out;
  for (const auto& one : model.graph().output()) {
    const auto what = "output " + quoted(one.name());
    const auto* elements = model.sequence(one.name());
    const auto& of = present_type(one.type());
    const auto declared =
        (elements ? of.sequence_type().elem_type() : of).tensor_type().elem_type();
    for (const auto& value : elements ? *elements : std::vector{one.name()}) {
      const auto type = model.type_of(value);
      if (!type) model.call().fail(what + " is computed by nothing");
      if (dtype_of_onnx(declared) != type->element)
        model.call().fail(what + " is to be " + onnx_type_name(declared) + ", not " +
                          onnx_type_name(onnx_type_of(type->element)));
      const auto* name = writer.name_of(value);
      out.push_back(name ? *name : writer.constant(*model.known(value)));
    }
  }
  return out;
}

/// Adds a node, or those that take its place.
void add(const onnx::NodeProto& from, onnx_model& model, program_writer& writer,
         unrolling& unrolled, caller where) {
  if (unrolled.take_apart(from)) return;
  examine(from, model, where);
  if (!all_known(from, model)) translate(from, model, writer);
}

}  // namespace

program load_onnx(const std::string& path, const onnx_options& options, caller where) {
  const file_call call{"load_onnx", path, where};
  try {
    onnx_model model(call, options);
    program_writer writer;
    for (const auto& name : model.arguments())
      writer.name_value(name, writer.argument(*model.type_of(name)));
    unrolling unrolled(
        model, [&](const onnx::NodeProto& inner) { add(inner, model, writer, unrolled, where); });
    for (const auto& from : model.graph().node()) add(from, model, writer, unrolled, where);
    const auto results = results_of(model, writer);
    return writer.finish(results, where);
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

}  // namespace troupe
