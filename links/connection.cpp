// SPDX-License-Identifier: MIT
#include "troupe/links/connection.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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

void connection::add_chunk(std::vector<char>& to, bulk& from) {
  const auto size = std::min(chunk_bytes, from.until - from.sent);
  const std::uint64_t about[] = {from.number, from.bytes.size(), from.sent};
  static_assert(sizeof about + sizeof from.device == chunk_header_bytes);
  add_header(to, from.kind, chunk_header_bytes + size);
  add_bytes(to, about, sizeof about);
  add_bytes(to, &from.device, sizeof from.device);
  add_bytes(to, from.bytes.data() + from.sent, size);
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
    add_chunk(to, first);
    if (first.sent < first.until) continue;
    sent.push_back(std::move(first.keeps));
    bulk_.pop_front();
  }
}

void connection::drop_all() noexcept {
  std::deque<bulk> all;
  const std::lock_guard lock(mutex_);
  over_ = true;
  frames_.clear();
  all.swap(bulk_);
}

}  // namespace troupe
