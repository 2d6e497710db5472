// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "troupe/actors/lane_status.hpp"
#include "troupe/actors/memory_credit.hpp"
#include "troupe/actors/task_lists.hpp"
#include "troupe/actors/tasks_in_flight.hpp"
#include "troupe/tasks/shared_run.hpp"
#include "troupe/tasks/task_state.hpp"

namespace troupe {

/// What an ordering wants done, in this order for each lane.
struct decisions {
  struct release {
    task* what;
    int lane;
  };
  struct help {
    reference<shared_run> what;
    int lane;
  };
  std::vector<release> releases;
  std::vector<help> helps;
  std::vector<value_ref> watches;  ///< values of other orderings to be told of
  std::vector<task_ptr> ended;     ///< tasks that are done with
  bool all_quiet = false;  ///< nothing is in flight any more, and other orderings wait for that

  void clear();
};

/// Decides what may run, and on which lane: a plain object without threads or messages.
///
///     waiting --> chained --> in flight --> ended
///        \------> ready ------/
///
/// A task is *ready* when all its inputs are there; it goes to any lane with room, lowest sequence
/// number first. It is *chained* when its unfinished inputs all come from tasks in flight on one
/// lane: it may follow them there at once, since a lane runs in order. A lane is given a few
/// hundred microseconds of estimated work ahead, so that long tasks are bound late. When nothing
/// else is ready, lanes with room help with large tasks in flight.
///
/// What is computed ahead, that is, while all its readers also need results that are not there yet,
/// takes no more memory than a result for each lane: so a producer that never waits keeps to its
/// consumer's pace. A ready task beyond that is *early*: it waits until there is room, until it is
/// the next in program order, or until one of its readers or somebody beyond this ordering needs
/// nothing else.
class ordering {
 public:
  struct place {
    driver* device;
    memory_credit* credit;
    int lane_behind = -1;  ///< where tasks go that read what this GPU is still at
  };

  /// `home` is the number by which values name this ordering. `devices` are where the tasks'
  /// outputs go. `everywhere` counts what is in flight in all orderings of the runtime; without it
  /// this is the only one.
  ordering(int home, int lanes, std::vector<place> devices,
           std::shared_ptr<in_flight_count> everywhere = nullptr);
  ordering(const ordering&) = delete;
  ordering& operator=(const ordering&) = delete;
  ~ordering();

  /// Takes a task. Tasks of one thread come in program order.
  void add(task_ptr t, decisions& out);
  /// A released task has ended; ownership comes back.
  void finished(task_ptr t, decisions& out);
  /// A value of another ordering, asked for in `watches`, is there or has failed; or it is a GPU's,
  /// and has its point.
  void resolved(const value& v, decisions& out);
  /// Somebody else waits for a value of this ordering. Says whether something may be released for
  /// it.
  bool wanted(const value& v);
  /// The lane on which the task is that computes a value of this ordering; -1: on none, or it has
  /// ended.
  int lane_at_work_on(const value& v) const noexcept;
  /// Releases what may run now. To be called after any number of the above.
  void release(decisions& out);
  /// Fails everything that was not released.
  void cancel(decisions& out);

  std::size_t in_flight() const noexcept { return in_flight_; }
  /// Tasks that were added and not released.
  std::size_t held() const noexcept;
  /// Appends the tasks that it knows of and that have not ended, in no order. `statuses` says what
  /// each lane is at; the first lane has the number `first_lane` there.
  void list(std::vector<task_state>& out, std::span<const lane_status> statuses,
            int first_lane) const;

 private:
  struct lane_state {
    double ahead = 0;       ///< estimated nanoseconds of work released and not ended
    std::size_t tasks = 0;  ///< how many tasks that is
    linked_tasks chained;   ///< tasks that may follow here
    ready_queue ready;      ///< ready tasks that must run here
    bool starved = false;   ///< there was no memory for the first chained task
    troupe::tasks_in_flight tasks_in_flight;
  };
  struct shared_task {
    task* what;
    std::uint64_t lanes;  ///< bit set of those that run it
    double own,
        help;  ///< nanoseconds that its lane, and each of the others, is taken to spend on it
  };

  void connect(operand& in, task& t, decisions& out);
  void reconsider(task& t);
  void note_released(task& reader, int lane);
  void make_ready(task& t);
  void queue(task& t);
  void take_out(task& t);
  bool has_room(const lane_state& l) const noexcept;
  int lane_for(const task& t) const noexcept;
  task* choose(int& lane);
  bool runs_ahead(const task& t) const noexcept;
  bool may_run_ahead(const task& t) const noexcept;
  void put_off(task& t);
  void hurry_inputs_of(const task& reader);
  bool hurry(task& t);
  void stop_hoarding(task& t) noexcept;
  bool take_credit(task& t);
  bool grant(task& t, bool ahead);
  bool nothing_in_flight() const noexcept;
  void publish_flights(decisions& out);
  void send(task& t, int lane, decisions& out);
  void share(task& t, int lane, decisions& out);
  void ask_to_help(shared_task& run, int lane, decisions& out);
  void take_on(int lane, double nanoseconds) noexcept;
  void done_with(int lane, double nanoseconds) noexcept;
  void end_shared(task& t);
  void offer_help(decisions& out);
  void end(task_ptr t, decisions& out);
  void report(task& t, decisions& out);
  const place& place_of(device d) const noexcept;
  lane_state& lane_of(int lane) noexcept { return lanes_[static_cast<std::size_t>(lane)]; }

  int home_;
  std::vector<place> places_;
  std::vector<lane_state> lanes_;
  double horizon_;  ///< nanoseconds of estimated work that a lane is given ahead
  linked_tasks waiting_;
  ready_queue ready_;
  linked_tasks early_;          ///< ready, but nobody can use their results yet
  std::vector<task*> starved_;  ///< ready, but there is no memory for them now
  std::vector<shared_task> shared_;
  std::unordered_map<const value*, operand*>
      awaited_;              ///< chains of readers of other orderings' values
  linked_tasks unreported_;  ///< tasks that have ended before tasks that they read from
  std::size_t ahead_ = 0;    ///< bytes taken ahead of program order that nobody can use yet
  std::size_t in_flight_ = 0;
  std::int64_t published_ = 0;  ///< how many of them the count of all knows of
  std::shared_ptr<in_flight_count> everywhere_;
  ticks time_ = 0;
};

}  // namespace troupe
