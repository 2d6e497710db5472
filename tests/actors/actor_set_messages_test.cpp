// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/tests/actors/actor_bench.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

const operation transfer_operation{.name = "to", .doc = "For tests.", .transfer = true};

/// The whole actor set, on the testing scheduler.
struct actor_set_bench : actor_bench {
  actor_set all = spawn_actors(*system, shared);

  explicit actor_set_bench(int devices = 2, int lanes = 2) : actor_bench(devices, lanes) {
    run();
    keep(all.frontend);
    for (const auto& one : all.dependencies) keep(one);
    for (const auto& one : all.lanes) keep(one);
  }

  value_ref submit(task_ptr t) {
    const auto v = t->outputs[0];
    if (shared->submit(std::move(t), true)) caf::anon_send(all.frontend, tasks_submitted{});
    return v;
  }
  value_ref copy(const value_ref& from, int to) {
    auto t = numbered(0, {from}, 200, succeed, to);
    t->op = &transfer_operation;
    t->kernel = nullptr;
    return submit(std::move(t));
  }
};

}  // namespace

TEST_CASE(
    "the actor set has a frontend, a dependency actor for each device and one for copies, and "
    "lanes") {
  actor_set_bench s(2, 3);
  CHECK(s.all.dependencies.size() == 4);
  CHECK(s.all.lanes.size() == 8);
  CHECK(s.all.lane_names == lines{"cpu:0 lane 0", "cpu:0 lane 1", "cpu:0 lane 2", "cpu:1 lane 0",
                                  "cpu:1 lane 1", "cpu:1 lane 2", "copy to cpu:0",
                                  "copy to cpu:1"});
}

TEST_CASE("a program over two devices runs through: compute, copy, compute, copy back") {
  actor_set_bench s;
  const auto a = s.submit(s.numbered(0)), there = s.copy(a, 1);
  const auto b = s.submit(s.numbered(
      0, {there}, 200,
      [](const kernel_args& k, auto, auto) { *begin(k.outputs[0]) = *begin(k.inputs[0]) + 10; },
      1));
  const auto back = s.copy(b, 0);
  CHECK(back->pending());
  s.run();
  REQUIRE(back->ready());
  CHECK(*static_cast<double*>(back->data()) == 11);
  CHECK(s.shared->window.pending() == 0);
}

TEST_CASE("a failure propagates across devices") {
  actor_set_bench s;
  const auto bad = s.submit(s.numbered(0, {}, 200, actor_bench::fail)), there = s.copy(bad, 1),
             after = s.submit(s.numbered(0, {there}, 200, actor_bench::succeed, 1)),
             beside = s.submit(s.numbered(0));
  s.run();
  REQUIRE(after->failed());
  CHECK(after->why() == bad->why());
  CHECK(beside->ready());
}

TEST_CASE("tasks cancelled before the frontend saw them fail on all devices, and new work runs") {
  actor_set_bench s;
  const auto a = s.submit(s.numbered(0)), there = s.copy(a, 1),
             b = s.submit(s.numbered(0, {there}, 200, actor_bench::succeed, 1));
  caf::anon_send(s.all.frontend, cancel_tasks{});
  s.run();
  for (const auto& v : {a, there, b}) {
    INFO(v->sequence);
    CHECK_FALSE(v->pending());
  }
  CHECK(b->failed());
  CHECK(s.shared->window.pending() == 0);
  const auto later = s.submit(s.numbered(0));
  s.run();
  CHECK(later->ready());
}

TEST_CASE("an actor set that quits with work in every mailbox leaves no value pending") {
  std::vector<value_ref> all;
  for (std::size_t messages = 0; messages < 40; ++messages) {
    actor_set_bench s;
    auto a = s.submit(s.numbered(0));
    for (int i = 0; i < 20; ++i) {
      all.push_back(s.submit(s.numbered(0, {a}, i % 3 ? 200 : 1e6f)));
      if (i % 4 == 0) all.push_back(s.copy(a, 1));
      a = all.back()->device == cpu(0) ? all.back() : a;
    }
    all.push_back(a);
    s.run(messages);
  }
  for (const auto& v : all) CHECK_FALSE(v->pending());
}

TEST_CASE(
    "a request for several values visits their dependency actors in order and is answered once") {
  actor_set_bench s;
  const auto a = s.submit(s.numbered(0, {}, 1e6f)), there = s.copy(a, 1),
             b = s.submit(s.numbered(0, {there}, 1e6f, actor_bench::succeed, 1)),
             bad = s.submit(s.numbered(0, {a}, 1e6f, actor_bench::fail));
  caf::scoped_actor self{*s.system}, other{*s.system};
  auto good = self->request(s.all.frontend, caf::infinite, request_for(b, a, there, b));
  auto failing = other->request(s.all.frontend, caf::infinite, request_for(b, bad, a));
  s.run();
  CHECK(self->mailbox().size() == 1);
  value_ref first;
  good.receive([&](const value_resolved& m) { first = m.value; }, [](const caf::error&) {});
  CHECK(first == b);
  std::string text;
  failing.receive([](const value_resolved&) {},
                  [&](const caf::error& e) { text = error_of(e).what(); });
  CHECK_THAT(text, Catch::Contains("body: on purpose"));
}

TEST_CASE("a request that arrives before its tasks were taken is answered after them") {
  actor_set_bench s;
  const auto v = s.submit(s.numbered(0));
  caf::scoped_actor self{*s.system};
  auto value = self->request(s.all.frontend, caf::infinite, request_for(v));
  caf::scoped_actor other{*s.system};
  auto everything = other->request(s.all.frontend, caf::infinite, await_all{});
  s.run();
  bool there = false, done = false;
  value.receive([&](const value_resolved& m) { there = m.value->ready(); },
                [](const caf::error&) {});
  everything.receive([&](const all_done&) { done = true; }, [](const caf::error&) {});
  CHECK(there);
  CHECK(done);
}
