// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/actors/dependency.hpp"
#include "troupe/actors/help.hpp"
#include "troupe/tests/actors/actor_bench.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

constexpr float long_task = 1e8f;

/// The dependency actor of cpu:0 among stand-ins: two lanes, the frontend, and the dependency
/// actors of cpu:1 and of the copies.
struct dependency_bench : actor_bench {
  caf::actor lanes[2] = {stand_in("lane 0"), stand_in("lane 1")};
  caf::actor frontend = stand_in("frontend"), other = stand_in("other"),
             copies = stand_in("copies");
  caf::actor subject = keep(system->spawn<dependency>(
      shared, 0, std::vector<caf::actor>{lanes[0], lanes[1]},
      std::vector<ordering::place>{{shared->devices[0].get(), shared->credits[0].get()}}));

  dependency_bench() {
    caf::anon_send(subject, peers{frontend, {subject, other, copies}});
    run();
  }

  template <class... Tasks>
  void order(Tasks... tasks) {
    caf::anon_send(subject, order_tasks{together(std::move(tasks)...)});
    run();
  }
  template <class... Sequences>
  void end(Sequences... sequences) {
    batch_ref all(new batch);
    (all->push_back(perform(static_cast<std::uint64_t>(sequences))), ...);
    caf::anon_send(subject, tasks_done{std::move(all)});
    run();
  }
};

/// Returns true if an answer to a request has arrived.
bool answered(caf::scoped_actor& self) { return !self->mailbox().empty(); }

}  // namespace

TEST_CASE("a task goes to a lane; when it has ended, the frontend is notified") {
  dependency_bench s;
  auto t = s.numbered(1);
  const auto v = t->outputs[0];
  s.order(std::move(t));
  CHECK(s.said->take() == lines{"lane 0: run 1"});
  s.end(1);
  CHECK(s.said->take() == lines{"frontend: ended 1 of epoch 0"});
  CHECK(v->ready());
}

TEST_CASE(
    "a chain goes to its lane in one message before anything has ended, and its end is reported in "
    "one") {
  dependency_bench s;
  auto a = s.numbered(1), b = s.numbered(2, {a->outputs[0]}), c = s.numbered(3, {b->outputs[0]});
  s.order(std::move(a), std::move(b), std::move(c));
  CHECK(s.said->take() == lines{"lane 0: run 1 2 3"});
  s.end(1, 2, 3);
  CHECK(s.said->take() == lines{"frontend: ended 3 of epoch 0"});
}

TEST_CASE("a join of two lanes is released when both have reported their ends") {
  dependency_bench s;
  auto a = s.numbered(1, {}, long_task), b = s.numbered(2, {}, long_task),
       c = s.numbered(3, {a->outputs[0], b->outputs[0]});
  s.order(std::move(a), std::move(b), std::move(c));
  CHECK(s.said->take() == lines{"lane 0: run 1", "lane 1: run 2"});
  s.end(2);
  CHECK(s.said->take() == lines{"frontend: ended 1 of epoch 0"});
  s.end(1);
  CHECK(s.said->take() == lines{"lane 0: run 3", "frontend: ended 1 of epoch 0"});
}

TEST_CASE("a value of another device is watched, and its reader is released when it is resolved") {
  dependency_bench s;
  auto foreign = s.numbered(1, {}, 200, actor_bench::succeed, 1);
  const auto v = foreign->outputs[0];
  s.order(s.numbered(2, {v}), s.numbered(3, {v}));
  CHECK(s.said->take() == lines{"other: watch 1"});
  v->allocate(s.shared->devices[1]->memory());
  v->succeed();
  caf::anon_send(s.subject, value_resolved{v});
  s.run();
  CHECK(s.said->take() == lines{"lane 0: run 2 3"});
}

TEST_CASE("watchers of a value are notified when its task has ended, or at once") {
  dependency_bench s;
  auto t = s.numbered(7);
  const auto v = t->outputs[0];
  s.order(std::move(t));
  caf::send_as(s.copies, s.subject, watch{v});
  s.run();
  CHECK(s.said->take() == lines{"lane 0: run 7"});
  s.end(7);
  CHECK(s.said->take() == lines{"copies: resolved 7", "frontend: ended 1 of epoch 0"});
  caf::send_as(s.other, s.subject, watch{v});
  s.run();
  CHECK(s.said->take() == lines{"other: resolved 7"});
}

TEST_CASE("a request for a value is answered when it is ready, at once if it already is") {
  dependency_bench s;
  auto t = s.numbered(1);
  const auto v = t->outputs[0];
  s.order(std::move(t));
  for (const bool there : {false, true}) {
    caf::scoped_actor self{*s.system};
    auto question = self->request(s.subject, caf::infinite, request_for(v));
    s.run();
    CHECK(answered(self) == there);
    if (!there) s.end(1);
    REQUIRE(answered(self));
    bool right = false;
    question.receive([&](const value_resolved& m) { right = m.value == v; },
                     [](const caf::error&) {});
    CHECK(right);
  }
}

TEST_CASE(
    "a failure poisons its followers, is reported to the frontend once, and answers requests") {
  dependency_bench s;
  auto a = s.numbered(1, {}, 200, actor_bench::fail), b = s.numbered(2, {a->outputs[0]}),
       c = s.numbered(3, {b->outputs[0]});
  const auto v = c->outputs[0];
  s.order(std::move(a), std::move(b), std::move(c));
  caf::scoped_actor self{*s.system};
  auto question = self->request(s.subject, caf::infinite, request_for(v));
  s.run();
  s.said->take();
  s.end(1, 2, 3);
  CHECK(s.said->take() == lines{"frontend: ended 3 of epoch 0, failed 1"});
  std::string text;
  question.receive([](const value_resolved&) {},
                   [&](const caf::error& e) { text = error_of(e).what(); });
  CHECK_THAT(text, Catch::Contains("body: on purpose on cpu:0 (actor_bench.hpp:"));
}

TEST_CASE(
    "cancelling fails tasks that no lane has; their waiters are notified, and they count as "
    "ended") {
  dependency_bench s;
  auto a = s.numbered(1, {}, long_task), b = s.numbered(2, {}, long_task),
       c = s.numbered(3, {a->outputs[0], b->outputs[0]}), d = s.numbered(4, {c->outputs[0]});
  const auto running = a->outputs[0], held = d->outputs[0];
  s.order(std::move(a), std::move(b), std::move(c), std::move(d));
  caf::send_as(s.other, s.subject, watch{held});
  caf::scoped_actor self{*s.system};
  auto question = self->request(s.subject, caf::infinite, request_for(held));
  s.run();
  s.said->take();
  caf::anon_send(s.subject, cancel_tasks{});
  s.run();
  auto said = s.said->take();
  CHECK(std::count(said.begin(), said.end(), "other: resolved 4") == 1);
  CHECK(answered(self));
  bool failed = false;
  question.receive([](const value_resolved&) {}, [&](const caf::error&) { failed = true; });
  CHECK(failed);
  CHECK(running->pending());
  s.end(1, 2);
  for (auto& line : s.said->take()) said.push_back(line);
  int ended = 0;
  for (const auto& line : said) {
    if (line.starts_with("frontend: ended ")) ended += std::stoi(line.substr(16));
  }
  CHECK(ended == 4);
  CHECK(running->ready());
}

TEST_CASE("tasks sent to a lane that never received them fail") {
  value_ref v, follower;
  {
    dependency_bench s;
    auto a = s.numbered(1), b = s.numbered(2, {a->outputs[0]});
    v = a->outputs[0], follower = b->outputs[0];
    for (const auto& one : s.lanes) caf::anon_send_exit(one, caf::exit_reason::kill);
    s.run();
    s.order(std::move(a), std::move(b));
  }
  REQUIRE(v->failed());
  REQUIRE(follower->failed());
  CHECK_THAT(v->why()->text, Catch::Contains("the runtime ended before it ran"));
}

TEST_CASE("the dependency actor asks a few lanes to help, and they ask the others, each once") {
  const std::size_t count = GENERATE(1, 3, 4, 5, 20, 21, 63, 255);
  actor_bench bench;
  const auto plan = std::make_shared<help_plan>();
  for (std::size_t i = 0; i < count; ++i) plan->helpers.push_back(bench.stand_in("helper"));
  const auto dependency = caf::actor_cast<caf::strong_actor_ptr>(bench.stand_in("dependency"));
  std::size_t asked = 0, most = 0;
  for (std::size_t place = 0; place <= count; ++place) {
    pass_on({plan, place}, dependency);
    bench.run();
    most = std::max(most, bench.said->lines.size());
    asked += bench.said->take().size();
  }
  CHECK(asked == count);
  CHECK(most <= help_fan_out);
}

TEST_CASE("a large task on many lanes takes the dependency actor a few messages") {
  actor_bench bench(1, 64);
  std::vector<caf::actor> lanes;
  for (int i = 0; i < 64; ++i) lanes.push_back(bench.stand_in("lane"));
  const auto subject = bench.keep(bench.system->spawn<dependency>(
      bench.shared, 0, lanes,
      std::vector<ordering::place>{
          {bench.shared->devices[0].get(), bench.shared->credits[0].get()}}));
  auto t = bench.numbered(1, {}, long_task);
  t->kernel = &chunked_kernel;
  caf::anon_send(subject, order_tasks{actor_bench::together(std::move(t))});
  bench.run();
  CHECK(bench.said->take().size() == 1 + help_fan_out);
  bench.said->tasks.clear();
}
