// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "troupe/tasks/file_call.hpp"

struct stat;

namespace troupe {

/// File that is there whole or not at all. Bytes are written to `<path>.tmp-<random number>` beside
/// it, which takes the file's place on `commit`. Until then, and if anything fails, an older file
/// of that name stays as it was. A process that ends in between leaves the temporary behind.
class atomic_file {
 public:
  /// Throws if the folder cannot be written to, or if the path is a folder, a pipe or a device.
  /// Follows links, also to a file that is not there yet. Keeps the permissions of an older file,
  /// and its owner and group where this user may: the temporary is as private as that file.
  explicit atomic_file(const file_call& call);
  atomic_file(const atomic_file&) = delete;
  atomic_file& operator=(const atomic_file&) = delete;
  /// Removes the temporary unless it was committed.
  ~atomic_file();

  /// Appends bytes. Throws if they do not all fit on the disk.
  void write(const void* data, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Writes over bytes that are there already.
  void overwrite(std::uint64_t offset, std::string_view text);
  /// Bytes appended so far.
  std::uint64_t size() const noexcept { return size_; }

  /// Writes the bytes and then the new name to the disk.
  void commit();

 private:
  void open_temporary(const struct stat* older);
  void write_at(std::uint64_t offset, const void* data, std::size_t count);

  file_call call_;
  std::string path_;       // at the end of all links
  std::string temporary_;  // empty after the commit
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace troupe
