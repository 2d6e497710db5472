// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/actors/frontend.hpp"
#include "troupe/tests/actors/actor_bench.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// The frontend among stand-ins for the dependency actors of two devices and of the copies.
struct frontend_bench : actor_bench {
  std::vector<caf::actor> dependencies{stand_in("cpu:0"), stand_in("cpu:1"), stand_in("copies")};
  caf::actor subject = keep(system->spawn<frontend>(shared, dependencies));

  frontend_bench() { run(); }

  /// Submits a task like a client thread; returns the value, and true if the frontend must be
  /// woken.
  std::pair<value_ref, bool> submit(device place = cpu(), const operation& op = body_operation) {
    auto t = std::make_unique<task>(op, place, caller::current());
    value_ref v(new value({{}, float64, place}));
    if (op.transfer) {
      auto& in = t->inputs.emplace_back();
      in.source = value_ref(new value({{}, float64, cpu()}));
      in.element = float64;
    }
    t->add_output(v);
    const bool wake = shared->submit(std::move(t), true);
    if (wake) caf::anon_send(subject, tasks_submitted{});
    return {v, wake};
  }

  void report(std::uint32_t epoch, std::uint64_t count, std::vector<failure_ptr> failures = {}) {
    caf::anon_send(subject, progress{{{epoch, count}}, std::move(failures)});
    run();
  }
};

const operation copying{.name = "to", .doc = "For tests.", .transfer = true};

}  // namespace

TEST_CASE(
    "tasks are numbered in order of submission and travel in one batch to their device's actor") {
  frontend_bench s;
  const auto [a, first] = s.submit();
  const auto [b, second] = s.submit();
  const auto [c, third] = s.submit(cpu(1));
  const auto [d, fourth] = s.submit(cpu(1), copying);
  CHECK(first);
  CHECK_FALSE((second || third || fourth));
  s.run();
  CHECK(s.said->take() == lines{"cpu:0: order 1 2", "cpu:1: order 3", "copies: order 4"});
  CHECK(b->sequence == 2);
  CHECK(c->home == 1);
  CHECK(d->home == 2);
  CHECK(s.submit().second);
  s.run();
  CHECK(s.said->take() == lines{"cpu:0: order 5"});
}

TEST_CASE("a request for a value goes to its dependency actor, behind its task") {
  frontend_bench s;
  const auto v = s.submit(cpu(1)).first;
  caf::scoped_actor self{*s.system};
  self->send(s.subject, request_for(v));
  s.run();
  CHECK(s.said->take() == lines{"cpu:1: order 1", "cpu:1: await 1"});
}

TEST_CASE("a request for a settled value is answered at once, with an error if it failed") {
  frontend_bench s;
  const auto good = s.submit().first, bad = s.submit().first;
  s.run();
  s.said->take();
  good->succeed();
  auto why = std::make_shared<failure>();
  why->text = "on purpose";
  bad->fail(why);
  caf::scoped_actor self{*s.system};
  auto first = self->request(s.subject, caf::infinite, request_for(good));
  auto second = self->request(s.subject, caf::infinite, request_for(bad));
  s.run();
  CHECK(s.said->take().empty());
  std::string said;
  first.receive([&](const value_resolved& m) { said = m.value == good ? "there" : "another"; },
                [](const caf::error&) {});
  CHECK(said == "there");
  second.receive([](const value_resolved&) {},
                 [&](const caf::error& e) { said = error_of(e).what(); });
  CHECK_THAT(said, Catch::Contains("on purpose"));
}

TEST_CASE("await_all is answered when all earlier tasks have ended; later ones do not count") {
  frontend_bench s;
  s.submit(), s.submit();
  caf::scoped_actor self{*s.system};
  auto first = self->request(s.subject, caf::infinite, await_all{});
  s.run();
  s.submit();
  caf::scoped_actor other{*s.system};
  auto second = other->request(s.subject, caf::infinite, await_all{});
  s.run();
  s.report(1, 1);
  s.report(0, 1);
  CHECK(self->mailbox().empty());
  CHECK(other->mailbox().empty());
  s.report(0, 1, {std::make_shared<failure>()});
  REQUIRE_FALSE(self->mailbox().empty());
  REQUIRE_FALSE(other->mailbox().empty());
  std::size_t failures = 0;
  first.receive([&](const all_done& m) { failures = m.failures.size(); }, [](const caf::error&) {});
  CHECK(failures == 1);
  second.receive([&](const all_done& m) { failures = m.failures.size(); },
                 [](const caf::error&) {});
  CHECK(failures == 0);
  CHECK(s.shared->window.pending() == 0);
}

TEST_CASE("await_all with nothing to wait for is answered at once") {
  frontend_bench s;
  caf::scoped_actor self{*s.system};
  auto question = self->request(s.subject, caf::infinite, await_all{});
  s.run();
  REQUIRE_FALSE(self->mailbox().empty());
  question.receive([](const all_done&) {}, [](const caf::error&) {});
}

TEST_CASE(
    "cancelling passes on earlier tasks, notes the last of them, and notifies every dependency "
    "actor") {
  frontend_bench s;
  s.submit();
  caf::scoped_actor self{*s.system};
  auto question = self->request(s.subject, caf::infinite, cancel_tasks{});
  s.run();
  CHECK(s.said->take() ==
        lines{"cpu:0: order 1", "cpu:0: cancel", "cpu:1: cancel", "copies: cancel"});
  CHECK(s.shared->cancelled_through == 1);
  REQUIRE_FALSE(self->mailbox().empty());
  question.receive([] {}, [](const caf::error&) {});
}

TEST_CASE("an undelivered batch fails its tasks") {
  value_ref v;
  {
    frontend_bench s;
    for (const auto& one : s.dependencies) caf::anon_send_exit(one, caf::exit_reason::kill);
    s.run();
    v = s.submit().first;
    s.run();
  }
  REQUIRE(v->failed());
  CHECK(v->why()->why == failure::reason::cancelled);
}
