// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "troupe/tensor/io/byte_source.hpp"

struct z_stream_s;

namespace troupe {

/// Deflates bytes, given in parts one after the other, without a header, as zip files have them.
/// Passes on what comes out in pieces.
void deflate(std::initializer_list<std::string_view> parts,
             const std::function<void(std::string_view)>& pass_on);

/// Returns the CRC-32 of bytes that follow on those with the CRC-32 `before`.
std::uint32_t check_sum(std::uint32_t before, std::string_view bytes) noexcept;

/// Bytes that a deflated part of a file stands for.
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
  std::uint64_t position_;      // of the bytes that enter the buffer next
  std::uint64_t produced_ = 0;  // bytes read so far
  bool ended_ = false;          // the stream, or its current member
  std::unique_ptr<std::byte[]> buffer_;
  std::unique_ptr<z_stream_s, closer> stream_;
};

}  // namespace troupe
