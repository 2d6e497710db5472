// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace troupe {

/// Identity of an actor and counts of its messages, readable from any thread. The sending and the
/// receiving side each write to a cache line of their own.
struct actor_counters {
  enum class kind : std::uint8_t { frontend, dependency, lane };

  actor_counters(kind k, std::string n, std::uint64_t i) : role(k), name(std::move(n)), id(i) {}

  const kind role;
  const std::string name;
  const std::uint64_t id;  ///< CAF's identifier of the actor

  void sent() noexcept { sent_.fetch_add(1, std::memory_order_relaxed); }
  void taken() noexcept {  // called by the actor alone
    taken_.store(taken_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  std::uint64_t all_taken() const noexcept { return taken_.load(std::memory_order_acquire); }
  std::uint64_t all_sent() const noexcept { return sent_.load(std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<std::uint64_t> sent_ = 0;
  alignas(64) std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace troupe
