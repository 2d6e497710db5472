// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <future>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include "troupe/actors/frontend_actor.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/actors/runtime.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Actor system of a program of its own.
struct client_system {
  caf::actor_system_config config;
  caf::actor_system system{config};

  /// Asks for `x` from an actor of its own and returns the answer: "ready", or the error's text.
  /// (CAF 0.17 dereferences a null pointer for a function actor without arguments.)
  std::future<std::string> ask(const caf::actor& frontend, const tensor& x) {
    auto told = std::make_shared<std::promise<std::string>>();
    system.spawn(
        [=](caf::event_based_actor* self, const caf::actor& asked) {
          self->request(asked, caf::infinite, await_value{x.source()})
              .then(
                  [=](const value_resolved& m) {
                    told->set_value(m.value->ready() ? "ready" : "not ready");
                  },
                  [=](const caf::error& e) { told->set_value(to_string(e.context())); });
        },
        frontend);
    return told->get_future();
  }
};

}  // namespace

TEST_CASE("an actor of another system requests a value and continues when it is ready") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  client_system client;
  gate g;
  const auto x = gated(rt.engine(), g);
  auto early = client.ask(frontend_of(rt), x);
  REQUIRE(g.await_inside(1));
  CHECK(early.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
  g.open();
  CHECK(early.get() == "ready");
  CHECK(client.ask(frontend_of(rt), x).get() == "ready");
}

TEST_CASE(
    "an actor that requests a failing value gets an error with its text, before and after the "
    "failure") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  client_system client;
  gate g;
  const auto x = failing(rt.engine(), "on purpose", {gated(rt.engine(), g)});
  auto early = client.ask(frontend_of(rt), x);
  g.open();
  CHECK_THAT(
      early.get(),
      Catch::Contains("body: on purpose; inputs float64[] on cpu:0 (client_actor_test.cpp:"));
  CHECK_THAT(client.ask(frontend_of(rt), x).get(), Catch::Contains("body: on purpose"));
}

TEST_CASE("many requests for one value are all answered") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  client_system client;
  gate g;
  const auto x = increment(rt.engine(), gated(rt.engine(), g));
  std::vector<std::future<std::string>> answers;
  for (int i = 0; i < 50; ++i) answers.push_back(client.ask(frontend_of(rt), x));
  REQUIRE(g.await_inside(1));
  g.open();
  for (auto& one : answers) CHECK(one.get() == "ready");
}

TEST_CASE("an actor learns when everything submitted so far has ended, and what failed") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  client_system client;
  failing(rt.engine(), "on purpose");
  const auto x = filled(rt.engine(), {}, 1);
  caf::scoped_actor self{client.system};
  std::size_t failures = 0;
  self->request(frontend_of(rt), caf::infinite, await_all{})
      .receive([&](const all_done& answer) { failures = answer.failures.size(); },
               [](const caf::error&) {});
  CHECK(failures == 1);
  CHECK(x.ready());
}
