// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace troupe {

/// Who an actor is, and a count of its messages, for anybody to see. The side that sends and the
/// side that takes write a cache line each.
struct actor_counters {
  enum class kind : std::uint8_t { frontend, dependency, lane };

  actor_counters(kind k, std::string n, std::uint64_t i) : what(k), name(std::move(n)), id(i) {}

  const kind what;
  const std::string name;
  const std::uint64_t id;  ///< by which CAF knows the actor

  void sent() noexcept { sent_.fetch_add(1, std::memory_order_relaxed); }
  void taken() noexcept {  // by the actor alone
    taken_.store(taken_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  std::uint64_t all_taken() const noexcept { return taken_.load(std::memory_order_acquire); }
  std::uint64_t all_sent() const noexcept { return sent_.load(std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<std::uint64_t> sent_ = 0;
  alignas(64) std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace troupe
