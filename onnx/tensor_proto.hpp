// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "troupe/onnx/onnx_protos.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Returns the dtype that ONNX's number stands for, or nothing for those that tensors do not have.
std::optional<dtype> dtype_of_onnx(int type) noexcept;
/// Returns ONNX's number of a dtype.
int onnx_type_of(dtype element) noexcept;
/// Returns ONNX's name of a number, in small letters: "float", "uint8".
std::string onnx_type_name(int type);

/// Makes a tensor from the elements in a file. Throws error with the reason alone, for a dtype that
/// tensors do not have, elements in another file, and a number of bytes that is not the shape's.
tensor tensor_of_onnx(const onnx::TensorProto& from, caller where);

}  // namespace troupe
