// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// Progress of a runtime's orderings in program order. Each says which of its tasks comes first, so
/// that one without memory for a task learns when that task's turn has come: no task before it is
/// left anywhere. It also counts the tasks in flight. Thread-safe.
class program_order {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};  ///< an ordering has no task
  static constexpr std::uint64_t unknown = 0;  ///< it has tasks, and nobody needed to know which

  explicit program_order(std::size_t orderings) : all_(orderings) {}

  /// Notes the first task of an ordering: its number, `unknown` or `none`. Returns true if the turn
  /// of a task that another ordering waits for may have come.
  bool set_first(std::size_t ordering, std::uint64_t sequence) noexcept {
    return turn_came(all_[ordering].first.exchange(sequence), sequence);
  }
  /// Notes that tasks are under way to an ordering, which cannot know of them yet.
  void expect(std::size_t ordering, std::int64_t tasks) noexcept {
    all_[ordering].under_way += tasks;
  }
  /// Notes that so many of them are among those whose first it has said. Returns what `set_first`
  /// returns.
  bool arrived(std::size_t ordering, std::int64_t tasks) noexcept {
    auto& one = all_[ordering];
    one.under_way -= tasks;
    return turn_came(unknown, one.first.load());
  }
  /// Returns true while an ordering waits for a task's turn. The others must then know their first
  /// task.
  bool watched() const noexcept { return watching_.load() > 0; }

  /// Notes the task whose turn an ordering waits for, or `none`.
  void await_turn(std::size_t ordering, std::uint64_t sequence) noexcept {
    auto& awaited = all_[ordering].awaited;
    const auto before = awaited.load();
    if (before == sequence) return;
    awaited.store(sequence);
    watching_ += (before == none) - (sequence == none);
  }
  /// Returns the first task of all other orderings. It is up to date, or `unknown`, if the turn of
  /// a task is awaited.
  std::uint64_t first_of_others(std::size_t than) const noexcept {
    auto first = none;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (i == than) continue;
      const auto its_own = all_[i].first.load();
      first = std::min(first, its_own == none && all_[i].under_way.load() > 0 ? unknown : its_own);
    }
    return first;
  }

  std::atomic<int> lanes = 0;     ///< of all orderings
  std::atomic<int> starving = 0;  ///< number of orderings with tasks that lack memory
  std::atomic<std::int64_t> in_flight = 0;
  /// Some ordering holds tasks back until nothing is in flight.
  std::atomic<bool> held_back = false;

 private:
  struct alignas(64) place {
    std::atomic<std::uint64_t> first = none;
    std::atomic<std::uint64_t> awaited = none;
    std::atomic<std::int64_t> under_way = 0;
  };

  bool turn_came(std::uint64_t before, std::uint64_t now) const noexcept {
    if (before >= now || !watched()) return false;
    return std::any_of(all_.begin(), all_.end(), [&](const place& one) {
      const auto awaited = one.awaited.load();
      return before < awaited && awaited <= now;
    });
  }

  std::vector<place> all_;
  std::atomic<int> watching_ = 0;
};

}  // namespace troupe
