// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

namespace troupe {

namespace {

// zlib counts the bytes it is given in 32 bits.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

struct deflate_closer {
  void operator()(z_stream* stream) const noexcept {
    deflateEnd(stream);
    delete stream;
  }
};

constexpr int raw_window = -15, gzip_window = 15 + 16;
constexpr std::size_t written_at_once = std::size_t{1} << 18;
constexpr std::size_t read_at_once = std::size_t{1} << 16;
constexpr std::uint64_t greatest_ratio = 1032;  // 258 bytes from 2 bits
// Declared sizes up to these are believed, if they are possible at all.
constexpr std::uint64_t usual_ratio = 16, usual_size = std::uint64_t{1} << 20;

}  // namespace

void deflate(std::initializer_list<std::string_view> parts,
             const std::function<void(std::string_view)>& pass_on) {
  constexpr int memory_level = 8;
  const std::unique_ptr<z_stream, deflate_closer> z(new z_stream{});
  if (deflateInit2(z.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_window, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  const auto buffer = std::make_unique_for_overwrite<char[]>(written_at_once);
  const auto run = [&](int flush) {
    int status;
    do {
      z->next_out = reinterpret_cast<Bytef*>(buffer.get());
      z->avail_out = written_at_once;
      status = ::deflate(z.get(), flush);
      pass_on({buffer.get(), written_at_once - z->avail_out});
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

void inflating_source::closer::operator()(z_stream_s* stream) const noexcept {
  inflateEnd(stream);
  delete stream;
}

inflating_source::inflating_source(const input_file& file, std::uint64_t begin, std::uint64_t end,
                                   format how, const file_call& call)
    : file_(file),
      begin_(begin),
      end_(end),
      how_(how),
      call_(call),
      position_(begin),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(read_at_once)),
      stream_(new z_stream_s{}) {
  if (inflateInit2(stream_.get(), how == format::raw ? raw_window : gzip_window) != Z_OK)
    throw std::bad_alloc();
}

void inflating_source::read(void* to, std::size_t count) {
  auto* next = static_cast<std::byte*>(to);
  for (std::size_t got = 0; got < count;) {
    const auto part = read_some(next + got, count - got);
    if (part == 0)
      call_.fail("truncated: its compressed data end after " + count_text(produced_, "byte"));
    got += part;
    produced_ += part;
  }
}

void inflating_source::expect(std::uint64_t count) {
  const auto compressed = end_ - begin_;
  if (count / greatest_ratio > compressed)
    call_.fail("truncated: " + count_text(compressed, "compressed byte") + " cannot become " +
               std::to_string(count));
  if (count <= usual_size || (count - usual_size) / usual_ratio <= compressed) return;
  // Only very regular data become so much; others are found out before memory is taken.
  inflating_source again(file_, begin_, end_, how_, call_);
  again.skip(produced_ + count);
}

void inflating_source::finish() {
  std::byte more;
  if (read_some(&more, 1) != 0 || stream_->avail_in > 0 || position_ != end_)
    call_.fail("its compressed data go on after the array");
}

std::size_t inflating_source::read_some(std::byte* to, std::size_t count) {
  auto& z = *stream_;
  while (!ended_ || next_member()) {
    if (z.avail_in == 0) refill();
    const auto room = static_cast<uInt>(std::min(count, std::size_t{1} << 30));
    z.next_out = reinterpret_cast<Bytef*>(to);
    z.avail_out = room;
    const int status = inflate(&z, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_DATA_ERROR || status == Z_NEED_DICT)
      call_.fail("its compressed data are damaged" +
                 (z.msg ? ": " + std::string(z.msg) : std::string()));
    ended_ = status == Z_STREAM_END;
    if (z.avail_out < room) return room - z.avail_out;
    if (!ended_ && z.avail_in == 0 && position_ == end_)
      call_.fail("truncated: its compressed data stop in the middle");
  }
  return 0;
}

void inflating_source::refill() {
  const auto part =
      static_cast<std::size_t>(std::min<std::uint64_t>(read_at_once, end_ - position_));
  file_.read(position_, buffer_.get(), part);
  position_ += part;
  stream_->next_in = reinterpret_cast<Bytef*>(buffer_.get());
  stream_->avail_in = static_cast<uInt>(part);
}

bool inflating_source::next_member() {
  if (how_ == format::raw) return false;
  if (stream_->avail_in == 0) refill();
  if (stream_->avail_in == 0) return false;
  inflateReset(stream_.get());
  ended_ = false;
  return true;
}

}  // namespace troupe
