// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/actors/runtime.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/synchronous_engine.hpp"
#include "troupe/tests/actors/random_program.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

void compare(runtime_options options, unsigned first_seed, unsigned seeds) {
  const auto devices = *options.cpu_devices;
  options.gpus = 0;  // the programs choose among all devices, and their operations are for CPUs
  runtime rt(options);
  std::size_t failures = 0;
  for (auto seed = first_seed; seed < first_seed + seeds; ++seed) {
    INFO("lanes " << *options.lanes << ", devices " << devices << ", seed " << seed);
    synchronous_engine oracle(make_cpu_drivers({devices, 1, std::size_t{1} << 30}));
    const auto expected = run_random_program(oracle, seed);
    const auto got = run_random_program(rt.engine(), seed);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      INFO("outcome " << i << ": \"" << got[i].error << "\", expected \"" << expected[i].error
                      << '"');
      if (got[i] == expected[i]) continue;
      FAIL("differs");
    }
    for (const auto& one : expected) failures += !one.error.empty();
  }
  CHECK(failures > 0);
}

}  // namespace

TEST_CASE("random programs are bit-equal to the synchronous engine, failures included") {
  compare({.lanes = GENERATE(1, 2, 8), .cpu_devices = GENERATE(1, 2, 3)}, 1, 60);
}

TEST_CASE(
    "random programs give the same results when memory and the window of pending tasks are small") {
  compare({.lanes = GENERATE(1, 3),
           .cpu_devices = 2,
           .memory_limit = std::size_t{1} << 20,
           .max_pending = 16},
          1'000, 60);
}
