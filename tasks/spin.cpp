// SPDX-License-Identifier: MIT
#include "troupe/tasks/spin.hpp"

#include <algorithm>
#include <atomic>

namespace troupe {

namespace {

constexpr double shortest_rest = 5e-3, longest_rest = 0.3;  // seconds

std::atomic<ticks> resting_until = 0;
std::atomic<ticks> rest = 0;

}  // namespace

bool spin::pays(ticks time) noexcept {
  return time >= resting_until.load(std::memory_order_relaxed);
}

void spin::note_lost_core(ticks time) noexcept {
  const ticks shortest = ticks_in(shortest_rest), longest = ticks_in(longest_rest);
  const auto before = resting_until.load(std::memory_order_relaxed);
  auto length = rest.load(std::memory_order_relaxed);
  // Twice as long if it was lost soon after the last rest.
  length = before != 0 && time < before + 2 * length ? std::min(2 * length, longest) : shortest;
  rest.store(length, std::memory_order_relaxed);
  resting_until.store(time + length, std::memory_order_relaxed);
}

}  // namespace troupe
