// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/random_key.hpp"

#include <set>

#include "troupe/tensor/ops/distributions.hpp"
#include "troupe/tests/tensor/goodness_of_fit.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("what a key draws depends on no draw before and no seed, and leaves other draws alone") {
  test_engine e;
  const random_options keyed{.dtype = float64, .key = random_key(7)};
  seed(1);
  const auto a = numbers(uniform({5}, 0, 1, keyed)), b = numbers(gamma({5}, 2, 1, keyed)),
             free = numbers(uniform({5}));
  CHECK(numbers(uniform({5}, 0, 1, keyed)) == a);
  seed(2);
  (void)normal({3});
  CHECK(numbers(uniform({5}, 0, 1, keyed)) == a);
  CHECK(numbers(gamma({5}, 2, 1, keyed)) == b);
  seed(1);
  CHECK(numbers(uniform({5})) == free);
  CHECK(numbers(uniform({5}, 0, 1, {.dtype = float64, .key = random_key(8)})) != a);
}

TEST_CASE("a key's numbers are not those of the runtime with the same seed") {
  test_engine e;
  seed(7);
  CHECK(numbers(uniform({5})) != numbers(uniform({5}, 0, 1, {.key = random_key(7)})));
}

TEST_CASE("split keys differ, and the first ones do not depend on their number") {
  const random_key key(3);
  const auto few = key.split(), more = key.split(1000);
  REQUIRE(few.size() == 2);
  CHECK(few[0] == more[0]);
  CHECK(few[1] == more[1]);
  std::set<std::uint64_t> seeds = {key.seed()};
  for (const auto& one : more) seeds.insert(one.seed());
  for (const auto& one : few[0].split(1000)) seeds.insert(one.seed());
  CHECK(seeds.size() == 2001);
  CHECK(key.split(0).empty());
  CHECK(random_key(more[5].seed()) == more[5]);
  CHECK(TROUPE_ERROR_OF(key.split(-1)) == "split: negative count -1");
}

TEST_CASE("numbers of split keys are independent of each other") {
  test_engine e;
  constexpr std::size_t keys = 20'000;
  std::vector<double> first, sums;
  for (const auto& key : random_key(0).split(keys)) {
    const auto x = numbers(uniform({2}, 0, 1, {.dtype = float64, .key = key}));
    first.push_back(x[0]);
    if (first.size() > 1) sums.push_back(std::fmod(x[1] + first[first.size() - 2], 1));
  }
  CHECK(fits(first, [](double x) { return x; }));
  CHECK(fits(sums, [](double x) { return x; }));
}

TEST_CASE("the parts of one draw with a key have numbers of their own") {
  test_engine e;
  // Both of its variables are gamma variables of the same concentration.
  const auto x = numbers(beta({1000}, 2, 2, {.dtype = float64, .key = random_key(1)}));
  CHECK(fits(x, [](double y) { return y * y * (3 - 2 * y); }));
}

}  // namespace troupe::testing
