// SPDX-License-Identifier: MIT
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <cstdlib>

/// Runs tests that count devices and read their names: without the machine's GPUs, unless the
/// environment or the program asks for some.
int main(int count, char** arguments) {
  setenv("TROUPE_GPUS", "0", 0);
  return Catch::Session().run(count, arguments);
}
