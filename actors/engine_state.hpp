// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "troupe/actors/actor_state.hpp"
#include "troupe/actors/inbox.hpp"
#include "troupe/actors/lane_status.hpp"
#include "troupe/actors/listener.hpp"
#include "troupe/actors/memory_credit.hpp"
#include "troupe/actors/submission_window.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe {

/// What the actors of one runtime share: all of it constant or safe to use from any thread.
struct engine_state {
  engine_state(drivers d, std::size_t memory_limit, std::uint64_t most_pending, std::size_t trace);

  /// What a client does with a task: numbers it, says where it is at home and leaves it in the
  /// inbox; where too many are pending, it waits first. True if the caller has to ring the
  /// frontend.
  [[nodiscard]] bool submit(task_ptr t, bool may_wait);

  drivers devices;
  std::vector<std::unique_ptr<memory_credit>> credits;  ///< one per device
  std::shared_ptr<in_flight_count> in_flight = std::make_shared<in_flight_count>();
  std::vector<lane_status> statuses;  ///< one per lane of all devices, those of copies last
  std::vector<std::unique_ptr<actor_counters>>
      counters;                   ///< one per actor; each adds its own when it is spawned
  listener* listening = nullptr;  ///< told of every message; set before actors are spawned
  submission_window window;
  inbox submitted;
  std::atomic<std::uint64_t> cancelled_through =
      0;                       ///< tasks up to this sequence number do not start any more
  std::size_t trace_capacity;  ///< events that each lane keeps
  /// How long an actor that has run dry looks on before it sleeps: the next message is often on its
  /// way, and waking a sleeping thread costs its sender more. 30 to 50 microseconds.
  ticks spin_time = 100'000;

  std::span<const lane_status> statuses_from(int lane, std::size_t count) const noexcept {
    return std::span(statuses).subspan(static_cast<std::size_t>(lane), count);
  }
  /// Who has how many messages: the frontend, then the dependency actors, then the lanes.
  std::vector<actor_state> actors() const;
  /// Bytes held in all devices' memories.
  std::uint64_t live_bytes() const noexcept;
};

}  // namespace troupe
