// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "troupe/tensor/io/byte_source.hpp"

namespace troupe {

/// A part of a zip file, as its directory describes it.
struct zip_entry {
  std::string name;
  std::uint16_t method = 0, flags = 0;
  std::uint32_t check_sum = 0;
  std::uint64_t stored_size = 0, size = 0;
  std::uint64_t offset = 0;  ///< of its local header
  std::uint64_t begin = 0;   ///< of its data
};

/// The entries of a zip file in the order of its directory. Throws if the directory makes no sense,
/// or if entries share bytes.
std::vector<zip_entry> read_zip_directory(const input_file& file, const file_call& call);

/// The bytes of an entry, whose check sum is compared when they have all been read. Throws if it is
/// encrypted, or compressed by anything but deflate.
std::unique_ptr<byte_source> open_zip_entry(const input_file& file, const zip_entry& entry,
                                            const file_call& call);

}  // namespace troupe
