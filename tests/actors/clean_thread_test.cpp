// SPDX-License-Identifier: MIT
#include "troupe/actors/clean_thread.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/from_buffer.hpp"
#include "troupe/tensor/ops/operators.hpp"

using namespace troupe;

TEST_CASE("a system may end after an operation of the user's own has used it") {
  runtime rt({.lanes = 1});
  for (int round = 0; round < 20; ++round) {
    caf::actor_system_config config;
    caf::actor_system system(config);
    effect("asks", {}, [&](const inputs&) {
      system.spawn([](caf::event_based_actor*, int) {}, 1);
      const caf::scoped_actor self(system);
    }).wait();
    std::vector<float> elements(10'000);
    auto x = from_buffer(elements.data(), {10'000},
                         [&](float*) { system.spawn([](caf::event_based_actor*, int) {}, 1); });
    const auto y = x + 1;
    x = {};
    y.wait();
    rt.wait_all();
  }
}
