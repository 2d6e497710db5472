// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "troupe/tensor/io/named_tensors.hpp"

// The format in which model weights are exchanged: https://github.com/huggingface/safetensors

namespace troupe {

/// Contents of a safetensors file.
struct safetensors {
  named_tensors tensors;                        ///< in the order of the file's header
  std::map<std::string, std::string> metadata;  ///< its `__metadata__`
};

/// Writes tensors and texts about them as a safetensors file: a sync point. The file is there whole
/// or not at all; an older one stays until then. Names and texts are UTF-8. Throws if elements
/// could not be computed, if the file cannot be written, and inside an operation.
void save_safetensors(const std::string& path, const named_tensors& tensors,
                      const std::map<std::string, std::string>& metadata = {},
                      caller where = caller::current());

/// Reads a safetensors file. Elements stay what they are unless the options name a dtype. Throws
/// for dtypes such as F8_E4M3 that are none here, and for files that the format's reference
/// implementation refuses: data that overlap, leave gaps, do not fit their shape or go beyond the
/// file.
safetensors load_safetensors(const std::string& path, const tensor_options& options = {},
                             caller where = caller::current());

}  // namespace troupe
