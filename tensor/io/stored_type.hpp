// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "troupe/devices/dtype.hpp"

namespace troupe {

/// A type of elements as files have them, and the dtype that holds its every value exactly.
///
/// | in the file | tensor |
/// |---|---|
/// | bool, int32, int64, float16, bfloat16, float32, float64 | the same |
/// | int8, int16, uint8, uint16 | int32 |
/// | uint32 | int64 |
///
/// What no dtype holds exactly (uint64, complex numbers, float128) is not read.
struct stored_type {
  std::string_view npy;          ///< NumPy's code: "f4"; empty if it has none
  std::string_view safetensors;  ///< "F32"
  int idx;                       ///< the code of the MNIST files: 0x0d; 0 if it has none
  std::size_t bytes;             ///< of one element
  dtype as;
  /// Turns `count` stored elements, in this machine's order of bytes, into elements of dtype `as`;
  /// absent if they are the same.
  void (*decode)(const std::byte* from, void* to, std::size_t count) = nullptr;
};

/// The type of such a name in a file, or nullptr.
const stored_type* find_npy_type(std::string_view code) noexcept;
const stored_type* find_safetensors_type(std::string_view name) noexcept;
const stored_type* find_idx_type(int code) noexcept;
/// How elements of a dtype are stored.
const stored_type& stored_type_of(dtype t) noexcept;

}  // namespace troupe
