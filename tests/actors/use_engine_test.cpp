// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

engine* current() { return &engine::current("test", caller::current()); }

}  // namespace

TEST_CASE("by default, new values belong to the newest runtime that still exists") {
  runtime a({.lanes = 1, .cpu_devices = 1});
  CHECK(current() == &a.engine());
  {
    runtime b({.lanes = 1, .cpu_devices = 1});
    CHECK(current() == &b.engine());
  }
  CHECK(current() == &a.engine());
}

TEST_CASE("use_engine chooses for its thread and scope, and nests") {
  runtime a({.lanes = 1, .cpu_devices = 1}), b({.lanes = 1, .cpu_devices = 1});
  {
    const use_engine first(a.engine());
    CHECK(current() == &a.engine());
    {
      const use_engine second(b.engine());
      CHECK(current() == &b.engine());
    }
    CHECK(current() == &a.engine());
    engine* elsewhere = nullptr;
    std::thread([&] { elsewhere = current(); }).join();
    CHECK(elsewhere == &b.engine());
  }
  CHECK(current() == &b.engine());
}

TEST_CASE("a chosen engine that has ended is refused") {
  runtime a({.lanes = 1, .cpu_devices = 1});
  auto b = std::make_unique<runtime>(runtime_options{.lanes = 1, .cpu_devices = 1});
  const use_engine chosen(b->engine());
  b.reset();
  CHECK_THROWS_WITH(
      current(),
      Catch::StartsWith("test: the runtime of its tensors, or that was chosen here, has ended"));
}

TEST_CASE("values created by an operation belong to the runtime that runs it") {
  runtime a({.lanes = 1, .cpu_devices = 2}), newer({.lanes = 1, .cpu_devices = 1});
  for (int d = 0; d < 2; ++d) {
    engine* seen = nullptr;
    call(a.engine(), {}, {}, [&](const kernel_args&, auto, auto) { seen = current(); },
         {.device = cpu(d)})
        .wait();
    CHECK(seen == &a.engine());
  }
}
