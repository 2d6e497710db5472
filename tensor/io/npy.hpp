// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Writes a tensor as a .npy file, which NumPy's `load` reads: a sync point. The file is there
/// whole or not at all; an older one stays until then. Throws if the elements could not be
/// computed, if the file cannot be written, for bfloat16, which NumPy lacks, and inside an
/// operation.
void save_npy(const std::string& path, const tensor& x, caller where = caller::current());

/// Reads the array in a .npy file, which NumPy's `save` writes: any version of the format, any
/// order of bytes and of axes. Elements of bool, int32, int64, float16, float32 and float64 stay
/// what they are; int8, int16, uint8 and uint16 become int32, uint32 becomes int64, unless the
/// options name a dtype. Throws for types that no dtype holds exactly (uint64, complex numbers,
/// text, objects), and for files that are damaged.
tensor load_npy(const std::string& path, const tensor_options& options = {},
                caller where = caller::current());

}  // namespace troupe
