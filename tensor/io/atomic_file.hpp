// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "troupe/tensor/io/file_call.hpp"

namespace troupe {

/// A file that is there whole or not at all. What is written goes to `<path>.tmp-<pid>-<n>` beside
/// it, which takes the file's place on `commit`. Until then, and if anything fails, an older file
/// of that name stays as it was; a process that ends in between leaves the temporary behind.
class atomic_file {
 public:
  /// Throws if the folder cannot be written to, or if the path is a folder, a pipe or a device. A
  /// link is followed, and the permissions of an older file are kept.
  explicit atomic_file(const file_call& call);
  atomic_file(const atomic_file&) = delete;
  atomic_file& operator=(const atomic_file&) = delete;
  /// Removes what was written unless it was committed.
  ~atomic_file();

  /// Appends bytes. Throws if they do not all fit on the disk.
  void write(const void* data, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Writes over bytes that are there already.
  void overwrite(std::uint64_t offset, std::string_view text);
  /// Bytes appended so far.
  std::uint64_t size() const noexcept { return size_; }

  /// Has the bytes and the new name on the disk, in this order.
  void commit();

 private:
  void open_temporary(unsigned mode);
  void write_at(std::uint64_t offset, const void* data, std::size_t count);

  file_call call_;
  std::string path_;       // where links lead to
  std::string temporary_;  // empty after the commit
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace troupe
