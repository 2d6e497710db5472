// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "troupe/actors/assignment.hpp"
#include "troupe/actors/held_back.hpp"
#include "troupe/actors/lane_loads.hpp"
#include "troupe/actors/lane_set.hpp"
#include "troupe/actors/lane_status.hpp"
#include "troupe/actors/lane_turns.hpp"
#include "troupe/actors/memory_credit.hpp"
#include "troupe/actors/program_order.hpp"
#include "troupe/actors/task_lists.hpp"
#include "troupe/actors/tasks_in_flight.hpp"
#include "troupe/actors/use_search.hpp"
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
    std::vector<int> lanes;  ///< idle ones first
  };
  struct watch {
    value_ref value;
    bool wanted;  ///< false until it is among `wants`
  };
  std::vector<release> releases;
  std::vector<help> helps;
  std::vector<watch> watches;    ///< values of other orderings to watch
  std::vector<value_ref> wants;  ///< those that were watched, and are wanted now
  std::vector<task_ptr> ended;   ///< tasks to report as ended
  /// Values of other orderings that a cancelled task read: their tasks may be cancelled, too.
  std::vector<value_ref> unneeded;
  /// The orderings should call `release`: some wait for what has happened here, or have to say
  /// which task is their first.
  bool others_look = false;
  /// The lanes should look for tasks that are to be cancelled.
  bool lanes_look = false;

  void clear();
};

/// Scheduler of one device: decides which tasks may run, and on which lane. A plain object without
/// threads or messages.
///
///     waiting --> chained --> in flight --> ended
///        \------> ready ------/
///
/// A task is *ready* when all its inputs are computed; it goes to any lane with room, highest
/// priority and lowest sequence number first; it fails here if one of them failed. It is *chained*
/// when its unfinished inputs all come from tasks in flight on one lane: it may follow them there
/// at once, since a lane runs in order. A lane is given a few hundred microseconds of estimated
/// work ahead, so long tasks are assigned late; one of a GPU or another machine, a few milliseconds
/// behind the task that it runs. When nothing else is ready, lanes with room help with large tasks
/// in flight.
///
/// Estimates are wrong at times. A lane whose current task takes far longer than estimated is
/// *overdue*: it is given nothing more, and what it has not begun is taken back. Such a task keeps
/// its memory credit.
///
/// Deciding takes the same time for any number of lanes: what matters of them is kept in sets.
///
/// A task runs *ahead* while its results have no use yet: all that is made of them needs, at some
/// step, something earlier in the program that is missing (see `use_search`). Results computed
/// ahead take no more memory than one result per lane, so a producer that never waits keeps to its
/// consumer's pace; where only results of other orderings are missing, no more than everything else
/// on the device or a few megabytes, so a device does not stand still while another one catches up.
/// A ready task beyond that is *early*: it waits until there is room, until it is next in program
/// order, or until its results have a use.
///
/// Results of other orderings are watched as soon as there is a reader, but *wanted* only when they
/// have a use here or there is room. A task whose results only other orderings read is early until
/// one of them wants them.
///
/// A task that finds no memory is *starved*: later ones that take less may overtake it. When no
/// task before it is left in any ordering, its turn has come: it goes beyond the limit, or fails if
/// the limit is strict. One that a budget starves waits, moreover, until nothing is in flight.
class ordering {
 public:
  static constexpr std::size_t default_room = std::size_t{32} << 20;

  struct place {
    driver* device;
    memory_credit* credit;
    int lane_behind = -1;  ///< copy lane for readers of values that this GPU still computes
  };

  /// Constructs an ordering. `home` is the number by which values name it; `devices` are the
  /// destinations of the tasks' outputs; `everywhere` is shared by all orderings of the runtime (if
  /// null, this is the only one); `statuses` shows the current task of each lane (if empty, no lane
  /// is ever overdue); so many bytes of other orderings' results may be there without a use, and as
  /// many of results that wait only for those.
  ordering(int home, int lanes, std::vector<place> devices,
           std::shared_ptr<program_order> everywhere = nullptr,
           std::span<const lane_status> statuses = {}, std::size_t room = default_room);
  ordering(const ordering&) = delete;
  ordering& operator=(const ordering&) = delete;
  ~ordering();

  /// Takes a task. Tasks of one thread arrive in program order.
  void add(task_ptr t);
  /// Notes that a released task has ended; takes its ownership back.
  void finished(task_ptr t, decisions& out);
  /// Notes that a value of another ordering, requested in `watches`, is ready or failed, or that a
  /// GPU's value has its stream point.
  void resolved(const value& v, decisions& out);
  /// Notes that somebody outside this ordering wants `v`. Returns true if something may be released
  /// for it.
  bool wanted(const value& v);
  /// Returns the lane of the in-flight task that computes `v`, or -1.
  int lane_at_work_on(const value& v) const noexcept;
  /// Notes that a lane came to help before anybody had started the task, and left. It is asked
  /// again once the task has started.
  void came_early(const shared_run& run, int lane);
  /// Releases the tasks that may run now. Call it after any number of the above.
  void release(decisions& out, ticks time = now());
  /// Notes where the tasks are that were last released to a lane. What was sent otherwise is never
  /// taken back.
  void sent(int lane, assignment_ref tasks);
  /// Fails all tasks that were not released.
  void cancel(decisions& out);
  /// Counts references to a value that are not handles of the program, nor of a task.
  using reference_count = std::function<std::uint32_t(const value&)>;
  /// Fails the task that computes `v`, and those before it whose results nobody else refers to; a
  /// released one is marked for its lane. Does nothing for a value that somebody refers to if that
  /// is asked for, nor for one of another ordering or one that has settled.
  void cancel(const value& v, bool only_if_unneeded, const reference_count& elsewhere,
              decisions& out);
  /// Fails a task that was not released.
  void give_up(task& t, std::string_view text, failure::reason why, decisions& out);

  std::size_t in_flight() const noexcept { return in_flight_; }
  /// Returns the number of tasks that were added and not released.
  std::size_t held() const noexcept;
  /// Appends the known tasks that have not ended, in no order. `statuses` holds the current task of
  /// each lane; `first_lane` is the number of the first lane there.
  void list(std::vector<task_state>& out, std::span<const lane_status> statuses,
            int first_lane) const;

 private:
  struct lane_state {
    double ahead = 0;       ///< estimated nanoseconds of work released and not ended
    std::size_t tasks = 0;  ///< number of tasks released and not ended
    linked_tasks chained;   ///< tasks that may follow on this lane
    ready_queue ready;      ///< ready tasks that must run on this lane
    bool overdue = false;   ///< its current task takes far longer than estimated
    bool starved = false;   ///< the first chained task found no memory
    std::uint8_t sets = 0;  ///< the sets of lanes that it is in, as bits
    lane_loads::level level = 0;
    std::uint64_t turn = program_order::none;  ///< its place among `turns_`
    troupe::tasks_in_flight tasks_in_flight;
    std::deque<assignment_ref> sent;  ///< oldest first; the lane has come to some of them
  };
  /// Event at a task, of this ordering or another one, that may give results a use.
  enum class happening : std::uint8_t {
    there,  ///< it is ready, or has ended
    use     ///< somebody else needs its results, or it has ended
  };
  using news = std::pair<std::uint64_t, happening>;  ///< the task's number, and what happened
  struct shared_task {
    troupe::task* task;
    lane_set lanes;       ///< lanes that run it
    int helpers_to_come;  ///< number of lanes that may still be asked
    double own,
        help;  ///< estimated nanoseconds that its own lane, and each helping lane, spends on it
    bool missed_helpers = false;  ///< some came before it had started
  };

  void connect(operand& in, task& t);
  void disconnect(task& t);
  void reconsider(task& t);
  void chain(task& t);
  void unchain(task& t);
  void note_released(task& reader, int lane);
  void make_ready(task& t);
  void queue(task& t);
  void take_out(task& t);
  bool has_room(const lane_state& l) const noexcept;
  void note_load(int lane) {
    const auto& l = lane_of(lane);
    // All sets have their bounds between levels.
    if (lane_loads::level_of(l.ahead) != l.level || l.tasks <= 2 || on_stream_) regroup(lane);
  }
  void regroup(int lane);
  /// Returns the first of the tasks that only this lane may run, or null.
  static task* first_of(const lane_state& l) noexcept {
    auto* chained = l.starved ? nullptr : l.chained.front();
    auto* ready = l.ready.front();
    return !chained || (ready && rank(*ready) < rank(*chained)) ? ready : chained;
  }
  void note_turn(int lane);
  task* first_bound(int& lane);
  int least_loaded() const noexcept;
  int lane_for(const task& t) const noexcept;
  task* choose(int& lane);
  bool runs_ahead(task& t);
  bool may_run_ahead(const task& t) const noexcept;
  std::size_t live(device d) const noexcept;
  bool precedes_all_held(std::uint64_t sequence) const noexcept;
  bool precedes_all_chained(std::uint64_t sequence, const task* itself = nullptr) const noexcept;
  void put_off(task& t);
  void hurry(task& t);
  void want(value& v, decisions& out);
  void want_ahead(decisions& out);
  void watch_new(decisions& out);
  void note_there(task& t);
  void note_use(task& t);
  void search_again(decisions& out);
  void look_again(task& t);
  void look_again(value& v, decisions& out);
  void search_again_for(std::uint64_t results);
  bool has_room_for(const value& v) const noexcept;
  void hoard(std::size_t bytes, operand* readers) noexcept;
  void stop_hoarding(task& t) noexcept;
  enum class answer : std::uint8_t { granted, refused, never };

  answer take_credit(task& t);
  answer grant(task& t, bool ahead);
  void give_back_credit(task& t);
  void ask_again(task& t);
  void try_earliest(decisions& out);
  void fail_beyond_limit(task_ptr t, decisions& out);
  bool nothing_in_flight() const noexcept;
  bool is_next(const task& t);
  std::uint64_t first_task() const noexcept;
  void publish_flights(decisions& out);
  void publish_first(decisions& out);
  void send(task& t, int lane, decisions& out);
  void share(task& t, int lane, decisions& out);
  void ask_to_help(shared_task& run, bool all, decisions& out);
  void take_on(int lane, double nanoseconds);
  void done_with(int lane, double nanoseconds);
  void end_shared(task& t);
  void look_for_overdue(decisions& out);
  bool is_overdue(int lane) const noexcept;
  void take_back(int lane, decisions& out);
  std::vector<task*> take_back_from(int lane);
  void send_elsewhere(std::span<task* const> back, decisions& out);
  void await_again(task& t);
  void move(task& t, decisions& out);
  void offer_help(decisions& out);
  void end(task_ptr t, decisions& out);
  void report(task& t, decisions& out);
  void take_from_lists(task& t);
  void fail_doomed(decisions& out);
  bool is_awaited(const value& v) const noexcept;
  void ask_lane_to_cancel(task& t, cancellation how, decisions& out) noexcept;
  const place& place_of(device d) const noexcept;
  lane_state& lane_of(int lane) noexcept { return lanes_[static_cast<std::size_t>(lane)]; }

  static constexpr std::int16_t no_lane = -1, several_lanes = -2;
  /// So many lanes are looked at faster one by one.
  static constexpr std::size_t few_lanes = 4;
  /// Number of ready tasks without memory after which no further one is tried.
  static constexpr std::size_t starved_search = 64;

  int home_;
  std::size_t room_for_others_;
  std::vector<place> places_;
  std::vector<lane_state> lanes_;
  bool on_stream_;    ///< the lane hears late of the ends of its tasks
  lane_loads loads_;  ///< lanes by the work that they have
  lane_set little_;   ///< lanes with room for small tasks
  lane_set room_;     ///< lanes with room for another task
  lane_set idle_;
  std::span<const lane_status> statuses_;
  ticks last_look_ = 0;  ///< when overdue lanes were last looked for
  lane_turns turns_;
  std::vector<int> starved_lanes_;  ///< lanes whose `starved` is set
  linked_tasks waiting_;
  ready_queue ready_;
  linked_tasks doomed_;  ///< tasks whose inputs are all there, or failed, and one of them failed
  held_back<task> early_;
  held_back<value> unwanted_;  ///< results of other orderings
  /// Numbers of early tasks and unwanted values for whose use one has to search again then.
  std::set<std::pair<news, std::uint64_t>> onlookers_;
  std::vector<news> news_;      ///< since the last search
  std::vector<task*> starved_;  ///< ready tasks that found no memory
  std::vector<shared_task> shared_;
  struct awaited {
    operand* readers = nullptr;  ///< chain of those here
    operand* last_reader = nullptr;
    bool watched = false;
    bool asked_for = false;
  };
  std::unordered_map<const value*, awaited> awaited_;  ///< pending values of other orderings
  std::vector<value_ref> unwatched_;                   ///< the new ones among them
  linked_tasks unreported_;  ///< tasks that lanes have ended before what they read
  std::size_t ahead_ = 0;    ///< bytes of results that ran ahead and whose readers wait
  std::size_t in_flight_ = 0, chained_ = 0;
  std::size_t unended_ = 0;     ///< tasks that were added and have not ended
  std::int64_t arrived_ = 0;    ///< tasks that were added since the first was published
  std::int64_t published_ = 0;  ///< part of `in_flight_` that `everywhere_` includes
  std::uint64_t published_first_ = program_order::none;
  std::uint64_t turn_ = program_order::none;       ///< starved task whose turn depends on others
  std::uint64_t asked_for_ = program_order::none;  ///< the one for which they were asked
  bool asks_ = false;                              ///< the others have to say what is their first
  bool starves_ = false;                           ///< `everywhere_` counts this one as starving
  std::vector<std::size_t> refused_;  ///< by place, the least bytes that were not to be had
  bool holds_ = false;  ///< nothing else is released: what is next waits under a strict limit
  std::shared_ptr<program_order> everywhere_;
  use_search search_;
  ticks time_ = 0;
};

}  // namespace troupe
