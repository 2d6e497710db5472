// SPDX-License-Identifier: MIT
#include "troupe/links/connection.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "troupe/tasks/byte_stream.hpp"

namespace troupe {

namespace {

void add_header(std::vector<char>& to, frame_kind kind, std::size_t size) {
  char header[frame_header_bytes] = {};
  const auto bytes = static_cast<std::uint32_t>(size);
  std::memcpy(header, &bytes, sizeof bytes);
  header[sizeof bytes] = static_cast<char>(kind);
  to.insert(to.end(), header, header + sizeof header);
}

void add_bytes(std::vector<char>& to, const void* from, std::size_t size) {
  const auto* const begin = static_cast<const char*>(from);
  to.insert(to.end(), begin, begin + size);
}

using chunk_header = std::array<std::byte, chunk_header_bytes>;

chunk_header header_of_chunk(std::uint64_t number, std::size_t all, std::size_t offset,
                             std::uint8_t device) {
  const std::uint64_t about[] = {number, all, offset};
  static_assert(sizeof about + sizeof device == chunk_header_bytes);
  chunk_header out;
  std::memcpy(out.data(), about, sizeof about);
  std::memcpy(out.data() + sizeof about, &device, sizeof device);
  return out;
}

}  // namespace

void connection::call(std::unique_lock<std::mutex>& lock) {
  if (std::exchange(called_, true)) return;
  lock.unlock();
  wake_();
}

void connection::send(frame_kind kind, std::span<const std::byte> body) {
  std::unique_lock lock(mutex_);
  if (over_) return;
  add_header(frames_, kind, body.size());
  add_bytes(frames_, body.data(), body.size());
  call(lock);
}

void connection::send_part(frame_kind kind, std::uint64_t number, std::span<const std::byte> bytes,
                           std::uint8_t device, std::shared_ptr<const void> keeps, std::size_t from,
                           std::size_t until) {
  std::unique_lock lock(mutex_);
  if (over_) return;
  bulk_.push_back({kind, number, bytes, device, std::move(keeps), from, until});
  call(lock);
}

void connection::lend() {
  const std::lock_guard lock(mutex_);
  lends_ = true;
}

void connection::returned() {
  std::shared_ptr<const void> read;  // what it holds is freed behind the lock
  std::unique_lock lock(mutex_);
  if (lent_.empty()) throw bytes_error("it returns what it was not lent");
  read = std::move(lent_.front());
  lent_.pop_front();
  call(lock);
}

void connection::add_chunk(std::vector<char>& to, bulk& from) {
  const auto size = std::min(chunk_bytes, from.until - from.sent);
  const auto about = header_of_chunk(from.number, from.bytes.size(), from.sent, from.device);
  add_header(to, from.kind, about.size() + size);
  add_bytes(to, about.data(), about.size());
  add_bytes(to, from.bytes.data() + from.sent, size);
  from.sent += size;
}

void connection::lend_chunk(std::vector<char>& to, bulk& from) {
  const auto size = static_cast<std::uint32_t>(std::min(chunk_bytes, from.until - from.sent));
  const auto place = reinterpret_cast<std::uint64_t>(from.bytes.data() + from.sent);
  const auto about = header_of_chunk(from.number, from.bytes.size(), from.sent, from.device);
  lent_.push_back(from.keeps);
  add_header(to, frame_kind::lent, about.size() + sizeof from.kind + sizeof place + sizeof size);
  add_bytes(to, about.data(), about.size());
  add_bytes(to, &from.kind, sizeof from.kind);
  add_bytes(to, &place, sizeof place);
  add_bytes(to, &size, sizeof size);
  from.sent += size;
}

void connection::take(std::vector<char>& to, std::size_t room) {
  std::vector<std::shared_ptr<const void>> sent;  // what they hold is freed behind the lock
  const std::lock_guard lock(mutex_);
  called_ = false;
  if (to.empty()) to.swap(frames_);
  else to.insert(to.end(), frames_.begin(), frames_.end());
  frames_.clear();
  while (to.size() < room && !bulk_.empty()) {
    auto& first = bulk_.front();
    if (!lends_ || first.bytes.size() < least_lent_bytes) add_chunk(to, first);
    else if (lent_.size() < most_lent) lend_chunk(to, first);
    else break;
    if (first.sent < first.until) continue;
    sent.push_back(std::move(first.keeps));
    bulk_.pop_front();
  }
}

void connection::drop_all() noexcept {
  std::deque<bulk> all;
  std::deque<std::shared_ptr<const void>> lent;
  const std::lock_guard lock(mutex_);
  over_ = true;
  memory_.end();
  frames_.clear();
  all.swap(bulk_);
  lent.swap(lent_);
}

}  // namespace troupe
