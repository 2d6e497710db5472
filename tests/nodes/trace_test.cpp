// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;

namespace {

/// Returns the lane's runs of operations with this name.
std::vector<task_event> runs_of(const trace_log& log, std::string_view operation,
                                std::string_view lane) {
  std::vector<task_event> out;
  std::ranges::copy_if(log.events, std::back_inserter(out), [&](const task_event& e) {
    return e.name == operation && log.lanes[static_cast<std::size_t>(e.lane)].starts_with(lane);
  });
  return out;
}

}  // namespace

TEST_CASE("a trace has the runs of tasks on nodes, on their lanes, by this machine's clock") {
  const troupe::testing::temporary_folder folder;
  const auto key = troupe::testing::key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  auto one = std::make_unique<troupe::testing::tested_node>(key);
  runtime rt({.lanes = 1, .nodes = std::vector<std::string>{one->address()}, .key = key});
  const auto start = now();
  const auto before = exp(ones({1000, 1000}));
  auto there = before.to(cpu(0, node(1)));
  for (int i = 0; i < 3; ++i) there = matmul(there, there) / 1e6F;
  const auto after = sqrt(there.to(cpu()));
  after.wait();
  const auto log = rt.trace(start);

  const auto products = runs_of(log, "matmul", "node 1: cpu:0 lane ");
  REQUIRE(products.size() >= 3);
  CHECK(runs_of(log, "matmul", "cpu:0").empty());
  const auto made = runs_of(log, "exp", "cpu:0 lane 0"),
             read = runs_of(log, "sqrt", "cpu:0 lane 0");
  REQUIRE(made.size() == 1);
  REQUIRE(read.size() == 1);
  // One clock here, but the other process is asked for it, which a busy machine may keep waiting.
  constexpr double apart = 0.02;
  auto since = made[0].ended;
  for (std::uint64_t task = products[0].sequence; const auto& e : products) {
    CHECK(e.ended > e.started);
    CHECK(e.device == cpu(0, node(1)));
    CHECK(seconds_between(since, e.started) > -apart);
    CHECK(seconds_between(e.ended, read[0].started) > -apart);
    CHECK(e.call_site.line() != 0);
    if (e.sequence != task) since = e.started;  // parts of one task may begin together
    task = e.sequence;
  }
  double share = 0;
  for (const auto& e : products) share += e.sequence == products[0].sequence ? e.share : 0;
  CHECK(share == Approx(1));

  // The owner's own view remains when the node has gone.
  one = nullptr;
  CHECK(rt.trace(start).events.size() >= 8);
}
