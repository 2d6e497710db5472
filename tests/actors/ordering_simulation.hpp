// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <deque>
#include <map>
#include <random>
#include <set>

#include "troupe/actors/ordering.hpp"
#include "troupe/tests/actors/simulated_device.hpp"
#include "troupe/tests/actors/simulated_task.hpp"

namespace troupe::testing {

/// Simulation of lanes and messages around an ordering, all in one thread: each step performs one
/// of the possible next events, drawn at random. Lanes behave like the lane actor, including shared
/// tasks, helpers, late reports, and tasks that take longer than estimated.
class ordering_simulation {
 public:
  ordering_simulation(const random_graph& graph, int lanes, memory_bound limit, std::uint64_t seed)
      : graph_(graph),
        random_(seed),
        device_(simulated_device(lanes, limit.bytes)),
        credit_(device_->memory(), limit),
        statuses_(static_cast<std::size_t>(lanes)),
        ordering_(0, lanes, {{device_.get(), &credit_}}, nullptr, statuses_),
        lanes_(static_cast<std::size_t>(lanes)),
        runs(graph.nodes.size()),
        ended(graph.nodes.size()) {
    for (std::size_t i = 0; i < graph.foreign_fails.size(); ++i)
      foreign_.push_back(make_value(1, 1'000'000 + i));
    unsettled_ = foreign_;
  }

  /// Runs the whole program; cancels everything after `cancel_after` steps.
  void run(std::size_t cancel_after = ~std::size_t{0}, bool keep_values = true) {
    for (std::size_t step = 0, idle = 0; idle < 1'000; ++step) {
      if (step == cancel_after) cancel();
      idle = happen(keep_values) ? 0 : idle + 1;
      if (idle > 0 && credit_.strict()) act();  // memory was freed, perhaps
      if (step % 64 == 0)
        not_all_listed |= count_listed() != ordering_.held() + ordering_.in_flight();
      if (added_ == graph_.nodes.size() && count_ended_ == added_) break;
    }
    for (auto& v : unsettled_) settle(v, {});
  }

  const driver& device() const noexcept { return *device_; }
  const ordering& subject() const noexcept { return ordering_; }
  /// Returns the values of each task, in its order of outputs. Empty if they were not kept.
  const std::vector<std::vector<value_ref>>& values() const noexcept { return values_; }

 private:
  struct message {
    assignment_ref tasks;        // tasks to run, or
    reference<shared_run> help;  // run to help with
  };
  struct lane_model {
    std::deque<message> mailbox;
    assignment_ref place;
    batch_ref left;                             // taken from `place`
    task_ptr current;                           // begun, or waits for inputs
    std::vector<task_ptr> done;                 // not reported yet
    std::vector<reference<shared_run>> missed;  // came to help before they had started
  };
  struct open_run {
    troupe::task* task;
    reference<shared_run> shared;
    std::set<std::size_t> lanes;  // lanes that work on it
    bool owned;                   // its own lane has come to it
  };

  std::size_t below(std::size_t n) { return random_() % n; }

  std::size_t count_listed() const {
    std::vector<task_state> all;
    ordering_.list(all, {}, 0);
    return all.size();
  }

  bool happen(bool keep_values) {
    clock_ += 500'000;
    const auto event = below(8);
    if (event == 0 && add_some(keep_values)) return true;
    if (event == 1 && settle_foreign()) return true;
    const auto first = below(lanes_.size());
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const auto lane = (first + i) % lanes_.size();
      if (event < 4 ? report(lane) : step(lane)) return true;
    }
    return false;
  }

  bool add_some(bool keep_values) {
    if (added_ == graph_.nodes.size()) return false;
    for (auto n = 1 + below(8); n > 0 && added_ < graph_.nodes.size(); --n) {
      const auto& node = graph_.nodes[added_];
      auto t = make_task(added_, node.estimate, alive, runs[added_], node.chunks, node.fails);
      t->priority = node.priority;
      for (const auto& in : node.inputs)
        read(*t, in.foreign ? foreign_[in.from] : values_[in.from][in.output]);
      auto& outputs = values_.emplace_back();
      for (std::size_t o = 0; o < node.outputs; ++o) {
        outputs.push_back(make_value(0, t->sequence, node.elements));
        t->add_output(outputs.back());
      }
      ordering_.add(std::move(t));
      ++added_;
      // The user releases values that are too far back to be read again.
      if (!keep_values && values_.size() > 16) values_[values_.size() - 17].clear();
    }
    act();
    return true;
  }

  void settle(const value_ref& v, const failure_ptr& why) {
    if (!v->pending()) return;
    v->allocate(device_->memory());
    *static_cast<std::int64_t*>(v->data()) = random_graph::foreign_number(v->sequence - 1'000'000);
    if (why) v->fail(why);
    else v->succeed();
  }

  /// Settles a value of the other ordering, or notifies the ordering of one that it watches.
  bool settle_foreign() {
    if (!unsettled_.empty() && below(2) == 0) {
      const auto v = unsettled_.back();
      unsettled_.pop_back();
      settle(v,
             graph_.foreign_fails[v->sequence - 1'000'000] ? std::make_shared<failure>() : nullptr);
      return true;
    }
    for (auto one = watched_.begin(); one != watched_.end(); ++one) {
      if ((*one)->pending()) continue;
      const auto v = *one;
      watched_.erase(one);
      ordering_.resolved(*v, decisions_);
      act();
      return true;
    }
    return false;
  }

  bool report(std::size_t lane) {
    auto& missed = lanes_[lane].missed;
    if (!missed.empty()) {
      for (const auto& run : std::exchange(missed, {}))
        ordering_.came_early(*run, static_cast<int>(lane));
      act();
      return true;
    }
    auto& done = lanes_[lane].done;
    if (done.empty()) return false;
    const auto count = static_cast<std::ptrdiff_t>(1 + below(done.size()));
    for (auto i = 0; i < count; ++i)
      ordering_.finished(std::move(done[static_cast<std::size_t>(i)]), decisions_);
    done.erase(done.begin(), done.begin() + count);
    act();
    return true;
  }

  void act() {
    ordering_.release(decisions_, clock_);
    const auto live = device_->memory()->live();
    constexpr std::size_t rounding = 64;  // of each allocation
    over_limit |= credit_.strict() && live > credit_.limit() + rounding * graph_.nodes.size();
    for (const auto& t : decisions_.ended) {
      ++ended[t->sequence - 1];
      land(t->sequence);  // if it was taken back before, and failed now
      ++count_ended_;
    }
    std::map<int, batch_ref> batches;
    for (const auto& r : decisions_.releases) {
      auto& tasks = batches[r.lane];
      if (!tasks) tasks = batch_ref(new batch);
      tasks->push_back(task_ptr(r.task));
      const auto i = r.task->sequence - 1;
      if (wants_.contains(i)) {  // it was taken back
        ++moved;
        continue;
      }
      std::size_t wanted = 0;
      for (const auto& out : r.task->outputs) wanted += out->fits_inline() ? 0 : out->bytes();
      if (wanted > 0 && live + granted_ + wanted > credit_.limit())
        over_limit |= !credit_.strict() && !flying_.empty() && *flying_.begin() < r.task->sequence;
      granted_ += wanted;
      wants_[i] = wanted;
      flying_.insert(r.task->sequence);
    }
    for (auto& [lane, tasks] : batches) {
      const assignment_ref sent(new assignment(std::move(tasks)));
      ordering_.sent(lane, sent);
      lanes_[static_cast<std::size_t>(lane)].mailbox.push_back({sent, {}});
    }
    for (const auto& h : decisions_.helps) {
      for (const int lane : h.lanes)
        lanes_[static_cast<std::size_t>(lane)].mailbox.push_back({nullptr, h.run});
    }
    for (const auto& one : decisions_.watches) watched_.push_back(one.value);
    decisions_.clear();
  }

  void done(std::size_t lane, task_ptr t) {
    land(t->sequence);
    lanes_[lane].done.push_back(std::move(t));
  }

  void land(std::uint64_t sequence) {
    if (flying_.erase(sequence)) granted_ -= wants_[sequence - 1];
  }

  /// Performs a lane's next action; returns false if the lane must wait.
  bool step(std::size_t lane) {
    for (auto& run : open_) {
      if (run.lanes.contains(lane)) {
        if (!run.owned || (run.lanes.size() > 1 && below(2) == 0)) run.lanes.erase(lane);
        else end_shared(lane, run);
        return true;
      }
    }
    auto& l = lanes_[lane];
    if (l.current) return go_on(lane);
    if (l.left && !l.left->empty()) {
      l.current = l.left->pop_front();
      statuses_[lane].begin(l.current->sequence, clock_);
      if (below(2) && !l.left->empty()) l.place->put(std::exchange(l.left, nullptr));
      return true;
    }
    if (l.mailbox.empty()) return false;
    const auto first = std::move(l.mailbox.front());
    l.mailbox.pop_front();
    if (first.help) {
      help(lane, first.help);
    } else {
      l.place = first.tasks;
      l.left = l.place->take();
    }
    return true;
  }

  /// Runs the task that a lane has begun, unless it waits for inputs or takes its time.
  bool go_on(std::size_t lane) {
    auto& l = lanes_[lane];
    if (inputs_pending(*l.current)) return false;
    if (below(4) == 0) return true;
    statuses_[lane].rest();
    start(lane, std::move(l.current));
    if (!l.left) l.left = l.place->take();
    return true;
  }

  bool inputs_pending(const task& t) {
    for (const auto& in : t.inputs) {
      if (!in.source || !in.source->pending()) continue;
      bool open = false;
      for (const auto& run : open_) {
        for (const auto& out : run.task->outputs) open |= out == in.source;
      }
      too_early |= !open;
      return true;
    }
    return false;
  }

  void help(std::size_t lane, const reference<shared_run>& shared) {
    for (auto& run : open_) {
      if (run.shared == shared) run.lanes.insert(lane);
    }
    if (shared->opened()) return;
    if (below(2) == 0 || !shared->try_claim()) return leave_early(lane, shared);
    auto& t = shared->subject();
    const bool pending =
        std::ranges::any_of(t.inputs, [](auto& in) { return in.source && in.source->pending(); });
    if (pending || t.sequence <= cancelled_through_) {
      shared->unclaim();
      return leave_early(lane, shared);
    }
    shared->start();
    open_.push_back({&t, shared, {lane}, false});
  }

  void leave_early(std::size_t lane, const reference<shared_run>& shared) {
    REQUIRE(shared->leave_early());
    lanes_[lane].missed.push_back(shared);
  }

  void start(std::size_t lane, task_ptr t) {
    const bool cancelled = t->sequence <= cancelled_through_;
    if (t->shared) {
      const auto open = std::ranges::find(open_, t.get(), &open_run::task);
      if (open != open_.end()) {
        open->owned = true;
        open->lanes.insert(lane);
      } else {
        REQUIRE(t->shared->claim());
        if (cancelled) t->fail("cancelled", failure::reason::cancelled);
        if (cancelled) t->shared->close();
        else t->shared->start();
        open_.push_back({t.get(), t->shared, {lane}, true});
      }
      t.release();
      return;
    }
    if (cancelled) t->fail("cancelled", failure::reason::cancelled);
    else execution(*t, *device_).run();
    done(lane, std::move(t));
  }

  void end_shared(std::size_t lane, open_run& run) {
    std::int64_t chunks = 0;
    ticks until = 0;
    REQUIRE(run.shared->join(0, true, chunks, until));
    task_ptr owned(run.task);
    std::erase_if(open_, [&](const open_run& r) { return r.task == owned.get(); });
    done(lane, std::move(owned));
  }

  void cancel() {
    cancelled_through_ = added_;
    ordering_.cancel(decisions_);
    act();
  }

  const random_graph& graph_;
  std::mt19937_64 random_;
  std::shared_ptr<driver> device_;
  memory_credit credit_;
  std::vector<lane_status> statuses_;
  ordering ordering_;
  decisions decisions_;
  std::vector<lane_model> lanes_;
  std::vector<open_run> open_;
  std::vector<value_ref> foreign_, unsettled_, watched_;
  std::vector<std::vector<value_ref>> values_;
  std::size_t added_ = 0, count_ended_ = 0, granted_ = 0;
  std::set<std::uint64_t> flying_;  // tasks in flight
  std::uint64_t cancelled_through_ = 0;
  std::map<std::size_t, std::size_t> wants_;
  ticks clock_ = 1;

 public:
  std::vector<int> runs;        ///< chunks that each task ran
  std::vector<int> ended;       ///< number of times each was reported as ended
  std::size_t moved = 0;        ///< tasks that were taken back and released again
  int alive = 0;                ///< tasks that have not been destroyed
  bool too_early = false;       ///< a lane reached a task with an input that no lane was computing
  bool not_all_listed = false;  ///< a listing lacked a task, or had one too many
  bool over_limit = false;      ///< memory was granted beyond the limit behind a task in flight
};

}  // namespace troupe::testing
