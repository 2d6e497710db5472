// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/segment_pool.hpp"

#include <algorithm>
#include <iterator>
#include <new>

namespace troupe {

namespace {

constexpr std::size_t alignment = 256;  // size of a GPU's memory access, and preferred by cuBLAS
constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t least_segment = 2 * mebibyte;

constexpr std::size_t rounded(std::size_t bytes, std::size_t to) noexcept {
  return std::max<std::size_t>((bytes + to - 1) / to, 1) * to;
}

}  // namespace

void* segment_pool::allocate(std::size_t bytes) {
  if (bytes >> 46) throw std::bad_alloc();
  const auto wanted = rounded(bytes, alignment);
  std::lock_guard lock(mutex_);
  auto one = smallest_free(wanted);
  if (one == pieces_.end()) one = new_segment(wanted);
  if (one == pieces_.end()) {
    release_free_segments();
    one = new_segment(wanted);
  }
  if (one == pieces_.end()) throw std::bad_alloc();
  lend(one, wanted);
  const auto now = live_.fetch_add(wanted) + wanted;
  peak_ = std::max(peak_, now);
  return one->first;
}

void segment_pool::deallocate(void* data, std::size_t bytes) noexcept {
  {
    std::lock_guard lock(mutex_);
    set_free(pieces_.find(static_cast<std::byte*>(data)));
    live_.fetch_sub(rounded(bytes, alignment));
  }
  freed();
}

segment_pool::pieces::iterator segment_pool::smallest_free(std::size_t bytes) {
  const auto found = free_.lower_bound({bytes, nullptr});
  return found == free_.end() ? pieces_.end() : pieces_.find(found->second);
}

/// Returns a free piece of at least `bytes` bytes, or the end if the source has none.
segment_pool::pieces::iterator segment_pool::new_segment(std::size_t bytes) {
  const auto size = std::max(rounded(bytes, mebibyte), least_segment);
  if (size > limit_ || taken_ > limit_ - size) return pieces_.end();
  auto* const data = static_cast<std::byte*>(source_->allocate(size));
  if (!data) return pieces_.end();
  taken_ += size;
  free_.emplace(size, data);
  return pieces_.insert_or_assign(data, piece{size, true, {}}).first;
}

/// Lends a free piece; the excess becomes another free piece.
void segment_pool::lend(pieces::iterator one, std::size_t bytes) {
  one->second.entry = free_.extract({one->second.bytes, one->first});
  const auto left = one->second.bytes - bytes;
  if (left == 0) return;
  one->second.bytes = bytes;
  auto* const rest = one->first + bytes;
  pieces_.emplace(rest, piece{left, false, {}});
  free_.emplace(left, rest);
}

void segment_pool::set_free(pieces::iterator one) {
  one->second.entry.value() = {one->second.bytes, one->first};
  free_.insert(std::move(one->second.entry));
  join_with_next(one);
  if (!one->second.begins_segment) join_with_next(std::prev(one));
}

/// Joins two free neighbours of one segment.
void segment_pool::join_with_next(pieces::iterator one) {
  const auto next = std::next(one);
  if (next == pieces_.end() || next->second.begins_segment || !one->second.free() ||
      !next->second.free())
    return;
  auto entry = free_.extract({one->second.bytes, one->first});
  free_.erase({next->second.bytes, next->first});
  one->second.bytes += next->second.bytes;
  pieces_.erase(next);
  entry.value().first = one->second.bytes;
  free_.insert(std::move(entry));
}

bool segment_pool::is_segment(pieces::iterator one) const {
  const auto next = std::next(one);
  return one->second.begins_segment && (next == pieces_.end() || next->second.begins_segment);
}

void segment_pool::release_free_segments() noexcept {
  for (auto one = pieces_.begin(); one != pieces_.end();) {
    if (!one->second.free() || !is_segment(one)) {
      ++one;
      continue;
    }
    free_.erase({one->second.bytes, one->first});
    taken_ -= one->second.bytes;
    source_->release(one->first);
    one = pieces_.erase(one);
  }
}

memory_statistics segment_pool::statistics() const {
  std::lock_guard lock(mutex_);
  return {live_.load(), peak_, taken_ - live_.load()};
}

void segment_pool::trim() noexcept {
  std::lock_guard lock(mutex_);
  release_free_segments();
}

}  // namespace troupe
