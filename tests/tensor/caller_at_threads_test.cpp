// SPDX-License-Identifier: MIT
#include "troupe/tensor/caller_at.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

namespace troupe::testing {

TEST_CASE("several threads may ask for places at once") {
  std::vector<std::jthread> threads;
  std::vector<std::source_location> last(4);
  for (auto& mine : last)
    threads.emplace_back([&mine] {
      for (unsigned line = 1; line <= 500; ++line) mine = caller_at("shared.txt", line);
    });
  threads.clear();
  for (const auto& mine : last) {
    CHECK(mine.line() == 500);
    CHECK(mine.file_name() == last[0].file_name());
  }
}

}  // namespace troupe::testing
