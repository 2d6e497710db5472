// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/tasks/atomic_file.hpp"

namespace troupe {

/// Writes the entries of a zip file one after the other, and its directory at the end.
class zip_writer {
 public:
  /// Sizes and offsets from `least_64_bit` on are written as Zip64 has them.
  explicit zip_writer(atomic_file& file, std::uint64_t least_64_bit = 0xffffffff) noexcept
      : file_(file), least_64_bit_(least_64_bit) {}

  /// Adds an entry of the bytes of `head` and then those of `body`.
  void add(std::string name, std::string_view head, std::string_view body, bool compressed,
           const file_call& call);
  /// Writes the directory.
  void finish();

 private:
  struct entry {
    std::string name;
    std::uint32_t check_sum = 0;
    std::uint64_t size = 0, stored_size = 0, offset = 0;
    bool compressed = false;
  };

  std::string local_header(const entry& e, bool wide) const;
  std::string central_header(const entry& e) const;

  atomic_file& file_;
  std::uint64_t least_64_bit_;
  std::vector<entry> entries_;
};

}  // namespace troupe
