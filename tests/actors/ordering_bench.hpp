// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>

#include "troupe/actors/ordering.hpp"
#include "troupe/tests/actors/simulated_device.hpp"
#include "troupe/tests/actors/simulated_task.hpp"

namespace troupe::testing {

/// Single ordering: tasks are added by hand, and its decisions are recorded.
class ordering_bench {
 public:
  explicit ordering_bench(int lanes, memory_bound limit = std::size_t{1} << 30,
                          int lane_behind = -1)
      : ordering_bench(lanes, limit, lane_behind, 0, nullptr, 0) {}
  /// Ordering number `home` of several that share `everywhere`, with room for so many bytes of
  /// others' results.
  ordering_bench(int home, std::shared_ptr<program_order> everywhere, int lanes,
                 memory_bound limit = std::size_t{1} << 30, std::size_t room = 0)
      : ordering_bench(lanes, limit, -1, home, std::move(everywhere), room) {}

  struct place {
    std::uint64_t task;
    int lane;
    friend bool operator==(const place&, const place&) = default;
  };

  struct help {
    reference<shared_run> run;
    int lane;
  };

  /// Adds a task with one output that reads `inputs`; tasks are numbered from 1.
  value_ref add(float nanoseconds, const std::vector<value_ref>& inputs = {},
                std::int64_t elements = 1, std::int64_t chunks = 0, double bytes = 0) {
    auto t = make_task(count_++, nanoseconds, alive, runs_, chunks);
    t->cost.bytes = bytes;
    t->priority = static_cast<std::int8_t>(priority);
    t->lane = static_cast<std::int16_t>(bound_lane);
    t->budget = budget_scope::grant_for(t->device);
    const auto out = make_value(home_, t->sequence, elements);
    for (const auto& v : inputs) {
      read(*t, v);
      if (v->home != home_ && v->pending()) v->note_reader_elsewhere();
    }
    t->add_output(out);
    t->output_bytes += scratch;
    ordering_.add(std::move(t));
    return out;
  }

  /// Lets the next task have this number.
  void number_from(std::uint64_t sequence) { count_ = sequence - 1; }

  /// Returns the tasks released now, in order.
  std::vector<place> release() {
    ordering_.release(decisions_);
    std::vector<place> out;
    for (const auto& r : decisions_.releases) {
      out.push_back({r.task->sequence, r.lane});
      in_flight_.emplace(r.task->sequence, r.task);
    }
    helps.clear();
    for (const auto& h : decisions_.helps) {
      for (const int lane : h.lanes) helps.push_back({h.run, lane});
    }
    watches.clear();
    wants = std::move(decisions_.wants);
    for (const auto& one : decisions_.watches) {
      watches.push_back(one.value);
      if (one.wanted) wants.push_back(one.value);
    }
    unneeded = std::move(decisions_.unneeded);
    others_look = decisions_.others_look;
    for (const auto& t : decisions_.ended) ended.push_back(t->sequence);
    decisions_.clear();
    return out;
  }

  /// Runs a task in flight. Its outputs take memory.
  void run(std::uint64_t sequence) { execution(*in_flight_.at(sequence), *device_).run(); }
  /// Returns true if all inputs of a task in flight are computed.
  bool can_run(std::uint64_t sequence) const {
    return std::ranges::none_of(in_flight_.at(sequence)->inputs,
                                [](auto& in) { return in.source && in.source->pending(); });
  }
  /// Reports the end of a task that has run.
  void report(std::uint64_t sequence) {
    ordering_.finished(std::move(in_flight_.extract(sequence).mapped()), decisions_);
  }
  void end(std::uint64_t sequence) {
    run(sequence);
    report(sequence);
  }

  /// Returns "3 waiting for 1 2" for each task, in program order; the lane is added if the task is
  /// on one.
  std::vector<std::string> list(std::span<const lane_status> statuses = {}) const {
    std::vector<task_state> all;
    ordering_.list(all, statuses, 0);
    std::ranges::sort(all, {}, &task_state::sequence);
    std::vector<std::string> lines;
    for (const auto& s : all) {
      auto& line = lines.emplace_back(std::to_string(s.sequence) + " ");
      line += to_string(s.state);
      if (s.lane >= 0) line += " on " + std::to_string(s.lane);
      if (!s.waits_for.empty()) line += " for";
      for (auto one : s.waits_for) line += " " + std::to_string(one);
    }
    return lines;
  }

  void cancel() { ordering_.cancel(decisions_); }
  /// Cancels the task of a value; `elsewhere` references to it are the caller's.
  void cancel(const value& v, std::uint32_t elsewhere = 0, bool only_if_unneeded = false) {
    ordering_.cancel(
        v, only_if_unneeded, [&](const value& of) { return &of == &v ? elsewhere : 0; },
        decisions_);
  }
  void resolved(const value& v) { ordering_.resolved(v, decisions_); }
  bool wanted(const value& v) { return ordering_.wanted(v); }
  void came_early(const help& h) { ordering_.came_early(*h.run, h.lane); }
  const std::shared_ptr<memory>& device_memory() const { return device_->memory(); }
  const ordering& subject() const noexcept { return ordering_; }

 private:
  ordering_bench(int lanes, memory_bound limit, int lane_behind, int home,
                 std::shared_ptr<program_order> everywhere, std::size_t room)
      : device_(simulated_device(lanes, limit.bytes)),
        credit_(device_->memory(), limit),
        home_(home),
        ordering_(home, lanes, {{device_.get(), &credit_, lane_behind}}, std::move(everywhere), {},
                  room) {}

  std::shared_ptr<driver> device_;
  memory_credit credit_;
  int home_;

 public:
  int alive = 0;
  int priority = 0;                  ///< of the tasks that are added
  int bound_lane = -1;               ///< the only one that may run them; -1: any
  std::vector<std::uint64_t> ended;  ///< tasks reported as ended
  std::vector<help> helps;
  std::vector<value_ref> watches, wants;
  std::vector<value_ref> unneeded;
  bool others_look = false;
  std::size_t scratch = 0;  ///< bytes that each task added from now on takes as it runs

 private:
  int runs_ = 0;
  std::uint64_t count_ = 0;
  ordering ordering_;
  decisions decisions_;
  std::map<std::uint64_t, task_ptr> in_flight_;
};

constexpr float short_task = 300, medium_task = 100'000, long_task = 100'000'000;

inline constexpr std::int64_t kibibyte = 128;  // in elements of 8 bytes

using places = std::vector<ordering_bench::place>;

}  // namespace troupe::testing

template <>
struct Catch::StringMaker<troupe::testing::ordering_bench::place> {
  static std::string convert(const troupe::testing::ordering_bench::place& p) {
    return std::to_string(p.task) + " on lane " + std::to_string(p.lane);
  }
};
