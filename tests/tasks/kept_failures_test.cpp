// SPDX-License-Identifier: MIT
#include "troupe/tasks/kept_failures.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace troupe::testing {

namespace {

failure_ptr failure_of(std::uint64_t task, bool read = false) {
  auto f = std::make_shared<failure>();
  f->sequence = task;
  f->reported = read;
  return f;
}

std::vector<std::uint64_t> tasks_of(const kept_failures::list& all) {
  std::vector<std::uint64_t> out;
  for (const auto& f : all.failures) out.push_back(f->sequence);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("failures are kept until they are taken") {
  kept_failures all;
  for (const auto task : {3U, 1U, 2U}) all.add(failure_of(task));
  CHECK(tasks_of(all.take()) == std::vector<std::uint64_t>{1, 2, 3});
  CHECK(all.take().failures.empty());
}

TEST_CASE("of too many failures the earliest are kept, and the others counted, until taken") {
  kept_failures all;
  // From the last to the first.
  for (auto task = kept_failures::most + 5; task > 0; --task) all.add(failure_of(task));
  const auto taken = all.take();
  const auto tasks = tasks_of(taken);
  REQUIRE(tasks.size() == kept_failures::most);
  CHECK(tasks.front() == 1);
  CHECK(tasks.back() == kept_failures::most);
  CHECK(taken.not_kept == 5);
  CHECK(all.take().not_kept == 0);
}

TEST_CASE("of too many failures those that were read go first, and do not count") {
  kept_failures all;
  const auto last = 3 * kept_failures::most;
  for (std::size_t task = 1; task <= last; ++task) all.add(failure_of(task, task % 1'000 != 0));
  const auto taken = all.take();
  const auto tasks = tasks_of(taken);
  CHECK(tasks.size() <= kept_failures::most);
  for (const auto unread : {1'000U, 2'000U, 3'000U})
    CHECK(std::binary_search(tasks.begin(), tasks.end(), unread));
  CHECK(taken.not_kept == 0);
}

}  // namespace troupe::testing
