// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/segment_pool.hpp"

#include <algorithm>
#include <iterator>
#include <new>

namespace troupe {

namespace {

// Size of a GPU's memory access, and preferred by cuBLAS.
constexpr std::size_t alignment = recent_pieces::unit;
constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t least_segment = 2 * mebibyte;

constexpr std::size_t rounded(std::size_t bytes, std::size_t to) noexcept {
  return std::max<std::size_t>((bytes + to - 1) / to, 1) * to;
}

}  // namespace

/// Leaves the pool to other threads while its source is asked, which can take milliseconds.
class segment_pool::source_call {
 public:
  source_call(segment_pool& pool, std::unique_lock<std::mutex>& lock) noexcept
      : pool_(pool), lock_(lock) {
    ++pool_.calls_;
    lock_.unlock();
  }
  source_call(const source_call&) = delete;
  source_call& operator=(const source_call&) = delete;
  ~source_call() {
    lock_.lock();
    --pool_.calls_;
    ++pool_.calls_ended_;
    pool_.call_ended_.notify_all();
  }

 private:
  segment_pool& pool_;
  std::unique_lock<std::mutex>& lock_;
};

void* segment_pool::allocate(std::size_t bytes) {
  if (bytes >> 46) throw std::bad_alloc();
  const auto wanted = rounded(bytes, alignment);
  std::unique_lock lock(mutex_);
  for (bool released = false;;) {
    if (auto* const recent = recent_.take(wanted)) return lent(recent, wanted);
    auto one = smallest_free(wanted);
    if (one == pieces_.end()) one = new_segment(wanted, lock);
    if (one == pieces_.end()) one = smallest_free(wanted);  // freed meanwhile
    if (one != pieces_.end()) {
      lend(one, wanted);
      return lent(one->first, wanted);
    }
    if (calls_ > 0) {
      // Another thread may be about to return segments, or to be refused what it counts on.
      call_ended_.wait(lock, [this, seen = calls_ended_] { return calls_ended_ != seen; });
    } else if (!released) {
      release_free_segments(lock);
      released = true;
    } else if (!join_recent()) {  // freed while the source was asked
      throw std::bad_alloc();
    }
  }
}

void segment_pool::deallocate(void* data, std::size_t bytes) noexcept {
  auto* const begin = static_cast<std::byte*>(data);
  const auto freed_bytes = rounded(bytes, alignment);
  {
    std::lock_guard lock(mutex_);
    if (!recent_.keep(begin, freed_bytes)) set_free(pieces_.find(begin));
    live_.fetch_sub(freed_bytes);
  }
  freed();
}

/// Counts a piece as live.
void* segment_pool::lent(std::byte* data, std::size_t bytes) noexcept {
  peak_ = std::max(peak_, live_.fetch_add(bytes) + bytes);
  return data;
}

segment_pool::pieces::iterator segment_pool::smallest_free(std::size_t bytes) {
  const auto found = free_.lower_bound({bytes, nullptr});
  return found == free_.end() ? pieces_.end() : pieces_.find(found->second);
}

/// Returns a free piece of at least `bytes` bytes, or the end if the source has none.
segment_pool::pieces::iterator segment_pool::new_segment(std::size_t bytes,
                                                         std::unique_lock<std::mutex>& lock) {
  const auto size = std::max(rounded(bytes, mebibyte), least_segment);
  if (size > limit_ || taken_ > limit_ - size) return pieces_.end();
  taken_ += size;
  std::byte* data = nullptr;
  {
    const source_call unlocked(*this, lock);
    data = static_cast<std::byte*>(source_->allocate(size));
  }
  if (!data) {
    taken_ -= size;
    return pieces_.end();
  }
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

/// Returns false if there were none.
bool segment_pool::join_recent() noexcept {
  return recent_.give_back([this](std::byte* begin) { set_free(pieces_.find(begin)); });
}

void segment_pool::release_free_segments(std::unique_lock<std::mutex>& lock) noexcept {
  join_recent();
  pieces gone;
  std::size_t bytes = 0;
  for (auto one = pieces_.begin(); one != pieces_.end();) {
    const auto next = std::next(one);
    if (one->second.free() && is_segment(one)) {
      free_.erase({one->second.bytes, one->first});
      bytes += one->second.bytes;
      gone.insert(pieces_.extract(one));
    }
    one = next;
  }
  if (gone.empty()) return;
  {
    const source_call unlocked(*this, lock);
    for (const auto& [data, segment] : gone) source_->release(data);
  }
  taken_ -= bytes;
}

memory_statistics segment_pool::statistics() const {
  std::lock_guard lock(mutex_);
  return {live_.load(), peak_, taken_ - live_.load()};
}

void segment_pool::trim() noexcept {
  std::unique_lock lock(mutex_);
  release_free_segments(lock);
}

}  // namespace troupe
