// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <bit>
#include <set>

#include "troupe/devices/cuda/fold_plan.hpp"

using namespace troupe::cuda;

TEST_CASE("a plan gives every element of every row to one thread of a block that a GPU can run") {
  for (const std::int64_t rows : {1, 2, 3, 31, 100, 1000, 70'000}) {
    for (const std::int64_t length : {0, 1, 2, 5, 32, 100, 1023, 1024, 100'000}) {
      for (const bool along : {false, true}) {
        for (const bool whole : {false, true}) {
          const auto plan =
              whole ? plan_whole_rows(rows, length, along) : plan_fold(rows, length, along);
          CAPTURE(rows, length, along, whole, plan.row_threads, plan.part_threads, plan.parts);
          CHECK(plan.threads() <= 256);
          CHECK(std::has_single_bit(static_cast<unsigned>(plan.part_threads)));
          CHECK(plan.parts >= 1);
          CHECK(plan.parts <= 65'535);  // limit of a grid's second axis
          CHECK((!whole || plan.parts == 1));
          CHECK(plan.blocks() * plan.row_threads >= rows);
          std::set<std::pair<int, int>> threads;
          for (int t = 0; t < plan.threads(); ++t) {
            CHECK(plan.row_of(t) < plan.row_threads);
            CHECK(plan.part_of(t) < plan.part_threads);
            threads.emplace(plan.row_of(t), plan.part_of(t));
          }
          CHECK(threads.size() == static_cast<std::size_t>(plan.threads()));
        }
      }
    }
  }
}

TEST_CASE("long rows are shared by blocks if there are few, and neighbours read neighbours") {
  const auto one = plan_fold(1, 1 << 28, true);
  CHECK(one.part_threads == 256);
  CHECK(one.parts >= 512);
  CHECK(plan_fold(100'000, 1 << 20, true).parts == 1);
  const auto columns = plan_fold(4096, 4096, false);
  CHECK(columns.row_of(1) == columns.row_of(0) + 1);
  const auto rows = plan_fold(4096, 4096, true);
  CHECK(rows.part_of(1) == rows.part_of(0) + 1);
}
