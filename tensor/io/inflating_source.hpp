// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "troupe/tensor/io/byte_source.hpp"

struct z_stream_s;

namespace troupe {

/// The bytes that a deflated part of a file stands for.
class inflating_source final : public byte_source {
 public:
  enum class format {
    raw,  ///< as in zip files
    gzip  ///< one member or more, with the check sums of each
  };

  inflating_source(const input_file& file, std::uint64_t begin, std::uint64_t end, format how,
                   const file_call& call);

  void read(void* to, std::size_t count) override;
  void expect(std::uint64_t count) override;
  void finish() override;

 private:
  struct closer {
    void operator()(z_stream_s* stream) const noexcept;
  };

  std::size_t read_some(std::byte* to, std::size_t count);
  void refill();
  bool next_member();

  const input_file& file_;
  const std::uint64_t begin_, end_;
  const format how_;
  const file_call call_;
  std::uint64_t position_;      // of what comes into the buffer next
  std::uint64_t produced_ = 0;  // bytes that were read
  bool ended_ = false;          // the stream, or this member of it
  std::unique_ptr<std::byte[]> buffer_;
  std::unique_ptr<z_stream_s, closer> stream_;
};

}  // namespace troupe
