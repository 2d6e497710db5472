// SPDX-License-Identifier: MIT
#pragma once

#include <onnx/onnx_pb.h>

#include <concepts>
#include <string>
#include <vector>

#include "troupe/onnx/onnx.hpp"
#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/tensor/io/host_elements.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/temporary_folder.hpp"

namespace troupe::testing {

/// Returns a tensor as the files of models have it.
inline onnx::TensorProto onnx_of_tensor(const tensor& x, const std::string& name) {
  onnx::TensorProto out;
  out.set_name(name);
  out.set_data_type(onnx_type_of(x.dtype()));
  for (const auto size : x.shape()) out.add_dims(size);
  const host_elements bytes(x, file_call{"onnx_of_tensor", name, caller::current()});
  out.set_raw_data(bytes.data(), bytes.size());
  return out;
}

/// Model that is put together node by node.
struct model_file {
  explicit model_file(int opset = 13) {
    model.set_ir_version(7);
    model.add_opset_import()->set_version(opset);
    graph.set_name("g");
  }

  static void set_type(onnx::ValueInfoProto& to, const std::string& name, dtype element,
                       const std::vector<std::int64_t>& sizes) {
    to.set_name(name);
    auto& type = *to.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx_type_of(element));
    type.mutable_shape();
    for (const auto size : sizes) {
      auto& one = *type.mutable_shape()->add_dim();
      if (size < 0) one.set_dim_param("N");
      else one.set_dim_value(size);
    }
  }
  void input(const std::string& name, const std::vector<std::int64_t>& sizes,
             dtype element = float32) {
    set_type(*graph.add_input(), name, element, sizes);
  }
  void output(const std::string& name, const std::vector<std::int64_t>& sizes,
              dtype element = float32) {
    set_type(*graph.add_output(), name, element, sizes);
  }
  void initializer(const std::string& name, const tensor& x) {
    *graph.add_initializer() = onnx_of_tensor(x, name);
  }
  onnx::NodeProto& node(const std::string& op, const std::vector<std::string>& in,
                        const std::string& out) {
    auto& n = *graph.add_node();
    n.set_op_type(op);
    n.set_name("the_" + op);
    for (const auto& one : in) n.add_input(one);
    n.add_output(out);
    return n;
  }
  static void attribute(onnx::NodeProto& n, const std::string& name, std::integral auto x) {
    auto& a = *n.add_attribute();
    a.set_name(name);
    a.set_type(onnx::AttributeProto_AttributeType_INT);
    a.set_i(x);
  }

  static void attribute(onnx::NodeProto& n, const std::string& name,
                        const std::vector<std::int64_t>& all) {
    auto& a = *n.add_attribute();
    a.set_name(name);
    a.set_type(onnx::AttributeProto_AttributeType_INTS);
    for (const auto x : all) a.add_ints(x);
  }
  static void attribute(onnx::NodeProto& n, const std::string& name, const char* text) {
    auto& a = *n.add_attribute();
    a.set_name(name);
    a.set_type(onnx::AttributeProto_AttributeType_STRING);
    a.set_s(text);
  }

  std::string bytes() const {
    auto whole = model;
    *whole.mutable_graph() = graph;
    return whole.SerializeAsString();
  }
  program load(const onnx_options& options = {}) const {
    return load_onnx(put_bytes(folder / "model.onnx", bytes()), options);
  }
  std::string refusal(const onnx_options& options = {}) const {
    const auto all = error_of([&] { load(options); });
    const auto begin = all.find("model.onnx: ");
    return begin == std::string::npos ? all : all.substr(begin + 12, all.rfind(" (") - begin - 12);
  }

  temporary_folder folder;
  onnx::ModelProto model;
  onnx::GraphProto graph;
};

}  // namespace troupe::testing
