// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/io/named_tensors.hpp"

namespace troupe {

/// Writes tensors as a .npz file, which NumPy's `load` reads: a sync point. `compressed` deflates
/// them, as `savez_compressed` does: smaller and far slower. The file is there whole or not at all.
/// Throws if elements could not be computed, if the file cannot be written, and inside an
/// operation.
void save_npz(const std::string& path, const named_tensors& arrays, bool compressed = false,
              caller where = caller::current());

/// Reads the arrays in a .npz file, which NumPy's `savez` and `savez_compressed` write, in its
/// order. Their dtypes are those that load_npy reads. Throws for files that are damaged, and if
/// anything in it is no array of numbers.
named_tensors load_npz(const std::string& path, const tensor_options& options = {},
                       caller where = caller::current());
/// Reads one of them; what else is in the file does not matter. Throws if none has this name.
tensor load_npz_array(const std::string& path, std::string_view name,
                      const tensor_options& options = {}, caller where = caller::current());

}  // namespace troupe
