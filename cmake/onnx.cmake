# SPDX-License-Identifier: MIT
# Finds ONNX and protobuf, which read models, and sets TROUPE_HAS_ONNX. Without them, there is no
# troupe::onnx.
set(TROUPE_HAS_ONNX OFF)
if(TROUPE_ONNX STREQUAL "OFF")
  return()
endif()
include(CheckCXXSourceCompiles)
set(TROUPE_ONNX_LIBRARIES onnx onnx_proto protobuf)
set(TROUPE_ONNX_DEFINITIONS ONNX_NAMESPACE=onnx ONNX_ML=1)
list(TRANSFORM TROUPE_ONNX_DEFINITIONS PREPEND -D OUTPUT_VARIABLE CMAKE_REQUIRED_DEFINITIONS)
set(CMAKE_REQUIRED_LIBRARIES ${TROUPE_ONNX_LIBRARIES})
check_cxx_source_compiles("#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>
int main() { onnx::ModelProto model; onnx::checker::check_model(model); }" TROUPE_ONNX_FOUND)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_DEFINITIONS)
if(TROUPE_ONNX_FOUND)
  set(TROUPE_HAS_ONNX ON)
elseif(TROUPE_ONNX STREQUAL "ON")
  message(FATAL_ERROR "TROUPE_ONNX is ON, but there is no ONNX: libonnx-dev and libprotobuf-dev have it")
endif()
