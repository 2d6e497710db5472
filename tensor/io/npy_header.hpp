// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/tensor/io/read_tensor.hpp"

namespace troupe {

/// What the header of a .npy file says.
struct npy_header {
  stored_array array;
  bool column_major = false;
};

/// Reads the text of a header, a Python dictionary such as
/// `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`. Throws if it says anything else,
/// or if no dtype holds its elements exactly.
npy_header parse_npy_header(std::string_view text, const file_call& call);

}  // namespace troupe
