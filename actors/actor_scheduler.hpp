// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <caf/actor_system_config.hpp>

#include "troupe/actors/actor_slot.hpp"
#include "troupe/actors/head_count.hpp"
#include "troupe/actors/sleeping_place.hpp"
#include "troupe/actors/slot_set.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/tasks/spin.hpp"

namespace troupe {

class home_unit;
class value;
struct task;

/// Scheduler of one runtime's actors: decides which thread runs which, and who is woken.
///
/// The *control* actors (frontend and dependency actors) decide; any thread may run them, and they
/// never compute. A *lane* computes. It has a thread of its own, which sleeps while there is
/// nothing to do; until it is awake, another thread that looks for work may run the lane in its
/// place, unless the lane is tied to its thread.
///
///     asleep --woken--> looking --takes a lane--> computing
///        ^--nothing to do--/  ^-------------------------/
///
/// A thread that looks runs control actors as they have messages, and takes lanes that have work.
/// Whoever gives an actor a message wakes a thread only if too few are looking; a thread that takes
/// a lane and leaves others waiting wakes the next. While there is work now and then, the control
/// thread naps instead of sleeping, and is not woken for little. So a client that waits runs
/// control and lane alone where that is quickest, and threads do not spin for one another.
class actor_scheduler {
 public:
  enum class lane_kind {
    open,  ///< any thread may run it
    tied   ///< only its own thread may, for example since a GPU's context belongs to it
  };

  /// Work that clients leave for the control actors.
  class source {
   public:
    virtual ~source() = default;
    virtual bool has_work() const noexcept = 0;
    /// Sends the control actors a message to take it. Returns false if one is on its way.
    virtual bool call() = 0;
    /// Returns true while tasks are pending, so that more messages are to come.
    virtual bool busy() const noexcept = 0;
    /// Called now and then while tasks are pending and nothing else happens: lanes that have
    /// computed the same for long are to be looked at. Returns how many actors have work by that.
    virtual int watch_lanes() = 0;
    /// Returns the time until there is work to do, for all that is known.
    virtual std::chrono::nanoseconds time_left() const noexcept = 0;
    /// Lets the thread of a lane, counted over all devices, take part in what a client computes.
    /// Returns false if there is nothing to do.
    virtual bool help(const driver& on, int lane) noexcept = 0;
    /// Returns true if a client computes something on a device that others may take part in.
    virtual bool wants_help(const driver& on) const noexcept = 0;
    /// Returns true while the lanes have enough to do: what clients leave may gather for a moment
    /// and travel together.
    virtual bool lanes_have_enough() const noexcept = 0;
  };

  /// Prepares a scheduler for a machine with so many cores.
  actor_scheduler(int cores, source& from);
  actor_scheduler(const actor_scheduler&) = delete;
  actor_scheduler& operator=(const actor_scheduler&) = delete;
  ~actor_scheduler();

  /// Lets an actor system use this scheduler. Call it before the system is made.
  void install(caf::actor_system_config& config);

  // Slots; all are made before `start`.

  actor_slot& add_control();
  /// Adds a lane with a thread of its own, which enters the device as lane `index`.
  actor_slot& add_lane(std::shared_ptr<driver> device, int index, lane_kind kind);

  /// Starts the threads and waits until all have begun. Throws troupe::error if the system refuses
  /// one; none runs then.
  void start();
  /// Runs actors on the calling thread until none has a message; only where no thread runs.
  void run_here();
  /// Returns true on a thread that runs actors just now.
  bool runs_here() const noexcept;
  /// Ends the threads; called by the actor system when its last actor has ended.
  void stop() noexcept;

  /// Returns true if a thread looks for work, or soon will, and will find what clients leave.
  bool anybody_looks() const noexcept { return threads_.somebody_looks() || lane_is_back_soon(); }
  /// Returns true if the control thread will look for work within 2 milliseconds.
  bool looks_up_soon() const noexcept { return workers_.front().napping.load(); }
  /// Takes a core for a client's thread that is to compute what it submits, until `give_core`.
  /// Returns false if as many threads compute as there are cores.
  bool take_core() noexcept { return threads_.take_core(); }
  void give_core() noexcept { threads_.give_core(); }
  /// Wakes a thread of a lane of the device, which then looks for work, if there is a core for it.
  void wake_helper(const driver& on) noexcept;
  /// Extent to which a client takes part.
  enum class part {
    control_only,  ///< control actors alone, which take microseconds
    lanes          ///< lanes as well
  };

  /// Runs actors on the calling thread, which waits for something, until `done` returns true or
  /// until nothing has come to do for a moment, which `most` bounds. If it waits for the outputs of
  /// a task, `wanted` is one of them.
  template <class Done>
  void take_part(const Done& done, ticks most, part extent = part::lanes,
                 const value* wanted = nullptr) {
    run_guest({&done, [](const void* goal) { return (*static_cast<const Done*>(goal))(); }, wanted},
              most, extent == part::lanes);
  }

  // For lanes, on the thread that runs them.

  /// Makes the calling thread, unless it is a client's, keep to the cores of a device. One that
  /// took another device's lane would get in the way of what its own cores have to do.
  static void keep_to(driver& device, int lane) noexcept;
  /// Notes that the lane is about to compute for long: if control has work, another thread must do
  /// it.
  void about_to_compute() noexcept;
  /// Notes that this thread is about to look for work again.
  static void about_to_look() noexcept;
  /// Returns true if a client's thread runs the lane.
  static bool on_clients_thread() noexcept;
  /// Returns true if it does and the client has got what it waits for.
  static bool client_may_leave();
  /// Returns true if it does and the client waits for this task's outputs.
  static bool client_waits_for(const task& t) noexcept;
  /// Returns true on the thread of a client that waits, has not got what it waits for, and takes
  /// part in computing.
  static bool client_computes();
  /// Makes the lane wait for a thread that is no client's.
  void leave_to_workers(actor_slot& lane) noexcept;

  /// Returns true if the lane's own thread is asleep.
  bool asleep(const actor_slot& lane) const noexcept;

 private:
  friend class actor_slot;
  class caf_module;
  struct thread_state;

  struct guest {
    const void* goal;
    bool (*reached)(const void*);
    const value* wanted;
  };

  /// Thread of a lane, or the control thread.
  struct worker {
    worker(std::shared_ptr<driver> d, int i, lane_kind k)
        : device(std::move(d)), index(i), kind(k) {}
    actor_slot* slot = nullptr;  ///< null for the control thread
    const std::shared_ptr<driver> device;
    const int index;
    const lane_kind kind;
    std::atomic<bool> asleep = false;
    std::atomic<bool> napping = false;   ///< asleep, but not for long
    std::atomic<bool> reserved = false;  ///< its lane is not for clients' threads
    ticks nap = 0;
    std::uint64_t seen = 0;  ///< arrivals at its last nap
    sleeping_place bed;
    std::thread thread;
  };

  void posted(actor_slot& slot) noexcept;
  void post_of_caf(caf::resumable* actor);
  void run_guest(const guest& self, ticks most, bool lanes);
  void run_worker(worker& w);
  bool work(worker* w, bool lanes);
  bool call_control();
  bool call_is_overdue() const noexcept;
  bool run_control();
  bool run_waiting_lane(const worker* w);
  bool run_lane(worker& of);
  bool help(const worker& w);
  void begin_computing();
  static caf::resumable* take(actor_slot& from, slot_set& set) noexcept;
  void run(actor_slot& slot, caf::resumable* actor);
  bool run_of_caf();
  bool sleep(worker& w);
  bool lie_down(worker& w);
  bool something_for(const worker& w) const noexcept;
  bool control_waits() const noexcept;
  void wake_control() noexcept;
  void keep_watch() noexcept;
  bool lane_is_back_soon() const noexcept;
  bool wake(worker& w) noexcept;
  void wake_for_lane(worker& of) noexcept;
  void pass_on() noexcept;
  bool may_spin() const noexcept;
  bool runs_lanes(const worker& w) const noexcept { return w.kind == lane_kind::open; }
  bool is_control(const worker& w) const noexcept { return &w == &workers_.front(); }

  static thread_local constinit thread_state* here_;

  head_count threads_;
  source& from_;
  std::unique_ptr<home_unit> unit_;
  std::deque<actor_slot> slots_;
  std::vector<actor_slot*> control_;
  std::deque<worker> workers_;         ///< the control thread, then the lanes'
  slot_set control_waiting_;           ///< control actors in their slots
  slot_set lanes_waiting_;             ///< open lanes in theirs, by the number of their worker
  std::atomic<std::size_t> turn_ = 0;  ///< control actor to look at first
  std::atomic<ticks> last_call_ = 0;
  std::atomic<std::size_t> begun_ = 0;  ///< threads that have prepared themselves
  std::atomic<bool> stopping_ = false;
  std::mutex of_caf_mutex_;
  std::deque<caf::resumable*> of_caf_;  ///< CAF's own actors that have messages
  std::atomic<bool> of_caf_waits_ = false;
};

}  // namespace troupe
