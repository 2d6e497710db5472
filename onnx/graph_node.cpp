// SPDX-License-Identifier: MIT
#include "troupe/onnx/graph_node.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>

#include "troupe/onnx/model.hpp"
#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/program/view_text.hpp"

namespace troupe {

graph_node::graph_node(const onnx::NodeProto& of, onnx_model& model, program_writer& writer)
    : of_(of), model_(model), writer_(writer) {}

const std::string& graph_node::op() const noexcept { return of_.op_type(); }
int graph_node::opset() const noexcept { return model_.opset(); }
int graph_node::inputs() const noexcept { return of_.input_size(); }
bool graph_node::has(int i) const { return i < of_.input_size() && !of_.input(i).empty(); }
int graph_node::outputs() const noexcept { return of_.output_size(); }
bool graph_node::wants(int i) const { return i < of_.output_size() && !of_.output(i).empty(); }
caller graph_node::where() const noexcept { return model_.call().call_site; }

void graph_node::refuse(const std::string& what) const {
  model_.call().fail(troupe::text_of(of_) + ": " + what);
}

const std::string& graph_node::value(int i) const {
  if (!has(i)) refuse("has no input " + std::to_string(i + 1));
  asked_inputs_.insert(i);
  return of_.input(i);
}

std::string graph_node::in(int i) {
  const auto& of = value(i);
  if (const auto* name = writer_.name_of(of)) return *name;
  const auto* x = model_.known(of);
  if (!x) refuse("nothing computes its input " + quoted(of));
  auto name = writer_.constant(*x);
  writer_.name_value(of, name);
  return name;
}

tensor_type graph_node::type(int i) const {
  const auto found = model_.type_of(value(i));
  if (!found) refuse("nothing computes its input " + quoted(value(i)));
  return *found;
}

const tensor& graph_node::constant_input(int i) {
  const auto* x = model_.known(value(i));
  if (!x) refuse("its input " + quoted(value(i)) + " is not constant: not supported");
  return *x;
}

std::vector<std::int64_t> graph_node::integers(int i) {
  const auto& x = constant_input(i);
  refuse_if(is_floating(x.dtype()) || x.rank() > 1 || x.size() > most_folded,
            "its input " + quoted(value(i)) + " is no list of integers");
  return x.to_vector<std::int64_t>(where());
}

std::int64_t graph_node::integer(int i) {
  const auto all = integers(i);
  refuse_if(all.size() != 1, "its input " + quoted(value(i)) + " is not one integer");
  return all[0];
}

double graph_node::real(int i) {
  const auto& x = constant_input(i);
  refuse_if(x.size() != 1, "its input " + quoted(value(i)) + " is not one number");
  return x.item<double>(where());
}

const onnx::AttributeProto* graph_node::raw_attribute(std::string_view name) {
  for (const auto& one : of_.attribute()) {
    if (one.name() != name) continue;
    asked_.emplace(name);
    return &one;
  }
  return nullptr;
}

const onnx::AttributeProto* graph_node::find(std::string_view name, int type) {
  const auto* found = raw_attribute(name);
  if (found && found->type() != type)
    refuse("attribute " + std::string(name) + " is of another type");
  return found;
}

bool graph_node::has_attribute(std::string_view name) { return raw_attribute(name) != nullptr; }

std::int64_t graph_node::attribute(std::string_view name, std::int64_t otherwise) {
  const auto* a = find(name, onnx::AttributeProto_AttributeType_INT);
  return a ? a->i() : otherwise;
}

float graph_node::real_attribute(std::string_view name, float otherwise) {
  const auto* a = find(name, onnx::AttributeProto_AttributeType_FLOAT);
  return a ? a->f() : otherwise;
}

std::string graph_node::text_attribute(std::string_view name, const std::string& otherwise) {
  const auto* a = find(name, onnx::AttributeProto_AttributeType_STRING);
  return a ? a->s() : otherwise;
}

std::optional<std::vector<std::int64_t>> graph_node::list_attribute(std::string_view name) {
  const auto* a = find(name, onnx::AttributeProto_AttributeType_INTS);
  if (!a) return {};
  return std::vector<std::int64_t>(a->ints().begin(), a->ints().end());
}

const onnx::TensorProto* graph_node::tensor_attribute(std::string_view name) {
  const auto* a = find(name, onnx::AttributeProto_AttributeType_TENSOR);
  return a ? &a->t() : nullptr;
}

dtype graph_node::dtype_attribute(std::string_view name, dtype otherwise) {
  if (!has_attribute(name)) return otherwise;
  const auto type = attribute(name, 0);
  const auto element = dtype_of_onnx(static_cast<int>(std::clamp<std::int64_t>(type, -1, 1000)));
  if (!element)
    refuse("attribute " + std::string(name) + " is " + onnx_type_name(static_cast<int>(type)) +
           ": not supported");
  return *element;
}

std::string graph_node::literal(std::string_view name, float otherwise) {
  const auto x = real_attribute(name, otherwise);
  const auto text = real_text(std::abs(x));
  return std::signbit(x) ? "(-" + text + ')' : text;
}

int graph_node::axis(std::int64_t of, int rank) const {
  refuse_if(of < -rank || of >= rank,
            "axis " + std::to_string(of) + " is not one of " + std::to_string(rank));
  return static_cast<int>(of < 0 ? of + rank : of);
}

void graph_node::out_is(int i, const std::string& name) {
  if (!wants(i)) return;
  given_.insert(i);
  writer_.name_value(of_.output(i), name);
}

void graph_node::out_known(int i, const tensor& x) {
  if (!wants(i)) return;
  given_.insert(i);
  model_.know(of_.output(i), x);
}

void graph_node::finish() const {
  for (int i = 0; i < inputs(); ++i)
    refuse_if(has(i) && !asked_inputs_.contains(i),
              "input " + quoted(of_.input(i)) + ": not supported");
  for (const auto& one : of_.attribute())
    refuse_if(!asked_.contains(one.name()), "attribute " + quoted(one.name()) + ": not supported");
  for (int i = 0; i < outputs(); ++i) {
    refuse_if(wants(i) && !given_.contains(i),
              "output " + std::to_string(i + 1) + ", " + quoted(of_.output(i)) + ": not supported");
  }
}

std::string text_of(const shape& dims) { return list_text({dims.begin(), dims.end()}); }

std::string text_of(const std::vector<std::int64_t>& numbers) { return list_text(numbers); }

}  // namespace troupe
