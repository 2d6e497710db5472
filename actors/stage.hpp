// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include "troupe/actors/actor_state.hpp"
#include "troupe/actors/inbox.hpp"
#include "troupe/actors/lane_sign.hpp"
#include "troupe/actors/listener.hpp"
#include "troupe/actors/memory_credit.hpp"
#include "troupe/actors/submission_window.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe {

/// What the actors of one runtime share: all of it constant or safe to use from any thread.
struct stage {
  stage(drivers d, std::size_t memory_limit, std::uint64_t most_pending, std::size_t trace);

  /// What a client does with a task: numbers it, says where it is at home and leaves it in the inbox; where too many
  /// are pending, it waits first. True if the caller has to ring the frontend.
  [[nodiscard]] bool submit(task_ptr t, bool may_wait);

  drivers devices;
  std::vector<std::unique_ptr<memory_credit>> credits;  ///< one per device
  std::shared_ptr<flights> in_flight = std::make_shared<flights>();
  std::vector<lane_sign> signs;  ///< one per lane of all devices, those of copies last
  std::vector<std::unique_ptr<post>>
      posts;                      ///< one per actor; each adds its own when it is spawned
  listener* listening = nullptr;  ///< told of every message; set before actors are spawned
  submission_window window;
  inbox submitted;
  std::atomic<std::uint64_t> cancelled_through =
      0;                       ///< tasks up to this sequence number do not start any more
  std::size_t trace_capacity;  ///< events that each lane keeps
  /// How long an actor that has run dry looks on before it sleeps: the next message is often on its way, and waking a
  /// sleeping thread costs its sender more. 30 to 50 microseconds.
  ticks patience = 100'000;

  std::span<const lane_sign> signs_from(int lane, std::size_t count) const noexcept {
    return std::span(signs).subspan(static_cast<std::size_t>(lane), count);
  }
  /// Who has how many messages: the frontend, then the dependency actors, then the lanes.
  std::vector<actor_state> actors() const;
  /// Bytes held in all devices' memories.
  std::uint64_t live_bytes() const noexcept;
};

/// The actors of one runtime.
struct cast {
  caf::actor frontend;
  std::vector<caf::actor> dependencies;  ///< one per device, and the one of the copies last
  std::vector<caf::actor> lanes;         ///< of all devices, the copy lanes last
  std::vector<std::string> lane_names;

  /// The lane of a device that small tasks go to first.
  const caf::actor& first_lane(const drivers& devices, device place) const noexcept;
  /// Asks all to quit, in the order in which work flows.
  void dismiss();
};

enum class lane_threads {
  own,    ///< each lane is a detached actor with a thread of its own
  pooled  ///< lanes run on the system's scheduler, as tests want
};

/// Brings the actors of a runtime to life in `system`.
cast spawn_cast(caf::actor_system& system, const std::shared_ptr<stage>& shared,
                lane_threads threads);

}  // namespace troupe
