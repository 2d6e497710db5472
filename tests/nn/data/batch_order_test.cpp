// SPDX-License-Identifier: MIT
#include "troupe/nn/data/batch_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "troupe/nn/data/permutation.hpp"

using namespace troupe::nn;

namespace {

using numbers = std::vector<std::int64_t>;

/// Returns the numbers of an epoch's samples, batch by batch.
std::vector<numbers> epoch_of(const batch_order& o, std::int64_t epoch) {
  std::vector<numbers> out;
  for (std::int64_t k = 0; k < o.batches(epoch); ++k) {
    auto& b = out.emplace_back();
    for (const auto& s : o.batch(epoch, k)) b.push_back(s.number);
  }
  return out;
}

}  // namespace

TEST_CASE("a permutation has every number once") {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 16, 17, 100, 1'000, 12'345}) {
    for (const std::uint64_t key : {0u, 1u, 77u}) {
      const detail::permutation p(n, key, 3);
      std::vector<bool> seen(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i) {
        const auto to = p(i);
        REQUIRE((to >= 0 && to < n));
        REQUIRE_FALSE(seen[static_cast<std::size_t>(to)]);
        seen[static_cast<std::size_t>(to)] = true;
      }
    }
  }
}

TEST_CASE("all permutations are equally likely") {
  // Chi-square: the mean is the number of permutations less one, and 5 standard deviations are
  // never reached.
  const std::int64_t n = GENERATE(2, 3, 4, 5);
  constexpr int draws = 60'000;
  std::map<numbers, int> counts;
  std::int64_t kinds = 1;
  for (std::int64_t i = 2; i <= n; ++i) kinds *= i;
  for (int d = 0; d < draws; ++d) {
    const detail::permutation p(n, 42, static_cast<std::uint64_t>(d));
    numbers all;
    for (std::int64_t i = 0; i < n; ++i) all.push_back(p(i));
    ++counts[all];
  }
  CHECK(static_cast<std::int64_t>(counts.size()) == kinds);
  const double expected = static_cast<double>(draws) / static_cast<double>(kinds);
  double chi = 0;
  for (const auto& [_, count] : counts) chi += (count - expected) * (count - expected) / expected;
  const auto freedom = static_cast<double>(kinds - 1);
  CHECK(chi < freedom + 5 * std::sqrt(2 * freedom));
}

TEST_CASE("a long shuffle leaves no order among neighbours") {
  constexpr std::int64_t n = 10'007;
  const detail::permutation p(n, 7, 0);
  int steps = 0, rising = 0, fixed = 0;
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    steps += std::abs(p(i + 1) - p(i)) == 1;
    rising += p(i + 1) > p(i);
    fixed += p(i) == i;
  }
  CHECK(steps < 12);  // two steps are expected, and one fixed position
  CHECK(fixed < 8);
  CHECK(std::abs(rising - n / 2) < 150);  // with a standard deviation of 29
}

TEST_CASE("without shuffling, samples come in order; a rest is kept or discarded") {
  CHECK(epoch_of({.samples = 5, .size = 2}, 0) == std::vector<numbers>{{0, 1}, {2, 3}, {4}});
  CHECK(epoch_of({.samples = 5, .size = 2}, 3) == epoch_of({.samples = 5, .size = 2}, 0));
  CHECK(epoch_of({.samples = 5, .size = 2, .last = last_batch::discard}, 0) ==
        std::vector<numbers>{{0, 1}, {2, 3}});
}

TEST_CASE("with roll_over, a rest begins the next epoch, and nothing is lost") {
  const batch_order o{.samples = 5, .size = 3, .last = last_batch::roll_over};
  CHECK(epoch_of(o, 0) == std::vector<numbers>{{0, 1, 2}});
  CHECK(epoch_of(o, 1) == std::vector<numbers>{{3, 4, 0}, {1, 2, 3}});
  CHECK(epoch_of(o, 2) == std::vector<numbers>{{4, 0, 1}, {2, 3, 4}});
  CHECK(epoch_of(o, 3) == epoch_of(o, 0));
  const batch_order shuffled{
      .samples = 7, .size = 4, .shuffle = true, .last = last_batch::roll_over, .seed = 3};
  std::map<std::int64_t, int> seen;
  for (std::int64_t e = 0; e < 4; ++e) {
    for (const auto& b : epoch_of(shuffled, e)) {
      for (const auto n : b) ++seen[n];
    }
  }
  for (const auto& [number, times] : seen) CHECK(times == 4);
  CHECK(seen.size() == 7);
}

TEST_CASE("a batch larger than the dataset: one small one, none, or one every few epochs") {
  CHECK(epoch_of({.samples = 2, .size = 5}, 0) == std::vector<numbers>{{0, 1}});
  CHECK(epoch_of({.samples = 2, .size = INT64_MAX}, 0) == std::vector<numbers>{{0, 1}});
  CHECK(epoch_of({.samples = 2, .size = 5, .last = last_batch::discard}, 0).empty());
  const batch_order o{.samples = 2, .size = 5, .last = last_batch::roll_over};
  CHECK(epoch_of(o, 0).empty());
  CHECK(epoch_of(o, 1).empty());
  CHECK(epoch_of(o, 2) == std::vector<numbers>{{0, 1, 0, 1, 0}});
}

TEST_CASE("an empty dataset has no batches") {
  for (const auto last : {last_batch::keep, last_batch::discard, last_batch::roll_over})
    CHECK(epoch_of({.samples = 0, .size = 4, .shuffle = true, .last = last}, 0).empty());
}

TEST_CASE("every epoch is shuffled anew, and the same seed and epoch give the same order") {
  const batch_order o{.samples = 50, .size = 8, .shuffle = true, .seed = 9};
  CHECK(epoch_of(o, 0) != epoch_of(o, 1));
  CHECK(epoch_of(o, 6) == epoch_of(o, 6));
  auto other = o;
  other.seed = 10;
  CHECK(epoch_of(other, 0) != epoch_of(o, 0));
  for (std::int64_t e = 0; e < 3; ++e) {
    std::set<std::int64_t> all;
    for (const auto& b : epoch_of(o, e)) all.insert(b.begin(), b.end());
    CHECK(all.size() == 50);
  }
}
