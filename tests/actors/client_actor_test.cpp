// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <future>
#include <random>
#include <thread>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include "troupe/actors/runtime.hpp"
#include "troupe/caf.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;
using Catch::Contains;

namespace {

/// Actor system of a program of its own.
struct client_system {
  caf::actor_system_config config;
  caf::actor_system system{config};

  /// Asks from an actor of its own; returns the numbers that it is answered with, or the error's
  /// text. (CAF 0.17 dereferences a null pointer for a function actor without arguments.)
  template <class... Answer>
  std::future<std::string> ask_for(const caf::actor& frontend, await_values request) {
    auto told = std::make_shared<std::promise<std::string>>();
    system.spawn(
        [=](caf::event_based_actor* self, const caf::actor& asked) {
          self->request(asked, caf::infinite, request)
              .then([=](const Answer&... x) { told->set_value(numbers(x...)); },
                    [=](const caf::error& e) { told->set_value(error_of(e).what()); });
        },
        frontend);
    return told->get_future();
  }
  std::future<std::string> ask(const caf::actor& frontend, const tensor& x) {
    return ask_for<tensor>(frontend, await(x));
  }
  std::future<std::string> ask(const caf::actor& frontend, const std::vector<tensor>& all) {
    return ask_for<std::vector<tensor>>(frontend, await(all));
  }

  /// Returns the error that a request is answered with, or none if its answer is of these types.
  template <class... Answer, class Request>
  caf::error refusal(const caf::actor& frontend, Request request) {
    caf::scoped_actor self{system};
    caf::error out;
    self->request(frontend, caf::infinite, std::move(request))
        .receive([](const Answer&...) {}, [&](caf::error& e) { out = std::move(e); });
    return out;
  }

 private:
  static std::string numbers(const tensor& x) {
    return std::to_string(static_cast<int>(x.item<double>()));
  }
  static std::string numbers(const std::vector<tensor>& all) {
    std::string out;
    for (const auto& x : all) out += (out.empty() ? "" : " ") + numbers(x);
    return out;
  }
  static std::string numbers(const tensor& x, const tensor& y) { return numbers({x, y}); }
};

std::string text_of(const caf::error& e) { return error_of(e).what(); }

}  // namespace

TEST_CASE("an actor of another system asks for a tensor and is sent it when it is ready") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  client_system client;
  gate g;
  const auto x = gated(rt.engine(), g);
  auto early = client.ask(frontend_of(rt), x);
  REQUIRE(g.await_inside(1));
  CHECK(early.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
  g.open();
  CHECK(early.get() == "1");
  CHECK(client.ask(frontend_of(rt), x).get() == "1");
}

TEST_CASE("an actor asks for several tensors and is answered once all are ready") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  client_system client;
  gate g;
  const auto first = gated(rt.engine(), g), second = to(increment(rt.engine(), first), cpu(1)),
             third = filled(rt.engine(), {}, 7, {.device = cpu(1)});
  const auto pair = call_two(rt.engine(), {first}, {}, [](const kernel_args& a, auto, auto) {
    *begin(a.outputs[0]) = 3;
    *begin(a.outputs[1]) = 4;
  });
  auto two = client.ask_for<tensor, tensor>(frontend_of(rt), await(second, third));
  auto all = client.ask(frontend_of(rt), std::vector{third, pair[0], second, pair[1], first});
  REQUIRE(g.await_inside(1));
  CHECK(two.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
  CHECK(all.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
  g.open();
  CHECK(two.get() == "2 7");
  CHECK(all.get() == "7 3 2 4 1");
  CHECK(client.ask(frontend_of(rt), std::vector<tensor>()).get().empty());
}

TEST_CASE("an actor that asks for a view is sent the view") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  client_system client;
  const auto x = call(rt.engine(), {}, {3}, [](const kernel_args& a, auto, auto) {
    for (int i = 0; i < 3; ++i) begin(a.outputs[0])[i] = i;
  });
  CHECK(client.ask(frontend_of(rt), x[2]).get() == "2");
}

TEST_CASE("an actor that asks for a failing tensor gets its text, before and after the failure") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  client_system client;
  gate g;
  const auto x = failing(rt.engine(), "on purpose", {gated(rt.engine(), g)});
  auto early = client.ask(frontend_of(rt), x);
  REQUIRE(g.await_inside(1));
  g.open();
  const std::string text = "body: on purpose; inputs float64[] on cpu:0 (client_actor_test.cpp:";
  CHECK_THAT(early.get(), Contains(text));
  CHECK_THAT(client.ask(frontend_of(rt), x).get(), Contains(text));
}

TEST_CASE("of several tensors that fail, the first in order of the request is told") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  client_system client;
  gate g;
  const auto good = gated(rt.engine(), g);
  const auto late = failing(rt.engine(), "late", {good}), early = failing(rt.engine(), "early");
  CHECK_THROWS(early.wait());
  auto answer = client.ask(frontend_of(rt), std::vector{good, late, early});
  REQUIRE(g.await_inside(1));
  g.open();
  CHECK_THAT(answer.get(), Contains("late"));
}

TEST_CASE("an error names its kind, can be thrown, and is rendered as one line") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  client_system client;
  gate g;
  const auto held = gated(rt.engine(), g);
  REQUIRE(g.await_inside(1));
  const auto behind = increment(rt.engine(), held);
  rt.cancel_all();
  g.open();
  const auto cancelled = client.refusal(frontend_of(rt), await(behind));
  CHECK_THROWS_AS(raise(cancelled), cancelled_error);
  CHECK(cancelled.code() == static_cast<std::uint8_t>(request_error::cancelled));
  const auto failed = client.refusal(
      frontend_of(rt), await(failing(rt.engine(), "on purpose", {filled(rt.engine(), {}, 1)})));
  CHECK_THROWS_AS(raise(failed), task_error);
  CHECK_THROWS_WITH(raise(failed), Contains("body: on purpose"));
  CHECK(failed.category() == caf::atom("troupe"));
  CHECK_THAT(to_string(failed), Contains("body: on purpose") && !Contains("\n"));
  caf::actor_system_config config;
  render_errors(config);
  const caf::actor_system system(config);
  CHECK(system.render(failed) == text_of(failed));
  CHECK_THAT(text_of(caf::make_error(caf::sec::request_timeout)), Contains("request_timeout"));
  CHECK_THROWS_WITH(raise(caf::make_error(caf::sec::request_timeout)), Contains("request_timeout"));
}

TEST_CASE("an actor that was told of a failure has read it") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  client_system client;
  client.refusal(frontend_of(rt), await(failing(rt.engine(), "on purpose")));
  CHECK_NOTHROW(rt.wait_all());
}

TEST_CASE("a request for a tensor that names no array is refused with the line of the request") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  client_system client;
  const auto good = filled(rt.engine(), {}, 1);
  const auto one = client.refusal(frontend_of(rt), await(tensor()));
  CHECK_THAT(text_of(one),
             Contains("await: the tensor names no array yet (client_actor_test.cpp:"));
  CHECK_THROWS_AS(raise(one), error);
  CHECK_THAT(text_of(client.refusal(frontend_of(rt), await(good, tensor()))),
             Contains("await: tensor 2 names no array yet (client_actor_test.cpp:"));
  CHECK_THAT(text_of(client.refusal(frontend_of(rt), await(std::vector{tensor(), good}))),
             Contains("await: tensor 1 names no array yet (client_actor_test.cpp:"));
}

TEST_CASE("a request for another runtime's tensor is refused, whatever its state") {
  const int devices = GENERATE(1, 2, 3);
  client_system client;
  runtime rt({.lanes = 1, .cpu_devices = 2}), other({.lanes = 1, .cpu_devices = devices});
  gate g;
  const auto ready = filled(other.engine(), {2}, 1).wait();
  const auto pending = gated(other.engine(), g, {}, {.device = cpu(devices - 1)});
  for (const auto& x : {pending, ready}) {
    const auto e = client.refusal(frontend_of(rt), await(x));
    CHECK_THAT(text_of(e), Contains("await: the tensor float64[") &&
                               Contains("belongs to another runtime") &&
                               Contains("(client_actor_test.cpp:"));
  }
  g.open();
  CHECK(client.ask(frontend_of(other), pending).get() == "1");
}

TEST_CASE("a request for a tensor of a runtime that has ended is refused by another") {
  client_system client;
  runtime rt({.lanes = 1, .cpu_devices = 1});
  tensor x;
  {
    runtime other({.lanes = 1, .cpu_devices = 1});
    x = filled(other.engine(), {}, 1);
  }
  CHECK_THAT(text_of(client.refusal(frontend_of(rt), await(x))),
             Contains("await: the runtime that this tensor belongs to has ended (client_actor_"));
}

TEST_CASE("a runtime that has ended still sends what is settled and refuses the rest") {
  client_system client;
  caf::actor frontend;
  tensor good, bad;
  {
    runtime rt({.lanes = 1, .cpu_devices = 1});
    frontend = frontend_of(rt);
    good = filled(rt.engine(), {}, 5);
    bad = failing(rt.engine(), "on purpose");
  }
  CHECK(client.ask(frontend, good).get() == "5");
  CHECK_THAT(client.ask(frontend, bad).get(), Contains("on purpose"));
  CHECK_THAT(text_of(client.refusal(frontend, await_everything{})),
             Contains("await: the runtime has ended"));
}

TEST_CASE("a runtime ends while the thread that first asked for its frontend lives on") {
  std::promise<caf::actor> asked;
  gate g;
  std::thread thread;
  {
    const runtime rt({.lanes = 1, .cpu_devices = 1, .synchronous = GENERATE(false, true)});
    thread = std::thread([&] {
      asked.set_value(frontend_of(rt));
      g.through().pass();
    });
    CHECK(asked.get_future().get());
  }
  g.open();
  thread.join();
}

TEST_CASE("an actor that monitors the frontend is told when the runtime ends") {
  client_system client;
  caf::scoped_actor self{client.system};
  {
    const runtime rt({.lanes = 1, .cpu_devices = 1, .synchronous = GENERATE(false, true)});
    self->monitor(frontend_of(rt));
  }
  bool told = false;
  self->receive([&](const caf::down_msg&) { told = true; });
  CHECK(told);
}

TEST_CASE("requests that the end of the runtime overtakes are all answered") {
  client_system client;
  std::vector<std::future<std::string>> answers;
  for (int round = 0; round < 20; ++round) {
    runtime rt({.lanes = 2, .cpu_devices = 2});
    auto x = filled(rt.engine(), {}, 0);
    for (int i = 0; i < 20; ++i)
      answers.push_back(client.ask(frontend_of(rt), x = increment(rt.engine(), x)));
  }
  for (auto& one : answers)
    CHECK_THAT(one.get(), Catch::Matches("[0-9]+") || Contains("await: the runtime has ended ("));
}

TEST_CASE("a synchronous runtime answers requests as the other does") {
  client_system client;
  caf::actor frontend;
  tensor x, bad;
  {
    runtime rt({.lanes = 1, .cpu_devices = 1, .synchronous = true});
    frontend = frontend_of(rt);
    CHECK(frontend == frontend_of(rt));
    x = filled(rt.engine(), {}, 3), bad = failing(rt.engine(), "on purpose");
    CHECK(client.ask(frontend, x).get() == "3");
    CHECK(client.ask(frontend, std::vector{x, x}).get() == "3 3");
    CHECK_THAT(text_of(client.refusal(frontend, await_everything{})), Contains("on purpose"));
    CHECK_FALSE(client.refusal(frontend, await_everything{}));
    CHECK_THAT(client.ask(frontend, bad).get(), Contains("body: on purpose"));
    CHECK_THAT(client.ask(frontend, tensor()).get(), Contains("names no array yet"));
    const runtime other({.lanes = 1, .cpu_devices = 1});
    CHECK_THAT(client.ask(frontend, filled(other.engine(), {}, 1)).get(),
               Contains("belongs to another runtime"));
  }
  CHECK(client.ask(frontend, x).get() == "3");
  CHECK_THAT(text_of(client.refusal(frontend, await_everything{})), Contains("has ended"));
}

TEST_CASE("an actor learns when everything submitted so far has ended, and what failed first") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  client_system client;
  const auto x = filled(rt.engine(), {}, 1);
  failing(rt.engine(), "first"), failing(rt.engine(), "second");
  const auto e = client.refusal(frontend_of(rt), await_everything{});
  CHECK_THAT(text_of(e), Contains("first") && Contains(", and 1 more failure"));
  CHECK(x.ready());
  CHECK_NOTHROW(rt.wait_all());
  caf::scoped_actor self{client.system};
  bool told = false;
  self->request(frontend_of(rt), caf::infinite, await_everything{})
      .receive([&] { told = true; }, [](const caf::error&) {});
  CHECK(told);
}

TEST_CASE("hundreds of actors ask for random tensors, and each gets what it asked for") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  client_system client;
  const auto seed = GENERATE(1u, 2u, 3u);
  INFO("seed " << seed);
  std::mt19937 random(seed);
  gate g;
  std::vector<tensor> all{gated(rt.engine(), g)};
  std::vector<std::string> expected{"1"};
  for (int i = 1; i < 60; ++i) {
    const device place = cpu(static_cast<int>(random() % 2));
    const auto& behind = all[random() % all.size()];
    const auto from = to(behind, place);
    if (random() % 8 == 0) {
      all.push_back(failing(rt.engine(), "task " + std::to_string(i), {from}));
      expected.emplace_back();
    } else {
      all.push_back(call(rt.engine(), {from}, {},
                         [i](const kernel_args& a, auto, auto) { *begin(a.outputs[0]) = i; }));
      expected.push_back(std::to_string(i));
    }
  }
  struct question {
    std::vector<std::size_t> asked;
    std::future<std::string> answer;
  };
  std::vector<question> questions;
  for (int i = 0; i < 300; ++i) {
    if (i == 150) g.open();
    question q;
    std::vector<tensor> some;
    for (auto n = random() % 4 + 1; n > 0; --n) {
      q.asked.push_back(random() % all.size());
      some.push_back(all[q.asked.back()]);
    }
    q.answer = client.ask(frontend_of(rt), some);
    questions.push_back(std::move(q));
  }
  for (auto& q : questions) {
    std::string wanted;
    for (const auto i : q.asked) {
      if (const auto error = testing::error_of(all[i]); !error.empty()) {
        wanted = error;
        break;
      }
      wanted += (wanted.empty() ? "" : " ") + expected[i];
    }
    CHECK(q.answer.get() == wanted);
  }
}

TEST_CASE("an actor that is slow with an answer holds up nobody else") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  client_system client;
  gate g;
  const auto x = filled(rt.engine(), {}, 1);
  client.system.spawn<caf::detached>(
      [way = g.through()](caf::event_based_actor* self, const caf::actor& asked, const tensor& y) {
        self->request(asked, caf::infinite, await(y)).then([way](const tensor&) { way.pass(); });
      },
      frontend_of(rt), x);
  REQUIRE(g.await_inside(1));
  CHECK(client.ask(frontend_of(rt), increment(rt.engine(), x)).get() == "2");
  g.open();
}

TEST_CASE(
    "continuations of users' actors run on their own system's threads, handlers on none of ours") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  caf::actor_system_config config;
  config.set("scheduler.max-threads", std::size_t{1});
  config.set("scheduler.max-throughput", std::size_t{5});
  auto system = std::make_unique<caf::actor_system>(config);
  gate in_handler, in_continuation;
  const auto x = gated(rt.engine(), in_handler);
  REQUIRE(in_handler.await_inside(1));
  system->spawn(
      [way = in_continuation.through()](caf::event_based_actor* self, const caf::actor& asked,
                                        const tensor& y) {
        for (int i = 0; i < 3; ++i)
          self->request(asked, caf::infinite, await(y)).then([way](const tensor&) { way.pass(); });
      },
      frontend_of(rt), x);
  in_handler.open();
  REQUIRE(in_continuation.await_inside(1));  // the only thread of that system is busy
  tensor y = x;
  for (int i = 0; i < 100; ++i) y = increment(rt.engine(), y);
  CHECK(y.item<double>() == x.item<double>() + 100);
  rt.wait_all();
  in_continuation.open();
  system = nullptr;
  CHECK(increment(rt.engine(), y).item<double>() == x.item<double>() + 101);
}

TEST_CASE("an actor may end, and its system with it, while its request is pending") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto held = gated(rt.engine(), g);
  REQUIRE(g.await_inside(1));
  {
    client_system client;
    client.system.spawn(
        [](caf::event_based_actor* self, const caf::actor& asked, const tensor& x) {
          self->request(asked, caf::infinite, await(x)).then([](const tensor&) {});
          self->quit();
        },
        frontend_of(rt), held);
  }
  g.open();
  client_system another;
  CHECK(another.ask(frontend_of(rt), increment(rt.engine(), held)).get() == "2");
}

TEST_CASE(
    "a request with a time limit ends in CAF's error, and the tensor is computed all the same") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  client_system client;
  gate g;
  const auto x = gated(rt.engine(), g);
  caf::scoped_actor self{client.system};
  caf::error said;
  self->request(frontend_of(rt), std::chrono::milliseconds(1), await(x))
      .receive([](const tensor&) {}, [&](const caf::error& e) { said = e; });
  CHECK(said == caf::sec::request_timeout);
  g.open();
  CHECK(x.item<double>() == 1);
}

TEST_CASE("actors that are linked to the frontend, or tell it to quit, do not end the runtime") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  client_system client;
  {
    caf::scoped_actor self{client.system};
    self->link_to(frontend_of(rt));
    self->send_exit(frontend_of(rt), caf::exit_reason::kill);
  }
  CHECK(client.ask(frontend_of(rt), filled(rt.engine(), {}, 4)).get() == "4");
}

TEST_CASE("the frontend refuses messages that it does not know") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  client_system client;
  CHECK(client.refusal(frontend_of(rt), std::string("hello")) == caf::sec::unexpected_message);
}

TEST_CASE("messages of a program hold tensors, alone and in vectors") {
  const runtime rt({.lanes = 1, .cpu_devices = 1});
  client_system client;
  const auto adder = client.system.spawn(
      [&rt](caf::event_based_actor*, int) -> caf::behavior {
        return {[&rt](const tensor& x, const std::vector<tensor>& more) {
          auto all = x;
          for (const auto& one : more) all = plus(rt.engine(), all, one);
          return all;
        }};
      },
      0);
  const auto x = filled(rt.engine(), {}, 2);
  caf::scoped_actor self{client.system};
  double sum = 0;
  self->request(adder, caf::infinite, x, std::vector{x, x})
      .receive([&](const tensor& y) { sum = y.item<double>(); }, [](const caf::error&) {});
  CHECK(sum == 6);
  caf::anon_send_exit(adder, caf::exit_reason::user_shutdown);
}
