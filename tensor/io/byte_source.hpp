// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/tasks/file_call.hpp"

namespace troupe {

/// File that is open for reading.
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

/// Bytes that are read from the first to the last.
class byte_source {
 public:
  byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;
  virtual ~byte_source() = default;

  /// Copies the next `count` bytes. Throws if fewer are left.
  virtual void read(void* to, std::size_t count) = 0;
  /// Throws unless `count` more bytes are there, or so many that memory for them may be taken.
  /// Called before a size that a file declares is believed.
  virtual void expect(std::uint64_t count) = 0;
  /// Throws if bytes are left, or if those read were damaged.
  virtual void finish() = 0;

  /// Reads `count` bytes without keeping them.
  void skip(std::uint64_t count);
};

/// Part of a file as it is.
class file_section final : public byte_source {
 public:
  file_section(const input_file& file, std::uint64_t begin, std::uint64_t end,
               const file_call& call)
      : file_(file), position_(begin), end_(end), call_(call) {}

  void read(void* to, std::size_t count) override;
  void expect(std::uint64_t count) override;
  void finish() override;

 private:
  const input_file& file_;
  std::uint64_t position_, end_;
  file_call call_;
};

}  // namespace troupe
