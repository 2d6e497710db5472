// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <deque>

#include "troupe/tests/actors/ordering_bench.hpp"
#include "troupe/tests/actors/simulated_device.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

constexpr ticks soon = 1'000'000, late = 1'000'000'000'000;
// Leaves room behind it on a lane, but not for a small task if another lane has nothing to do.
constexpr float underestimated = 250'000;

/// Ordering whose tasks travel in assignments to lanes that show what they are at.
class watched_bench {
 public:
  explicit watched_bench(int lanes)
      : device_(simulated_device(lanes, memory_limit)),
        credit_(device_->memory(), memory_limit),
        statuses_(static_cast<std::size_t>(lanes)),
        ordering_(0, lanes, {{device_.get(), &credit_}}, nullptr, statuses_),
        lanes_(static_cast<std::size_t>(lanes)) {}

  value_ref add(float nanoseconds, const std::vector<value_ref>& inputs = {}) {
    auto t = make_task(count_++, nanoseconds, alive, runs_);
    const auto out = make_value(0, t->sequence);
    for (const auto& v : inputs) read(*t, v);
    t->add_output(out);
    ordering_.add(std::move(t));
    return out;
  }

  /// Returns the tasks released at a time, in order.
  places release(ticks time) {
    ordering_.release(decisions_, time);
    places out;
    for (const auto& r : decisions_.releases) out.push_back({r.task->sequence, r.lane});
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      batch_ref tasks;
      for (const auto& r : decisions_.releases) {
        if (r.lane != static_cast<int>(lane)) continue;
        if (!tasks) tasks = batch_ref(new batch);
        tasks->push_back(task_ptr(r.task));
      }
      if (!tasks) continue;
      const assignment_ref sent(new assignment(std::move(tasks)));
      ordering_.sent(static_cast<int>(lane), sent);
      lanes_[lane].mailbox.push_back(sent);
    }
    ended += decisions_.ended.size();
    decisions_.clear();
    return out;
  }

  /// Makes a lane begin its next task; returns its number, or 0 if there is none.
  std::uint64_t begin(int lane) {
    auto& l = lanes_[static_cast<std::size_t>(lane)];
    l.current = nullptr;
    while (!l.current && !l.mailbox.empty()) {
      auto left = l.mailbox.front()->take();
      if (left) l.current = left->pop_front();
      if (left && !left->empty()) l.mailbox.front()->put(std::move(left));
      else l.mailbox.pop_front();
    }
    if (!l.current) return 0;
    statuses_[static_cast<std::size_t>(lane)].begin(l.current->sequence, 1);
    return l.current->sequence;
  }
  void end(int lane) {
    auto& l = lanes_[static_cast<std::size_t>(lane)];
    execution(*l.current, *device_).run();
    statuses_[static_cast<std::size_t>(lane)].rest();
    ordering_.finished(std::move(l.current), decisions_);
  }

 private:
  struct lane_model {
    std::deque<assignment_ref> mailbox;
    task_ptr current;
  };

  static constexpr std::size_t memory_limit = std::size_t{1} << 30;
  std::shared_ptr<driver> device_;
  memory_credit credit_;

 public:
  int alive = 0;
  std::size_t ended = 0;

 private:
  int runs_ = 0;
  std::uint64_t count_ = 0;
  std::vector<lane_status> statuses_;
  ordering ordering_;
  decisions decisions_;
  std::vector<lane_model> lanes_;
};

}  // namespace

TEST_CASE("what an overdue lane has not begun goes to an idle lane, with its followers") {
  watched_bench bench(2);
  bench.add(underestimated);
  bench.add(underestimated);
  const auto ones = bench.add(short_task);
  bench.add(short_task, {bench.add(short_task, {ones})});
  REQUIRE(bench.release(soon) == places{{1, 0}, {2, 1}, {3, 0}, {4, 0}, {5, 0}});
  bench.begin(0);
  bench.begin(1);
  bench.end(1);
  CHECK(bench.release(late) == places{{3, 1}, {4, 1}, {5, 1}});
  for (const std::uint64_t t : {3, 4, 5}) {
    CHECK(bench.begin(1) == t);
    bench.end(1);
  }
  bench.end(0);
  CHECK(bench.begin(0) == 0);
  bench.release(late);
  CHECK(bench.ended == 5);
  CHECK(bench.alive == 0);
}

TEST_CASE("a lane keeps its tasks while its current one takes no longer than estimated") {
  watched_bench bench(2);
  bench.add(underestimated);
  bench.add(underestimated);
  bench.add(short_task);
  REQUIRE(bench.release(soon) == places{{1, 0}, {2, 1}, {3, 0}});
  bench.begin(0);
  bench.begin(1);
  bench.end(1);
  CHECK(bench.release(soon + 1'000'000).empty());
  bench.end(0);
  CHECK(bench.begin(0) == 3);
  bench.end(0);
  bench.release(soon + 2'000'000);
}

TEST_CASE("a task taken back that also waits for the overdue one goes when that has ended") {
  watched_bench bench(2);
  const auto slow = bench.add(underestimated);
  bench.add(underestimated);
  bench.add(short_task, {slow, bench.add(short_task)});
  REQUIRE(bench.release(soon) == places{{1, 0}, {2, 1}, {3, 0}, {4, 0}});
  bench.begin(0);
  bench.begin(1);
  bench.end(1);
  CHECK(bench.release(late) == places{{3, 1}});
  bench.begin(1);
  bench.end(1);
  CHECK(bench.release(late).empty());
  bench.end(0);
  CHECK(bench.release(late) == places{{4, 0}});
  CHECK(bench.begin(0) == 4);
  bench.end(0);
  bench.release(late);
  CHECK(bench.ended == 4);
}

TEST_CASE("an overdue lane is given nothing more") {
  watched_bench bench(2);
  bench.add(short_task);
  REQUIRE(bench.release(soon) == places{{1, 0}});
  bench.begin(0);
  bench.add(short_task);
  CHECK(bench.release(late) == places{{2, 1}});
  bench.begin(1);
  bench.add(short_task);
  CHECK(bench.release(2 * late).empty());  // both are
  bench.end(0);
  CHECK(bench.release(2 * late) == places{{3, 0}});
  bench.begin(0);
  bench.end(0);
  bench.end(1);
}

TEST_CASE("what found no other lane is taken back as soon as one has room") {
  watched_bench bench(2);
  bench.add(underestimated);
  bench.add(long_task);
  bench.add(short_task);
  REQUIRE(bench.release(soon) == places{{1, 0}, {2, 1}, {3, 0}});
  bench.begin(0);
  bench.begin(1);
  const ticks time = 100'000'000;  // the second lane is within its estimate
  CHECK(bench.release(time).empty());
  bench.end(1);
  CHECK(bench.release(time + 1) == places{{3, 1}});
  bench.begin(1);
  bench.end(1);
  bench.end(0);
}

TEST_CASE("tasks chained behind one that is taken back follow it") {
  watched_bench bench(2);
  bench.add(underestimated);
  bench.add(underestimated);
  // More than a lane is given ahead: the rest is chained.
  value_ref x = bench.add(3'000);
  for (int i = 0; i < 1'200; ++i) x = bench.add(3'000, {x});
  const auto released = bench.release(soon);
  REQUIRE(released.size() > 3);
  REQUIRE(released.size() < 1'200);
  bench.begin(0);
  bench.begin(1);
  bench.end(1);
  CHECK(bench.release(late).size() >= released.size() - 2);
  std::size_t done = 0;
  for (ticks time = late; bench.begin(1) != 0; ++time, ++done) {
    bench.end(1);
    bench.release(time);
  }
  CHECK(done == 1'201);
  CHECK(x->ready());
  bench.end(0);
}
