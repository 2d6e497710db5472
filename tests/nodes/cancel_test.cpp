// SPDX-License-Identifier: MIT
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>

#include "troupe/tests/error_of.hpp"
#include "troupe/tests/nodes/pair_of_machines.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using namespace std::chrono_literals;
using troupe::testing::comes_true;
using troupe::testing::error_of;
using troupe::testing::pair_of_machines;

namespace {

std::atomic<bool> held = false;
std::atomic<int> begun = 0;

/// Passes a value on once it is let go.
void hold(const inputs& in, outputs& out) {
  ++begun;
  held.wait(true);
  out[0].span<float>()[0] = in[0].span<float>()[0];
}

/// An owner whose node is held up: its two lanes run tasks that end when they are let go.
struct held_node {
  pair_of_machines all;
  runtime rt;
  device far = cpu(0, node(1));
  tensor one, first, second;

  held_node() : rt((register_held(), all.owner())), one(ones({1}).to(far)) {
    one.wait();
    held = true;
    begun = 0;
    first = holding();
    second = holding();
    REQUIRE(comes_true([] { return begun == 2; }));
  }
  held_node(const held_node&) = delete;
  held_node& operator=(const held_node&) = delete;
  ~held_node() { let_go(); }

  static void register_held() {
    static const bool once = (register_operation("hold", hold), true);
    REQUIRE(once);
  }
  tensor holding() const { return behind(one); }
  static tensor behind(const tensor& x) {
    return call("hold", {x}, {{float32, {1}}}, {.cost = 10us})[0];
  }
  static void let_go() {
    held = false;
    held.notify_all();
  }
  /// The node has so many tasks, or will have soon.
  bool has(std::size_t tasks) {
    return comes_true([&] { return all.far.pending() == tasks; });
  }
  void check_that_the_rest_runs() {
    let_go();
    CHECK(first.item<float>() == 1);
    CHECK((second + one).item<float>() == 2);
  }
};

}  // namespace

TEST_CASE("what waits on a node behind what runs there is cancelled at once, and what reads it") {
  held_node at;
  const auto x = at.holding(), y = at.behind(x) * 2, third = at.holding();
  REQUIRE(at.has(6));
  const auto listed = at.rt.tasks();
  REQUIRE(listed.size() == 6);
  CHECK(listed.front().state == task_state::status::running);
  CHECK(listed.back().state == task_state::status::sent);
  cancel(third);
  CHECK_THROWS_AS(third.wait(), cancelled_error);
  cancel(x);
  CHECK_THROWS_AS(x.wait(), cancelled_error);
  CHECK_THROWS_AS(y.wait(), cancelled_error);
  CHECK(error_of([&] { y.wait(); }).find("hold: cancelled") == 0);
  CHECK(at.has(2));
  CHECK_FALSE(at.first.ready());
  at.check_that_the_rest_runs();
  CHECK(begun == 2);
}

TEST_CASE("of what a node has, what only a cancelled value needs is cancelled with it") {
  held_node at;
  const auto kept = at.holding();
  auto x = at.behind(kept);
  for (int i = 0; i < 20; ++i) x = at.behind(x);
  REQUIRE(at.has(24));
  cancel(x);
  CHECK_THROWS_AS(x.wait(), cancelled_error);
  CHECK(at.has(3));
  at.check_that_the_rest_runs();
  CHECK(kept.item<float>() == 1);
  CHECK(begun == 3);
}

TEST_CASE("cancel_all reaches what waits on a node") {
  held_node at;
  auto x = at.holding();
  for (int i = 0; i < 20; ++i) x = at.behind(x);
  REQUIRE(at.has(23));
  at.rt.cancel_all();
  CHECK_THROWS_AS(x.wait(), cancelled_error);
  CHECK(at.has(2));
  at.let_go();
  CHECK((at.one + 1).item<float>() == 2);
  CHECK(begun == 2);
}
