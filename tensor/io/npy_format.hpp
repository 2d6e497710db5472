// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/io/byte_source.hpp"
#include "troupe/tensor/tensor.hpp"

// NumPy's format of one array, on its own and in .npz files:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

namespace troupe {

/// Returns what comes before the elements: version 1.0, row-major. Throws for bfloat16, which NumPy
/// does not have.
std::string npy_header_text(dtype element, const shape& sizes, const file_call& call);

/// Reads the one array of a source, in version 1, 2 or 3 of the format.
tensor read_npy(byte_source& from, const tensor_options& options, const file_call& call);

}  // namespace troupe
