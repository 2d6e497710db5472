// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/program_cache.hpp"

#include <iterator>

#include "troupe/tensor/program/place.hpp"

namespace troupe::detail {

namespace {

constexpr std::size_t most_programs = 64;
constexpr std::size_t most_bytes = std::size_t{256} << 20;

}  // namespace

std::uint64_t captured_program::sign() const noexcept {
  auto out = other_ways.load(std::memory_order_relaxed) << 32;
  for (const auto& one : runs.places) out += static_cast<std::uint64_t>(one.use_count());
  return out;
}

std::shared_ptr<captured_program> program_cache::find(std::string_view kind) {
  std::lock_guard lock(mutex_);
  if (!latest_first_.empty() && latest_first_.front().first == kind)
    return latest_first_.front().second;
  const auto found = positions_.find(kind);
  if (found == positions_.end()) return nullptr;
  latest_first_.splice(latest_first_.begin(), latest_first_, found->second);
  return found->second->second;
}

// Programs may hold functions with caches of their own: they end when the lock is free again.

std::uint64_t program_cache::add(std::string_view kind, std::shared_ptr<captured_program> one) {
  by_kind dropped;
  std::lock_guard lock(mutex_);
  if (positions_.contains(kind)) return 0;  // another thread was quicker
  latest_first_.emplace_front(kind, std::move(one));
  positions_[latest_first_.front().first] = latest_first_.begin();
  take_what_is_too_much(dropped);
  return ++kept_;
}

void program_cache::take_what_is_too_much(by_kind& into) {
  std::size_t bytes = 0;
  for (const auto& [kind, one] : latest_first_) bytes += one->bytes;
  while (latest_first_.size() > 1 && (latest_first_.size() > most_programs || bytes > most_bytes)) {
    const auto last = std::prev(latest_first_.end());
    bytes -= last->second->bytes;
    positions_.erase(last->first);
    into.splice(into.end(), latest_first_, last);
  }
}

void program_cache::forget(std::string_view kind) {
  by_kind dropped;
  std::lock_guard lock(mutex_);
  const auto found = positions_.find(kind);
  if (found == positions_.end()) return;
  const auto at = found->second;
  positions_.erase(found);
  dropped.splice(dropped.end(), latest_first_, at);
}

std::string program_cache::explain() const {
  std::lock_guard lock(mutex_);
  if (latest_first_.empty()) return "not called yet\n";
  std::string out;
  for (const auto& [kind, one] : latest_first_)
    out += one->told + "  called " + std::to_string(one->calls) +
           (one->calls == 1 ? " time\n" : " times\n");
  return out;
}

std::unique_lock<std::mutex> program_cache::turn() {
  std::unique_lock lock(mutex_);
  if (forks_ != forks::count()) {
    [[maybe_unused]] auto* const of_parent = turns_.release();  // locked for ever, perhaps
    turns_ = std::make_unique<std::mutex>();
    forks_ = forks::count();
  }
  auto& mine = *turns_;
  lock.unlock();
  return std::unique_lock(mine);
}

}  // namespace troupe::detail
