// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "troupe/tensor/io/byte_source.hpp"

namespace troupe {

// Without libzip (1.7.3): with all its checks it opens entries that share bytes, 101 MB from a file
// of 1 MB, and it does not say where entries lie, so that a check would be a second reader of zip
// files. It also accepts any size that an entry declares, and loads OpenSSL and bzip2.

/// Part of a zip file, as its directory describes it.
struct zip_entry {
  std::string name;
  std::uint16_t method = 0, flags = 0;
  std::uint32_t check_sum = 0;
  std::uint64_t stored_size = 0, size = 0;
  std::uint64_t offset = 0;  ///< of its local header
  std::uint64_t begin = 0;   ///< of its data
};

/// Returns the entries of a zip file in the order of its directory. Throws if the directory makes
/// no sense, if entries share bytes, or if one has another name before its data.
std::vector<zip_entry> read_zip_directory(const input_file& file, const file_call& call);

/// Returns the bytes of an entry. Compares their check sum when all have been read. Throws if they
/// are encrypted, or compressed by anything but deflate.
std::unique_ptr<byte_source> open_zip_entry(const input_file& file, const zip_entry& entry,
                                            const file_call& call);

}  // namespace troupe
