// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

namespace troupe {

namespace {

/// zlib counts the bytes it is given in 32 bits.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

struct closer {
  void operator()(z_stream* stream) const noexcept {
    deflateEnd(stream);
    delete stream;
  }
};

}  // namespace

void deflate(std::initializer_list<std::string_view> parts,
             const std::function<void(std::string_view)>& pass_on) {
  constexpr int raw_window = -15, memory_level = 8;
  constexpr std::size_t buffer_size = std::size_t{1} << 18;
  const std::unique_ptr<z_stream, closer> z(new z_stream{});
  if (deflateInit2(z.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_window, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  const auto buffer = std::make_unique_for_overwrite<char[]>(buffer_size);
  const auto run = [&](int flush) {
    int status;
    do {
      z->next_out = reinterpret_cast<Bytef*>(buffer.get());
      z->avail_out = buffer_size;
      status = ::deflate(z.get(), flush);
      pass_on({buffer.get(), buffer_size - z->avail_out});
    } while (flush == Z_FINISH ? status != Z_STREAM_END : z->avail_in > 0 || z->avail_out == 0);
  };
  for (auto part : parts) {
    while (!part.empty()) {
      const auto some = part.substr(0, most_at_once);
      part.remove_prefix(some.size());
      z->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(some.data()));
      z->avail_in = static_cast<uInt>(some.size());
      run(Z_NO_FLUSH);
    }
  }
  run(Z_FINISH);
}

std::uint32_t check_sum(std::uint32_t before, std::string_view bytes) noexcept {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace troupe
