// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tests/actors/actor_bench.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

actor_state find(const std::vector<actor_state>& all, const std::string& name) {
  for (const auto& one : all) {
    if (one.name == name) return one;
  }
  FAIL("no actor named " << name);
  return {};
}

}  // namespace

TEST_CASE("a runtime lists its actors: the frontend, the dependency actors, the lanes") {
  runtime rt({.lanes = 2, .cpu_devices = 2, .gpus = 0});
  lines names;
  for (const auto& one : rt.actors()) names.push_back(one.name);
  CHECK(names == lines{"frontend", "dependency cpu:0", "dependency cpu:1", "dependency copies",
                       "dependency deadlines", "cpu:0 lane 0", "cpu:0 lane 1", "cpu:1 lane 0",
                       "cpu:1 lane 1", "copy to cpu:0", "copy to cpu:1"});
  CHECK(runtime({.lanes = 1, .synchronous = true}).actors().empty());
}

TEST_CASE("messages are counted when sent and when taken") {
  actor_bench r(2, 1);
  const auto all = spawn_actors(*r.system, r.shared);
  for (const auto& one : all.dependencies) r.keep(one);
  for (const auto& one : all.lanes) r.keep(one);
  r.keep(all.frontend);
  CHECK(find(r.shared->actors(), "dependency cpu:0").waiting == 1);  // the `peers` message
  r.run();
  auto t = r.numbered(0);
  REQUIRE(r.shared->submit(std::move(t), true));
  caf::anon_send(all.frontend, tasks_submitted{});
  CHECK(find(r.shared->actors(), "frontend").handled == 0);
  CHECK(find(r.shared->actors(), "frontend").waiting == 1);
  r.run(1);
  CHECK(find(r.shared->actors(), "frontend").handled == 1);
  CHECK(find(r.shared->actors(), "frontend").waiting == 0);
  CHECK(find(r.shared->actors(), "dependency cpu:0").waiting == 1);
  r.run();
  CHECK(find(r.shared->actors(), "frontend").handled == 2);  // the task, and its end
  CHECK(find(r.shared->actors(), "dependency cpu:0").handled == 3);
  CHECK(find(r.shared->actors(), "cpu:0 lane 0").handled == 1);
  CHECK(find(r.shared->actors(), "cpu:1 lane 0").handled == 0);
  for (const auto& one : r.shared->actors()) CHECK(one.waiting == 0);
}

TEST_CASE("messages in a busy lane's mailbox are counted without asking the lane") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto running = gated(e, g);
  REQUIRE(g.await_inside(1));
  const auto before = find(rt.actors(), "cpu:0 lane 0");
  const auto behind = increment(e, running);
  while (rt.tasks().back().state != task_state::status::sent) {}
  const auto after = find(rt.actors(), "cpu:0 lane 0");
  CHECK(after.waiting > before.waiting);
  CHECK(after.handled == before.handled);
  g.open();
  CHECK(behind.item<double>() == 2);
}
