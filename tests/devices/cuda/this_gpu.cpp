// SPDX-License-Identifier: MIT
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>

#include "troupe/devices/cuda/cuda_driver.hpp"
#include "troupe/tests/devices/cuda/gpu_under_test.hpp"

std::shared_ptr<troupe::driver> troupe::testing::gpu_under_test() {
  static const auto found = make_cuda_drivers(1, std::size_t{1} << 40);
  return found.empty() ? nullptr : found[0];
}

namespace {

[[maybe_unused]] const int with_gpus = setenv("TROUPE_GPUS", "64", 0);

/// Ends the program without a GPU, as there is nothing to test.
struct needs_gpu final : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunStarting(const Catch::TestRunInfo&) override {
    if (troupe::testing::gpu_under_test()) return;
    std::puts("no GPU: not run");
    std::fflush(stdout);
    std::_Exit(0);
  }
};
CATCH_REGISTER_LISTENER(needs_gpu)

}  // namespace
