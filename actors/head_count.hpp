// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

namespace troupe {

/// Counts the threads of one runtime by what they do: look for work, compute, spin, or wait as
/// clients. A thread that is being woken counts as looking. Counts change one by one, so two of
/// them, read one after the other, need not fit together.
class head_count {
 public:
  explicit head_count(int cores) noexcept : cores_(cores) {}

  // Threads that look for work.

  void look(bool may_run_lanes) noexcept {
    looking_.fetch_add(1);
    if (may_run_lanes) runners_.fetch_add(1);
  }
  /// Returns true if no other thread looks.
  bool stop_looking(bool may_run_lanes) noexcept {
    if (may_run_lanes) runners_.fetch_sub(1);
    return looking_.fetch_sub(1) == 1;
  }
  bool somebody_looks() const noexcept { return looking_.load() > 0; }
  /// Returns how many of them may run open lanes.
  int runners() const noexcept { return runners_.load(); }
  /// Notes that a thread has come to look for work.
  void came() noexcept { arrivals_.fetch_add(1, std::memory_order_relaxed); }
  /// Returns how often one has.
  std::uint64_t arrivals() const noexcept { return arrivals_.load(std::memory_order_relaxed); }

  // Threads that compute. Those that do so for long are *away*.

  void compute() noexcept { computing_.fetch_add(one_computes); }
  void go_away() noexcept { computing_.fetch_add(one_is_away); }
  void stop_computing(bool away) noexcept {
    computing_.fetch_sub(away ? one_computes + one_is_away : one_computes);
  }
  /// Returns true if a thread computes what takes microseconds, and will then look for work.
  bool somebody_is_back_soon() const noexcept {
    const auto all = computing_.load();
    return those_computing(all) > those_away(all);
  }
  bool cores_are_taken() const noexcept {
    return those_computing(computing_.load(std::memory_order_relaxed)) >= cores_;
  }
  /// Takes a core for a thread that will compute for as long as it likes, until `give_core`.
  /// Returns false if as many threads compute as there are cores.
  bool take_core() noexcept {
    if (those_computing(computing_.fetch_add(one_computes + one_is_away)) < cores_) return true;
    give_core();
    return false;
  }
  void give_core() noexcept { stop_computing(true); }

  // Threads that spin, and clients that wait.

  void spin(bool begins) noexcept { spinning_.fetch_add(begins ? 1 : -1); }
  void wait(bool begins) noexcept { waiting_.fetch_add(begins ? 1 : -1); }
  bool client_waits() const noexcept { return waiting_.load(std::memory_order_relaxed) > 0; }
  /// Returns true if one more thread may spin: there is a core for it beside those that compute,
  /// those that spin already, and a client's.
  bool may_spin(bool client) const noexcept {
    return those_computing(computing_.load(std::memory_order_relaxed)) +
               spinning_.load(std::memory_order_relaxed) + client <=
           cores_;
  }

 private:
  // Those that compute and, in the upper half, those of them that are away.
  static constexpr std::uint64_t one_computes = 1, one_is_away = std::uint64_t{1} << 32;
  static int those_computing(std::uint64_t all) noexcept {
    return static_cast<int>(static_cast<std::uint32_t>(all));
  }
  static int those_away(std::uint64_t all) noexcept { return static_cast<int>(all >> 32); }

  const int cores_;
  alignas(64) std::atomic<int> looking_ = 0;
  std::atomic<int> runners_ = 0;
  std::atomic<std::uint64_t> computing_ = 0;
  std::atomic<std::uint64_t> arrivals_ = 0;
  std::atomic<int> spinning_ = 0;
  std::atomic<int> waiting_ = 0;
};

}  // namespace troupe
