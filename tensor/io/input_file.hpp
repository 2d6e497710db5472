// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/tensor/io/file_call.hpp"

namespace troupe {

/// A file that is open for reading.
class input_file {
 public:
  /// Throws if it cannot be opened, or is a folder, a pipe or a device.
  explicit input_file(const file_call& call);
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;
  ~input_file();

  std::uint64_t size() const noexcept { return size_; }
  /// Copies `count` bytes from an offset on. Throws if the file cannot be read or ends before.
  void read(std::uint64_t offset, void* to, std::size_t count) const;

 private:
  file_call call_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace troupe
