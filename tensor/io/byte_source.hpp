// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/io/input_file.hpp"

namespace troupe {

/// Bytes that are read from their first to their last.
class byte_source {
 public:
  byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;
  virtual ~byte_source() = default;

  /// Copies the next `count` bytes. Throws if there are not so many.
  virtual void read(void* to, std::size_t count) = 0;
  /// Throws unless `count` more bytes are there, or so nearly that memory for them may be taken:
  /// asked before a size that a file declares is believed.
  virtual void expect(std::uint64_t count) = 0;
  /// Throws if there are more bytes, or if they were not what they should be.
  virtual void finish() = 0;

  /// Reads on without keeping the bytes.
  void skip(std::uint64_t count);
};

/// A part of a file as it is.
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
