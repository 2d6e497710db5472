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
/// order of bytes and of axes. Elements stay what they are unless the options name a dtype. Throws
/// for types that no dtype stands for (text, objects), and for files that are
/// damaged.
tensor load_npy(const std::string& path, const tensor_options& options = {},
                caller where = caller::current());

}  // namespace troupe
