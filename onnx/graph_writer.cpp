// SPDX-License-Identifier: MIT
#include "troupe/onnx/graph_writer.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/tasks/layout.hpp"
#include "troupe/tensor/io/host_elements.hpp"
#include "troupe/tensor/scalar.hpp"

namespace troupe {

namespace {

void set_elements(onnx::TensorProto& to, const onnx_number& x) {
  to.set_data_type(onnx_type_of(x.element));
  to.set_raw_data(&x.bits, size_of(x.element));
}

void set_attribute(onnx::AttributeProto& to, const onnx_attribute& from) {
  to.set_name(from.name);
  if (const auto* x = std::get_if<std::int64_t>(&from.value)) {
    to.set_type(onnx::AttributeProto_AttributeType_INT);
    to.set_i(*x);
  } else if (const auto* all = std::get_if<std::vector<std::int64_t>>(&from.value)) {
    to.set_type(onnx::AttributeProto_AttributeType_INTS);
    to.mutable_ints()->Add(all->begin(), all->end());
  } else if (const auto* text = std::get_if<std::string>(&from.value)) {
    to.set_type(onnx::AttributeProto_AttributeType_STRING);
    to.set_s(*text);
  } else {
    to.set_type(onnx::AttributeProto_AttributeType_TENSOR);
    to.mutable_t()->add_dims(1);
    set_elements(*to.mutable_t(), std::get<onnx_number>(from.value));
  }
}

shape joined_shape(const onnx_value& x, const onnx_value& y) { return *broadcast(x.dims, y.dims); }

}  // namespace

onnx_number element_of(dtype element, double x) { return {element, scalar(x).bytes(element)}; }

graph_writer::graph_writer(onnx::GraphProto& to, int opset, std::set<std::string> taken,
                           file_call call)
    : to_(to), opset_(opset), taken_(std::move(taken)), call_(std::move(call)) {}

std::string graph_writer::new_name() {
  while (true) {
    auto name = stem_ + '_' + std::to_string(count_++);
    if (taken_.insert(name).second) return name;
  }
}

onnx_value graph_writer::add(const char* op, const values& in, dtype element, const shape& dims,
                             const node_attributes& given) {
  return add(op, in, {{"", element, dims}}, given)[0];
}

graph_writer::values graph_writer::add(const char* op, const values& in, values out,
                                       const node_attributes& given) {
  auto& node = *to_.add_node();
  node.set_op_type(op);
  for (const auto& x : in) node.add_input(x.name);
  for (auto& x : out) node.add_output(x.name = new_name());
  node.set_name(out[0].name);
  for (const auto& one : given) set_attribute(*node.add_attribute(), one);
  return out;
}

onnx::TensorProto& graph_writer::new_initializer(const std::string& name, dtype element,
                                                 const shape& dims) {
  auto& out = *to_.add_initializer();
  out.set_name(name);
  out.set_data_type(onnx_type_of(element));
  for (const auto size : dims) out.add_dims(size);
  return out;
}

onnx_value graph_writer::initializer(const std::string& name, const tensor& x) {
  const auto type = x.type(call_.call_site);
  stem_ = name;
  auto own = taken_.insert(name).second ? name : new_name();
  const host_elements bytes(x, call_);
  new_initializer(own, type.element, type.dims).set_raw_data(bytes.data(), bytes.size());
  return {std::move(own), type.element, type.dims};
}

onnx_value graph_writer::number(onnx_number x) {
  const auto [found, is_new] = numbers_.try_emplace({x.element, x.bits});
  if (is_new) {
    found->second = {new_name(), x.element, {}};
    set_elements(new_initializer(found->second.name, x.element, {}), x);
  }
  return found->second;
}

onnx_value graph_writer::number(dtype element, double x) { return number(element_of(element, x)); }

onnx_value graph_writer::list(std::span<const std::int64_t> x, const shape& dims) {
  const auto [found, is_new] = lists_.try_emplace(
      {std::vector(x.begin(), x.end()), std::vector<std::int64_t>(dims.begin(), dims.end())});
  if (is_new) {
    found->second = {new_name(), int64, dims};
    new_initializer(found->second.name, int64, dims).set_raw_data(x.data(), x.size_bytes());
  }
  return found->second;
}

onnx_value graph_writer::cast(const onnx_value& x, dtype to) {
  if (x.element == to) return x;
  const auto [found, is_new] = casts_.try_emplace({x.name, to});
  if (is_new)
    found->second = add("Cast", {x}, to, x.dims, {{"to", std::int64_t{onnx_type_of(to)}}});
  return found->second;
}

onnx_value graph_writer::reshape(const onnx_value& x, const shape& to) {
  if (x.dims == to) return x;
  if (to.size() == 0) return full(to, {x.element, 0});  // a size of 0 would mean that of x
  return add("Reshape", {x, list({to.begin(), to.end()})}, x.element, to);
}

onnx_value graph_writer::transpose(const onnx_value& x, const std::vector<std::int64_t>& order) {
  if (std::ranges::is_sorted(order)) return x;
  shape dims;
  for (const auto axis : order) dims.push_back(x.dims[static_cast<int>(axis)]);
  return add("Transpose", {x}, x.element, dims, {{"perm", order}});
}

onnx_value graph_writer::expand(const onnx_value& x, const shape& to) {
  if (x.dims == to) return x;
  return add("Expand", {x, list({to.begin(), to.end()})}, x.element, to);
}

onnx_value graph_writer::full(const shape& dims, onnx_number x) {
  // The operator gives every dtype but bfloat16, the upper half of a float32.
  const auto wanted = x.element;
  if (wanted == bfloat16) x = {float32, (x.bits & 0xffff) << 16};
  return cast(
      add("ConstantOfShape", {list({dims.begin(), dims.end()})}, x.element, dims, {{"value", x}}),
      wanted);
}

onnx_value graph_writer::map(const char* op, const onnx_value& x) {
  return add(op, {x}, x.element, x.dims);
}

onnx_value graph_writer::join(const char* op, const onnx_value& x, const onnx_value& y) {
  return add(op, {x, y}, x.element, joined_shape(x, y));
}

onnx_value graph_writer::compare(const char* op, const onnx_value& x, const onnx_value& y) {
  return add(op, {x, y}, boolean, joined_shape(x, y));
}

onnx_value graph_writer::select(const onnx_value& condition, const onnx_value& x,
                                const onnx_value& y) {
  const onnx_value both{"", x.element, joined_shape(x, y)};
  return add("Where", {condition, x, y}, x.element, joined_shape(condition, both));
}

bool graph_writer::rename(const std::string& from, const std::string& to) {
  const auto computes = [&](const onnx::NodeProto& node) {
    return std::ranges::find(node.output(), from) != node.output().end();
  };
  if (std::ranges::none_of(to_.node(), computes)) return false;
  for (auto& node : *to_.mutable_node()) {
    std::ranges::replace(*node.mutable_input(), from, to);
    std::ranges::replace(*node.mutable_output(), from, to);
  }
  return true;
}

}  // namespace troupe
