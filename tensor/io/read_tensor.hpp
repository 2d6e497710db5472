// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/io/byte_source.hpp"
#include "troupe/tensor/io/stored_type.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// What a file says of an array whose elements follow in row-major order.
struct stored_array {
  const stored_type* type = nullptr;
  bool swapped = false;  ///< the bytes of each element are in the order that is not this machine's
  shape sizes;
};

/// `bytes` of an array, for messages and for what has to be there. Throws if nobody can count them.
std::uint64_t bytes_of(const stored_array& a, const file_call& call);

/// Reads the elements into a new tensor, as the dtype and on the device that the options name.
/// No memory is taken before the source was asked whether it has them.
tensor read_tensor(byte_source& from, const stored_array& a, const tensor_options& options,
                   const file_call& call);

}  // namespace troupe
