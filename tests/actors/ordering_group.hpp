// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "troupe/tests/actors/ordering_bench.hpp"

namespace troupe::testing {

/// The orderings of a runtime. Each has its own memory. Messages between them are under way for a
/// while, and some tasks never end.
class ordering_group {
 public:
  ordering_group(std::size_t orderings, int lanes, std::uint64_t seed, std::size_t room = 0)
      : random_(seed),
        everywhere_(std::make_shared<program_order>(orderings)),
        mail_(orderings),
        watched_(orderings) {
    for (std::size_t i = 0; i < orderings; ++i)
      all_.push_back(std::make_unique<ordering_bench>(static_cast<int>(i), everywhere_, lanes,
                                                      std::size_t{1} << 30, room));
  }

  /// Submits a task to an ordering; tasks are numbered from 1.
  value_ref add(std::size_t to, const std::vector<value_ref>& inputs, std::int64_t elements = 1,
                float nanoseconds = 0) {
    all_[to]->number_from(++count_);
    homes_.push_back(to);
    everywhere_->expect(to, 1);
    return all_[to]->add(nanoseconds, inputs, elements);
  }

  /// Lets one thing happen, drawn at random; returns false if nothing did.
  bool happen() {
    const auto at = random_() % all_.size();
    if (!mail_[at].empty() && random_() % 2) {
      mail_[at].front()();
      mail_[at].pop_front();
      act(at);
      return true;
    }
    act(at);
    std::vector<std::uint64_t> able;
    for (const auto t : running_) {
      if (homes_[t - 1] == at && !hanging.contains(t) && all_[at]->can_run(t)) able.push_back(t);
    }
    if (able.empty()) return false;
    const auto t = able[random_() % able.size()];
    running_.erase(t);
    all_[at]->end(t);
    act(at);
    most_live = std::max(most_live, live());
    return true;
  }
  /// Lets things happen until nothing does for long.
  void settle() {
    for (int idle = 0; idle < 200;) idle = happen() ? 0 : idle + 1;
  }

  /// Returns the bytes that all results take together.
  std::size_t live() const {
    std::size_t bytes = 0;
    for (const auto& one : all_) bytes += one->device_memory()->live();
    return bytes;
  }
  bool in_flight(const value& v) const { return running_.contains(v.sequence); }
  ordering_bench& operator[](std::size_t i) { return *all_[i]; }

  std::set<std::uint64_t> hanging;  ///< tasks that do not end
  std::size_t most_live = 0;

 private:
  void act(std::size_t at) {
    auto& one = *all_[at];
    for (const auto& p : one.release()) running_.insert(p.task);
    for (auto& v : one.watches) watched_[at].push_back(std::move(v));
    one.watches.clear();
    for (auto& v : std::exchange(one.wants, {})) {
      const auto home = static_cast<std::size_t>(v->home);
      mail_[home].push_back([&other = *all_[home], v] { other.wanted(*v); });
    }
    for (auto& v : std::exchange(one.unneeded, {})) {
      const auto home = static_cast<std::size_t>(v->home);
      mail_[home].push_back([&other = *all_[home], v] {
        other.cancel(*v, 2, true);  // the message's reference, and that of who watches
        other.wanted(*v);
      });
    }
    std::erase_if(watched_[at], [&](const value_ref& v) {
      if (v->pending()) return false;
      mail_[at].push_back([&one, v] { one.resolved(*v); });
      return true;
    });
    if (!one.others_look) return;
    for (auto& box : mail_) box.push_back([] {});
  }

  std::mt19937_64 random_;
  std::shared_ptr<program_order> everywhere_;
  std::vector<std::unique_ptr<ordering_bench>> all_;
  std::vector<std::deque<std::function<void()>>> mail_;
  std::vector<std::vector<value_ref>> watched_;
  std::vector<std::size_t> homes_;  ///< by task
  std::set<std::uint64_t> running_;
  std::uint64_t count_ = 0;
};

}  // namespace troupe::testing
