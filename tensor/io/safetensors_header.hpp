// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "troupe/tensor/io/stored_array.hpp"

// JSON text that safetensors files begin with:
// https://github.com/huggingface/safetensors#format

namespace troupe {

/// Bytes that the reference implementation reads at most.
inline constexpr std::uint64_t longest_safetensors_header = 100'000'000;
inline constexpr std::string_view safetensors_metadata_key = "__metadata__";

struct safetensors_entry {
  std::string name;
  stored_array array;
  std::uint64_t begin = 0, end = 0;  ///< counted from the end of the header
};

struct safetensors_header {
  std::vector<safetensors_entry> entries;  ///< in the order of the text
  std::map<std::string, std::string> metadata;
};

/// Reads such a header. Throws if the text is none, if it names a dtype that tensors do not have,
/// or if the entries do not cover each of `data_bytes` bytes once.
safetensors_header parse_safetensors_header(std::string_view text, std::uint64_t data_bytes,
                                            const file_call& call);

/// Writes such a header, padded so that the data are aligned.
std::string safetensors_header_text(const safetensors_header& header);

}  // namespace troupe
