// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "troupe/actors/ordering.hpp"
#include "troupe/tests/actors/simulated_device.hpp"
#include "troupe/tests/actors/simulated_task.hpp"

namespace troupe::testing {

/// Simulation of the orderings of a runtime and their lanes, all in one thread: each step performs
/// one of the possible next events, drawn at random. Every message is under way for a while. Two
/// orderings may share a device's memory, as the one for copies does. Some tasks keep to a budget,
/// a quarter of it. If the user cancels some of the latest values, tasks have priorities, too.
class several_orderings {
 public:
  several_orderings(const random_graph& graph, std::size_t orderings, int lanes,
                    std::size_t memories, std::size_t limit, std::uint64_t seed,
                    bool cancels = false)
      : graph_(graph),
        cancels_(cancels),
        random_(seed),
        everywhere_(std::make_shared<program_order>(orderings)),
        runs_(graph.nodes.size()) {
    for (std::size_t i = 0; i < memories; ++i) {
      auto& one = memories_.emplace_back(std::make_unique<device_memory>());
      one->device = simulated_device(lanes, limit);
      one->credit = std::make_unique<memory_credit>(one->device->memory(), limit);
      one->device->memory()->set_listener(std::make_shared<news>(one->freed));
      one->budget = std::make_shared<memory_budget>(cpu(), one->device->memory(), limit / 4);
    }
    for (std::size_t i = 0; i < orderings; ++i) {
      auto& one = places_.emplace_back(std::make_unique<place>());
      one->memory = memories_[i % memories].get();
      one->subject = std::make_unique<ordering>(
          static_cast<int>(i), lanes,
          std::vector<ordering::place>{{one->memory->device.get(), one->memory->credit.get()}},
          everywhere_);
      one->lanes.resize(static_cast<std::size_t>(lanes));
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      homes_.push_back(below(orderings));
      budgeted_.push_back(below(3) == 0);
    }
    settled_.resize(graph.nodes.size());
    succeeded_.resize(graph.nodes.size());
    cancelled_.resize(graph.nodes.size());
  }
  ~several_orderings() {
    for (auto& one : memories_) one->device->memory()->set_listener(nullptr);
  }
  several_orderings(const several_orderings&) = delete;
  several_orderings& operator=(const several_orderings&) = delete;

  /// Runs until all tasks have ended or no event is possible for long.
  void run() {
    for (int idle = 0; idle < 2'000 && ended < graph_.nodes.size();) idle = happen() ? 0 : idle + 1;
  }

  const std::vector<std::vector<value_ref>>& values() const noexcept { return values_; }

  /// Returns true if a task has computed its results.
  bool succeeded(std::size_t i) const { return succeeded_[i]; }
  /// Returns true if the user cancelled a value of a task, or may not have had one any longer.
  bool may_be_cancelled(std::size_t i) const {
    return cancels_ && (cancelled_[i] || values_[i].empty());
  }

 private:
  struct device_memory {
    std::shared_ptr<driver> device;
    std::unique_ptr<memory_credit> credit;
    std::shared_ptr<memory_budget> budget;
    bool freed = false;
    std::size_t granted = 0;
  };
  /// A task, or the value whose task is to be cancelled.
  struct letter {
    task_ptr task;
    value_ref to_cancel = nullptr;
    bool only_if_unneeded = false;
  };
  struct place {
    device_memory* memory;
    std::unique_ptr<ordering> subject;
    std::deque<letter> inbox;
    std::vector<value_ref> watched;
    bool looks = false;
    std::vector<std::deque<task*>> lanes;
    std::vector<task_ptr> done;
  };
  class news final : public memory_listener {
   public:
    explicit news(bool& to) : to_(to) {}
    void freed() noexcept override { to_ = true; }

   private:
    bool& to_;
  };

  std::size_t below(std::size_t n) { return random_() % n; }

  bool happen() {
    auto& at = *places_[below(places_.size())];
    switch (below(cancels_ ? 8 : 7)) {
      case 0: return submit();
      case 1: return arrive(at);
      case 2: return look(at);
      case 3: return resolve(at);
      case 4: return report(at);
      case 7: return cancel();
      default: return step(at);
    }
  }

  bool submit() {
    const auto i = values_.size();
    if (i == graph_.nodes.size()) return false;
    const auto& node = graph_.nodes[i];
    auto t = make_task(i, node.estimate, alive, runs_[i], 0, node.fails);
    if (cancels_) t->priority = node.priority;
    if (budgeted_[i])
      t->budget = std::make_unique<budget_grant>(places_[homes_[i]]->memory->budget);
    for (const auto& in : node.inputs) {
      const auto& v = values_[in.from][in.output];
      read(*t, v);
      if (v->home != static_cast<int>(homes_[i])) v->note_reader_elsewhere();
    }
    auto& outputs = values_.emplace_back();
    for (std::size_t o = 0; o < node.outputs; ++o) {
      outputs.push_back(make_value(static_cast<int>(homes_[i]), t->sequence, node.elements));
      t->add_output(outputs.back());
    }
    everywhere_->expect(homes_[i], 1);
    places_[homes_[i]]->inbox.push_back({std::move(t)});
    if (i >= 12) values_[i - 12].clear();  // too far back to be read again
    return true;
  }

  bool arrive(place& at) {
    if (at.inbox.empty()) return false;
    auto [t, to_cancel, only_if_unneeded] = std::move(at.inbox.front());
    at.inbox.pop_front();
    if (t) {
      at.subject->add(std::move(t));
    } else {
      at.subject->cancel(
          *to_cancel, only_if_unneeded,
          [&](const value& v) { return watches_of(v) + (&v == to_cancel.get()); }, decisions_);
      // If it is still pending, others need it.
      if (only_if_unneeded) at.subject->wanted(*to_cancel);
    }
    act(at);
    return true;
  }

  bool cancel() {
    if (values_.empty() || below(4) > 0) return false;
    const auto i = values_.size() - 1 - below(std::min<std::size_t>(values_.size(), 12));
    const auto& v = values_[i].front();
    if (cancelled_[i] || !v->pending()) return false;
    cancelled_[i] = true;
    places_[homes_[i]]->inbox.push_back({nullptr, v});
    return true;
  }

  /// Counts the references to a value that other orderings have only to watch it.
  std::uint32_t watches_of(const value& v) const {
    std::ptrdiff_t count = 0;
    for (const auto& one : places_) count += std::ranges::count(one->watched, &v, &value_ref::get);
    return static_cast<std::uint32_t>(count);
  }

  bool look(place& at) {
    if (at.memory->freed) {
      at.memory->freed = false;
      for (auto& one : places_) one->looks |= one->memory == at.memory;
    }
    if (!std::exchange(at.looks, false)) return false;
    act(at);
    return true;
  }

  bool resolve(place& at) {
    const auto one = std::find_if(at.watched.begin(), at.watched.end(),
                                  [](const value_ref& v) { return !v->pending(); });
    if (one == at.watched.end()) return false;
    const auto v = *one;
    at.watched.erase(one);
    at.subject->resolved(*v, decisions_);
    act(at);
    return true;
  }

  bool report(place& at) {
    if (at.done.empty()) return false;
    for (auto& t : std::exchange(at.done, {})) at.subject->finished(std::move(t), decisions_);
    act(at);
    return true;
  }

  bool step(place& at) {
    auto& lane = at.lanes[below(at.lanes.size())];
    if (lane.empty()) return false;
    task_ptr t(lane.front());
    lane.pop_front();
    at.memory->granted -= t->output_bytes;
    settled_[t->sequence - 1] = true;
    if (t->to_be_cancelled()) {
      t->fail("cancelled", failure::reason::cancelled);
    } else {
      const auto result = t->outputs[0];
      execution(*t, *at.memory->device).run();
      succeeded_[t->sequence - 1] = result->ready();
    }
    at.done.push_back(std::move(t));
    return true;
  }

  /// Returns true if a task before this one is in flight anywhere.
  bool earlier_in_flight(std::uint64_t sequence) const {
    for (const auto& one : places_) {
      for (const auto& lane : one->lanes) {
        for (const auto* t : lane) {
          if (t->sequence < sequence) return true;
        }
      }
      for (const auto& t : one->done) {
        if (t->sequence < sequence) return true;
      }
    }
    return false;
  }

  /// Returns true if a task before this one that keeps to no budget has not run.
  bool earlier_to_run(std::uint64_t sequence) const {
    for (std::size_t i = 0; i + 1 < sequence; ++i) {
      if (!settled_[i] && !budgeted_[i]) return true;
    }
    return false;
  }

  void act(place& at) {
    at.subject->release(decisions_);
    for (const auto& t : decisions_.ended) settled_[t->sequence - 1] = true;
    for (const auto& r : decisions_.releases) {
      const auto& t = *r.task;
      auto& memory = *at.memory;
      if (memory.device->memory()->live() + memory.granted + t.output_bytes >
              memory.credit->limit() &&
          t.output_bytes > 0) {
        ++forced;
        too_much |= earlier_in_flight(t.sequence);
      }
      if (t.budget && t.output_bytes > 0 && memory.budget->live() > memory.budget->limit()) {
        ++beyond_budget;
        too_early |= earlier_to_run(t.sequence);
      }
      memory.granted += t.output_bytes;
      at.lanes[static_cast<std::size_t>(r.lane)].push_back(r.task);
    }
    const auto want = [&](const value& v) {
      auto& other = *places_[static_cast<std::size_t>(v.home)];
      other.looks |= other.subject->wanted(v);
    };
    for (const auto& one : decisions_.watches) {
      at.watched.push_back(one.value);
      if (one.wanted) want(*one.value);
    }
    for (const auto& v : decisions_.wants) want(*v);
    for (auto& v : decisions_.unneeded)
      places_[static_cast<std::size_t>(v->home)]->inbox.push_back({nullptr, v, true});
    ended += decisions_.ended.size();
    if (decisions_.others_look) {
      for (auto& one : places_) one->looks = true;
    }
    decisions_.clear();
  }

  const random_graph& graph_;
  const bool cancels_;
  std::mt19937_64 random_;
  std::shared_ptr<program_order> everywhere_;

 public:
  int alive = 0;                  ///< tasks that have not been destroyed
  std::size_t ended = 0;          ///< tasks reported as ended
  std::size_t forced = 0;         ///< tasks released beyond the limit
  bool too_much = false;          ///< one of them while a task before it was in flight
  std::size_t beyond_budget = 0;  ///< tasks released beyond their budget
  bool too_early = false;  ///< one of them before an earlier task, which may free memory, has run

 private:
  std::vector<int> runs_;
  std::vector<std::size_t> homes_;
  std::vector<bool> budgeted_, settled_, succeeded_, cancelled_;
  std::vector<std::vector<value_ref>> values_;
  std::vector<std::unique_ptr<device_memory>> memories_;
  std::vector<std::unique_ptr<place>> places_;
  decisions decisions_;
};

}  // namespace troupe::testing
