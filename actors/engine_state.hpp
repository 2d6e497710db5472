// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <caf/fwd.hpp>

#include "troupe/actors/actor_counters.hpp"
#include "troupe/actors/callers_lane.hpp"
#include "troupe/actors/data_gate.hpp"
#include "troupe/actors/deadlines.hpp"
#include "troupe/actors/inbox.hpp"
#include "troupe/actors/lane_status.hpp"
#include "troupe/actors/learned_costs.hpp"
#include "troupe/actors/memory_credit.hpp"
#include "troupe/actors/program_order.hpp"
#include "troupe/actors/submission_window.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe {

class actor_scheduler;
struct actor_state;

/// Observer of the messages that actors take from their mailboxes; called before the actor acts, on
/// the actor's thread.
class listener {
 public:
  virtual ~listener() = default;
  virtual void heard(const actor_counters& by, caf::mailbox_element& message) = 0;
};

/// State shared by the actors of one runtime; constant or safe to use from any thread.
struct engine_state {
  engine_state(drivers d, memory_bound limit, std::uint64_t most_pending, std::size_t trace);

  /// Numbers a task, assigns its owning ordering and puts it in the inbox; waits first if too many
  /// are pending. Returns true if the frontend should be called.
  [[nodiscard]] bool submit(task_ptr t, bool may_wait);

  /// Result of running a task at once.
  struct ran_at_once {
    bool ran = false;           ///< else the task is as it was
    failure_ptr why = nullptr;  ///< the failure that began with it
    bool shared = false;        ///< others took part
  };
  /// Runs a task on this thread, from the time that it is now, if it takes no longer than
  /// `longest`, in nanoseconds by estimate, and neither its inputs nor memory for its outputs have
  /// to be waited for; `jointly` with threads that look for work.
  ran_at_once run_at_once(task_ptr& t, float longest, ticks time, bool jointly = false);

  /// Takes memory of a device for data that a client brings; waits for room first if it `may_wait`.
  void bring(const driver& to, std::size_t bytes, const std::function<void()>& take, bool may_wait);

  // Numbers of the orderings, which values name as their homes: that of each device, those of all
  // copies and of all tasks with a deadline.
  std::size_t home_of_copies() const noexcept { return devices.size(); }
  std::size_t home_of_timed() const noexcept { return devices.size() + 1; }

  drivers devices;
  std::vector<std::unique_ptr<memory_credit>> credits;  ///< one per device
  std::shared_ptr<program_order> order;                 ///< of the orderings, by home
  data_gate gate;
  std::vector<lane_status> statuses;  ///< one per lane of all devices, then the copy lanes
  callers_lane callers;
  /// One per actor; each actor adds its own when spawned.
  std::vector<std::unique_ptr<actor_counters>> counters;
  actor_scheduler* scheduler = nullptr;  ///< null where the actor system runs the actors
  listener* listening = nullptr;  ///< notified of every message; set before actors are spawned
  learned_costs costs;
  submission_window window;
  inbox submitted;
  /// Estimated nanoseconds of work in `submitted` that nobody was woken for.
  std::atomic<std::uint32_t> left = 0;
  /// Tasks that the frontend has passed on and that have not ended; written by it alone.
  std::atomic<std::uint64_t> passed_on = 0;
  /// Tasks up to this sequence number no longer start.
  std::atomic<std::uint64_t> cancelled_through = 0;
  /// Grows when tasks that lanes have not started are to be cancelled.
  std::atomic<std::uint32_t> cancellations = 0;
  /// Returns true if a task should be failed instead of started.
  bool dismisses(const task& t) const noexcept {
    return t.sequence <= cancelled_through.load(std::memory_order_acquire) ||
           (cancellations.load(std::memory_order_acquire) > 0 && t.to_be_cancelled());
  }
  /// Failures that clients' threads saw and had no memory to tell the frontend of.
  std::atomic<std::uint64_t> failures_not_told = 0;
  deadline_clock deadlines;
  std::size_t trace_capacity;  ///< events kept per lane
  std::span<const lane_status> statuses_from(int lane, std::size_t count) const noexcept {
    return std::span(statuses).subspan(static_cast<std::size_t>(lane), count);
  }
  /// Returns the message counts of all actors: the frontend, then the dependency actors, then the
  /// lanes.
  std::vector<actor_state> actors() const;
  /// Returns the bytes held in the memories of all devices.
  std::uint64_t live_bytes() const noexcept;

 private:
  std::size_t number_of(device d) const noexcept {
    std::size_t number = 0;
    while (ids_[number] != d) ++number;
    return number;
  }
  void number(task& t, std::uint64_t sequence, ticks time) noexcept;
  bool somebody_should_come(bool first, float nanoseconds) noexcept;

  std::vector<device> ids_;  ///< of the devices
};

}  // namespace troupe
