// SPDX-License-Identifier: MIT
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"

// Operators whose results are constant, and those that make arrays of a shape.

namespace troupe {

namespace {

tensor read(graph_node& n, const onnx::TensorProto& from) {
  try {
    return tensor_of_onnx(from, n.where());
  } catch (const error& e) {
    const std::string text = e.what();
    n.refuse("its value " + text.substr(0, text.size() - call_site_text(e.where()).size()));
  }
}

void constant(graph_node& n) {
  if (const auto* x = n.tensor_attribute("value")) return n.out_known(0, read(n, *x));
  if (const auto* x = n.raw_attribute("value_float")) return n.out_known(0, full({}, x->f()));
  if (const auto* x = n.raw_attribute("value_int")) return n.out_known(0, full({}, x->i()));
  if (const auto* x = n.raw_attribute("value_floats"))
    return n.out_known(0, from_data(std::vector<float>(x->floats().begin(), x->floats().end())));
  if (const auto x = n.list_attribute("value_ints")) return n.out_known(0, from_data(*x));
  n.refuse("a value of this kind: not supported");
}

shape shape_of(graph_node& n, const std::vector<std::int64_t>& sizes) {
  n.refuse_if(sizes.size() > static_cast<std::size_t>(max_rank), "more than 8 axes: not supported");
  shape dims;
  for (const auto size : sizes) {
    n.refuse_if(size < 0, "a negative size");
    dims.push_back(size);
  }
  n.refuse_if(!dims.countable(), "an array that cannot be counted");
  return dims;
}

void constant_of_shape(graph_node& n) {
  const auto dims = shape_of(n, n.integers(0));
  tensor one = zeros({1});
  if (const auto* x = n.tensor_attribute("value")) one = read(n, *x);
  n.refuse_if(one.size() != 1, "attribute value is not one number");
  n.out(0, "broadcast_to(reshape(" + n.constant(one) + ", []), " + text_of(dims) + ')');
}

void shape_itself(graph_node& n) {
  const auto dims = n.dims();
  const auto rank = dims.rank();
  const auto end = [&](const char* name, std::int64_t otherwise) {
    const auto x = n.attribute(name, otherwise);
    return std::clamp<std::int64_t>(x < 0 ? x + rank : x, 0, rank);
  };
  const auto from = end("start", 0), to = std::max(from, end("end", rank));
  n.out_known(0, from_data(std::vector<std::int64_t>(dims.begin() + from, dims.begin() + to)));
}

void size(graph_node& n) { n.out_known(0, full({}, n.dims().size())); }

void eye_like(graph_node& n) {
  const auto dims = n.dims();
  n.refuse_if(dims.rank() != 2, "not of a matrix: not supported");
  const auto to = n.dtype_attribute("dtype", n.element());
  n.out(0, "eye(" + std::to_string(dims[0]) + ", " + std::to_string(dims[1]) + ", " +
               std::to_string(n.attribute("k", 0)) + ", dtype=" + std::string(name(to)) + ')');
}

void numbers(graph_node& n) {
  const auto type = n.element();
  const auto start = n.real(0), step = n.real(2);
  const auto count = std::max(0., std::ceil((n.real(1) - start) / step));
  n.refuse_if(!(count < 1e9), "too many numbers, or an infinity of them");
  const auto positions = "arange(" + std::to_string(static_cast<std::int64_t>(count)) +
                         ", dtype=" + std::string(name(type)) + ')';
  n.out(0, positions + " * " + n.in(2) + " + " + n.in(0));
}

}  // namespace

std::vector<rule> constant_rules() {
  return {{"Constant", constant},  {"ConstantOfShape", constant_of_shape},
          {"Shape", shape_itself}, {"Size", size},
          {"EyeLike", eye_like},   {"Range", numbers}};
}

}  // namespace troupe
