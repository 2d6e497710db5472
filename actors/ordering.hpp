// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "troupe/actors/lane_ranking.hpp"
#include "troupe/actors/lane_set.hpp"
#include "troupe/actors/lane_status.hpp"
#include "troupe/actors/memory_credit.hpp"
#include "troupe/actors/task_lists.hpp"
#include "troupe/actors/tasks_in_flight.hpp"
#include "troupe/tasks/shared_run.hpp"
#include "troupe/tasks/task_state.hpp"

namespace troupe {

/// Decisions of an ordering, to be carried out in this order for each lane.
struct decisions {
  struct release {
    troupe::task* task;
    int lane;
  };
  struct help {
    reference<shared_run> run;
    std::vector<int> lanes;  ///< idle ones first: they can pass the request on at once
  };
  std::vector<release> releases;
  std::vector<help> helps;
  std::vector<value_ref> watches;  ///< values of other orderings to watch
  std::vector<task_ptr> ended;     ///< tasks to report as ended
  bool look_again = false;  ///< call `release` again in a millisecond, even if nothing happens
  bool all_quiet = false;   ///< nothing is in flight any more, and other orderings wait for that

  void clear();
};

/// Scheduler of one device: decides which tasks may run, and on which lane. A plain object without
/// threads or messages.
///
///     waiting --> chained --> in flight --> ended
///        \------> ready ------/
///
/// A task is *ready* when all its inputs are computed; it goes to any lane with room, highest
/// priority and lowest sequence number first. It is *chained* when its unfinished inputs all come
/// from tasks in flight on one lane: it may follow them there at once, since a lane runs in order.
/// A lane is given a few hundred microseconds of estimated work ahead, so long tasks are assigned
/// late. When nothing else is ready, lanes with room help with large tasks in flight.
///
/// Estimates are wrong at times. A lane whose current task takes far longer than estimated is
/// *overdue*: it is given nothing more, and what it has not begun goes to lanes that have room.
///
/// Deciding takes the same time for any number of lanes: what matters of them is kept in sets and
/// rankings.
///
/// A task runs *ahead* while each of its readers also needs other results that are missing. Results
/// computed ahead take no more memory than one result per lane, so a producer that never waits
/// keeps to its consumer's pace. A ready task beyond that is *early*: it waits until there is room,
/// until it is next in program order, or until one of its readers, or a reader outside this
/// ordering, lacks nothing else.
class ordering {
 public:
  struct place {
    driver* device;
    memory_credit* credit;
    int lane_behind = -1;  ///< copy lane for readers of values that this GPU still computes
  };

  /// Constructs an ordering. `home` is the number by which values name it; `devices` are the
  /// destinations of the tasks' outputs; `everywhere` counts the tasks in flight in all orderings
  /// of the runtime (if null, this is the only one); `statuses` shows the current task of each lane
  /// (if empty, no lane is ever overdue).
  ordering(int home, int lanes, std::vector<place> devices,
           std::shared_ptr<in_flight_count> everywhere = nullptr,
           std::span<const lane_status> statuses = {});
  ordering(const ordering&) = delete;
  ordering& operator=(const ordering&) = delete;
  ~ordering();

  /// Takes a task. Tasks of one thread arrive in program order.
  void add(task_ptr t, decisions& out);
  /// Notes that a released task has ended; takes its ownership back.
  void finished(task_ptr t, decisions& out);
  /// Notes that a value of another ordering, requested in `watches`, is ready or failed, or that a
  /// GPU's value has its stream point.
  void resolved(const value& v, decisions& out);
  /// Notes that a reader outside this ordering waits for `v`. Returns true if something may be
  /// released for it.
  bool wanted(const value& v);
  /// Returns the lane of the in-flight task that computes `v`, or -1.
  int lane_at_work_on(const value& v) const noexcept;
  /// Releases the tasks that may run now. Call it after any number of the above.
  void release(decisions& out, ticks time = now());
  /// Notes that the tasks released to a lane since the last call travel together. Tasks that were
  /// sent otherwise cannot be taken back.
  void sent(int lane, assignment_ref tasks);
  /// Fails all tasks that were not released.
  void cancel(decisions& out);

  std::size_t in_flight() const noexcept { return in_flight_; }
  /// Returns the number of tasks that were added and not released.
  std::size_t held() const noexcept;
  /// Appends the known tasks that have not ended, in no order. `statuses` holds the current task of
  /// each lane; `first_lane` is the number of the first lane there.
  void list(std::vector<task_state>& out, std::span<const lane_status> statuses,
            int first_lane) const;

 private:
  struct lane_state {
    double ahead = 0;                   ///< estimated nanoseconds of work released and not ended
    std::size_t tasks = 0;              ///< number of tasks released and not ended
    std::size_t loose = 0;              ///< of these, the ones that may change lanes
    by_priority<linked_tasks> chained;  ///< tasks that may follow on this lane
    by_priority<task_queue> ready;      ///< ready tasks that must run on this lane
    bool starved = false;               ///< the first chained task found no memory
    bool overdue = false;               ///< its current task takes far longer than estimated
    std::uint8_t sets = 0;              ///< sets of lanes that it is in, as bits
    troupe::tasks_in_flight tasks_in_flight;
  };
  struct shared_task {
    troupe::task* task;
    lane_set lanes;       ///< lanes that run it
    int helpers_to_come;  ///< number of lanes that may still be asked
    double own,
        help;  ///< estimated nanoseconds that its own lane, and each helping lane, spends on it
  };
  void connect(operand& in, task& t, decisions& out);
  void reconsider(task& t);
  void chain(task& t);
  void unchain(task& t) noexcept;
  void note_released(task& reader, int lane);
  void make_ready(task& t);
  void queue(task& t);
  void take_out(task& t);
  bool has_room(const lane_state& l) const noexcept;
  void refresh();
  void update(int lane);
  static task* first_of(const lane_state& l) noexcept;
  int lane_for(const task& t) noexcept;
  int any_lane_for(const task& t) noexcept;
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
  void ask_to_help(shared_task& run, bool all, decisions& out);
  void take_on(int lane, double nanoseconds) noexcept;
  void done_with(int lane, double nanoseconds) noexcept;
  void end_shared(task& t);
  void offer_help(decisions& out);
  void look_for_overdue(decisions& out);
  bool is_overdue(int lane) const noexcept;
  void take_back_from(int lane, decisions& out);
  void move(task& t, int lane, decisions& out);
  bool should_look_again();
  void end(task_ptr t, decisions& out);
  void report(task& t, decisions& out);
  const place& place_of(device d) const noexcept;
  lane_state& lane_of(int lane) noexcept { return lanes_[static_cast<std::size_t>(lane)]; }

  static constexpr std::int16_t no_lane = -1, several_lanes = -2;
  /// Number of ready tasks without memory after which no further one is tried.
  static constexpr std::size_t starved_search = 64;

  int home_;
  std::vector<place> places_;
  std::vector<lane_state> lanes_;
  double horizon_;  ///< nanoseconds of estimated work that a lane is given ahead
  // What matters of all lanes, as of the last `refresh`.
  lane_set changed_;  ///< lanes of which it is out of date
  lane_set room_;     ///< lanes with room for another task
  lane_set little_;   ///< lanes with room for small tasks
  lane_set idle_;
  lane_set busy_;   ///< lanes with tasks
  lane_set laden_;  ///< lanes with tasks behind another, that may change lanes
  lane_ranking<std::uint64_t>
      turns_;                   ///< lanes with room, by the first task that only they may run
  lane_ranking<double> loads_;  ///< lanes by the work that they have
  lane_set starved_lanes_;      ///< lanes whose `starved` is set
  lane_set stuck_;              ///< overdue lanes with tasks that no other lane had room for
  std::span<const lane_status> statuses_;
  ticks last_look_ = 0;  ///< when lanes were last checked for overdue tasks
  int next_look_ = 0;    ///< lane to begin with
  linked_tasks waiting_;
  by_priority<task_queue> ready_;
  linked_tasks early_;          ///< ready tasks whose results no reader can use yet
  std::vector<task*> starved_;  ///< ready tasks that found no memory
  std::vector<shared_task> shared_;
  /// Chains of readers of other orderings' values.
  std::unordered_map<const value*, operand*> awaited_;
  linked_tasks unreported_;  ///< ended tasks that read from tasks that have not ended
  std::size_t ahead_ = 0;    ///< bytes of results that no reader can use yet
  std::size_t in_flight_ = 0;
  std::int64_t published_ = 0;  ///< part of `in_flight_` that `everywhere_` includes
  std::shared_ptr<in_flight_count> everywhere_;
  ticks time_ = 0;
};

}  // namespace troupe
