// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/row.hpp"

#include <catch2/catch.hpp>

using namespace troupe::bench;

namespace {

constexpr bench_case something{.name = "something", .title = "Something"};

}  // namespace

TEST_CASE("a row has the synchronous runtime's time and the median of how much slower it is") {
  const auto r = make_row(something, {.ours = {2, 2, 4}, .synchronous = {1, 3, 1}});
  CHECK(r[1] == "2.00 s");
  CHECK(r[2] == "1.00 s (0.50x)");
}

TEST_CASE("a row without a synchronous runtime leaves its column empty") {
  const auto r = make_row(something, {.ours = {2}});
  CHECK(r[2] == "");
}

TEST_CASE("a row of first measurements has the worst of all") {
  auto first = something;
  first.fresh = true;
  const auto r = make_row(
      first,
      {.ours = {1, 2, 9}, .synchronous = {1, 1, 3}, .theirs = {4, 4, 5}, .peer = "Other 1.0"});
  CHECK(r[1] == "2.00 s, worst 9.00 s");
  CHECK(r[2] == "1.00 s, worst 3.00 s (0.50x)");
  CHECK(r[3] == "Other 4.00 s, worst 5.00 s");
}

TEST_CASE("a high rate is given in millions a second, a low one is not") {
  auto rate = something;
  rate.shown = figure::rate;
  rate.count = 200;
  CHECK(make_row(rate, {.ours = {0.25}})[1] == "800 /s");
  CHECK(make_row(rate, {.ours = {1e-4}})[1] == "2.00 M/s");
}
