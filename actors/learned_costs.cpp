// SPDX-License-Identifier: MIT
#include "troupe/actors/learned_costs.hpp"

#include <algorithm>
#include <bit>

namespace troupe {

namespace {

constexpr double weight = 0.25;     // of a new time among the earlier ones
constexpr double most_at_once = 4;  // a time beyond this multiple is a thread that had to wait

/// Returns a number for all tasks that are expected to take the same time, which is not 0.
std::uint64_t kind_of(const task& t) noexcept {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  auto mixed = reinterpret_cast<std::uintptr_t>(t.op) * odd;
  const auto add = [&](std::uint64_t bits) { mixed = (std::rotl(mixed, 29) ^ bits) * odd; };
  add(std::bit_cast<std::uint64_t>(t.cost.bytes));
  add(std::bit_cast<std::uint64_t>(t.cost.flops));
  if (t.op->users_own) add(t.call_site.line());
  return mixed | 1;
}

constexpr std::uint32_t name_of(std::uint64_t kind) noexcept {
  return static_cast<std::uint32_t>(kind);
}

}  // namespace

float learned_costs::learned(const task& t) const noexcept {
  const auto kind = kind_of(t);
  const auto found = entries_[(kind >> 32) % size].load(std::memory_order_relaxed);
  return found.kind == name_of(kind) ? found.nanoseconds : t.estimate;
}

void learned_costs::note(const task& t, double nanoseconds) noexcept {
  if (!learns(t)) return;
  const auto kind = kind_of(t);
  auto& place = entries_[(kind >> 32) % size];
  const auto before = place.load(std::memory_order_relaxed);
  auto known = nanoseconds;
  if (before.kind == name_of(kind)) {
    const double earlier = before.nanoseconds;
    known = earlier + weight * (std::min(nanoseconds, most_at_once * earlier) - earlier);
  }
  // It stays long enough to be noted again.
  known = std::max<double>(known, worth_learning);
  place.store({name_of(kind), static_cast<float>(known)}, std::memory_order_relaxed);
}

}  // namespace troupe
