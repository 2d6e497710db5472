// SPDX-License-Identifier: MIT
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/tensor/io/host_elements.hpp"

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

}  // namespace troupe::testing
