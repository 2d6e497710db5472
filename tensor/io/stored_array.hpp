// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "troupe/devices/dtype.hpp"
#include "troupe/tensor/io/byte_source.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Type of the elements in a file, and their dtype. Types that no dtype stands for (float128) are
/// not read.
struct stored_type {
  std::string_view npy;          ///< NumPy's code: "f4"; empty if it has none
  std::string_view safetensors;  ///< "F32"; empty if it has none
  int idx;                       ///< the code of the MNIST files: 0x0d; 0 if it has none
  std::size_t bytes;             ///< of one element
  dtype as;
  /// Turns `count` stored elements, in this machine's order of bytes, into elements of dtype `as`;
  /// absent if they are the same.
  void (*decode)(const std::byte* from, void* to, std::size_t count) = nullptr;
};

/// Return the type of such a name in a file, or nullptr.
const stored_type* find_npy_type(std::string_view code) noexcept;
const stored_type* find_safetensors_type(std::string_view name) noexcept;
const stored_type* find_idx_type(int code) noexcept;
/// Returns the type that elements of a dtype are stored as.
const stored_type& stored_type_of(dtype t) noexcept;

/// Array in a file, whose elements are in row-major order.
struct stored_array {
  const stored_type* type = nullptr;
  bool swapped = false;  ///< the bytes of each element are in the other order than this machine's
  shape sizes;
};

/// Returns the size of an array in bytes. Throws if its elements cannot be counted.
std::uint64_t bytes_of(const stored_array& a, const file_call& call);

/// Reads the elements into a new tensor, with the dtype and on the device that the options name.
/// Asks the source whether it has them before it takes memory.
tensor read_tensor(byte_source& from, const stored_array& a, const tensor_options& options,
                   const file_call& call);

}  // namespace troupe
