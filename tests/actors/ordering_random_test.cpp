// SPDX-License-Identifier: MIT
#include "troupe/tests/actors/ordering_simulation.hpp"
#include "troupe/tests/actors/several_orderings.hpp"
#include "troupe/tests/effort.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

constexpr std::uint64_t graphs = cases_of_one_thread(10'000);

/// Returns the number of graphs to try: with many lanes, each takes longer.
std::uint64_t graphs_for(int lanes) { return lanes > 8 ? graphs / 20 : graphs; }

/// Checks the invariants that hold however a program ended.
void check_all_ended(const ordering_simulation& s) {
  REQUIRE_FALSE(s.too_early);
  REQUIRE_FALSE(s.not_all_listed);
  for (auto times : s.ended) REQUIRE(times == 1);
  REQUIRE(s.alive == 0);
  REQUIRE(s.subject().held() == 0);
  REQUIRE(s.subject().in_flight() == 0);
  for (const auto& outputs : s.values()) {
    for (const auto& v : outputs) REQUIRE_FALSE(v->pending());
  }
}

}  // namespace

TEST_CASE("random graphs give the results of a serial run") {
  const auto lanes = GENERATE(1, 2, 8, 64, 100);
  std::size_t moved = 0;
  for (std::uint64_t seed = 1; seed <= graphs_for(lanes); ++seed) {
    INFO("lanes " << lanes << ", seed " << seed);
    std::mt19937_64 random(seed);
    const random_graph graph(random, {});
    ordering_simulation s(graph, lanes, std::size_t{1} << 30, seed);
    s.run();
    check_all_ended(s);
    moved += s.moved;
    const auto expected = graph.run_serially();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      REQUIRE(s.runs[i] <= std::max<std::int64_t>(1, graph.nodes[i].chunks));
      for (const auto& v : s.values()[i]) {
        REQUIRE(v->failed() == expected[i].failed);
        if (v->ready()) REQUIRE(*static_cast<const std::int64_t*>(v->data()) == expected[i].number);
      }
    }
  }
  CHECK(moved > 0);
}

TEST_CASE("a program cancelled at any point ends, and the results of tasks that ran are right") {
  const auto lanes = GENERATE(1, 2, 8, 64);
  std::size_t cancelled = 0;
  for (std::uint64_t seed = 1; seed <= graphs_for(lanes); ++seed) {
    INFO("lanes " << lanes << ", seed " << seed);
    std::mt19937_64 random(seed);
    const random_graph graph(random, {});
    ordering_simulation s(graph, lanes, std::size_t{1} << 30, seed);
    s.run(random() % 150);
    check_all_ended(s);
    const auto expected = graph.run_serially();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const auto& v : s.values()[i]) {
        if (v->ready()) {
          REQUIRE_FALSE(expected[i].failed);
          REQUIRE(*static_cast<const std::int64_t*>(v->data()) == expected[i].number);
        } else if (v->why()->why == failure::reason::cancelled) {
          ++cancelled;
        }
      }
    }
  }
  REQUIRE(cancelled > graphs_for(lanes));
}

TEST_CASE("memory is granted beyond the limit only when nothing before the task is in flight") {
  const auto lanes = GENERATE(1, 2, 8, 64);
  for (std::uint64_t seed = 1; seed <= graphs_for(lanes) / 2; ++seed) {
    INFO("lanes " << lanes << ", seed " << seed);
    std::mt19937_64 random(seed);
    const random_graph graph(random, {.foreign = 0, .most_elements = 64});
    ordering_simulation s(graph, lanes, 8 * (1 + random() % 512), seed);
    s.run(~std::size_t{0}, false);
    check_all_ended(s);
    REQUIRE_FALSE(s.over_limit);
  }
}

TEST_CASE(
    "under a strict limit all tasks end: those fail that do not fit when their turn has come") {
  const auto lanes = GENERATE(1, 2, 8);
  std::size_t moved = 0, failed = 0;
  for (std::uint64_t seed = 1; seed <= graphs_for(lanes); ++seed) {
    INFO("lanes " << lanes << ", seed " << seed);
    std::mt19937_64 random(seed);
    const random_graph graph(random, {.foreign = 0, .most_elements = 64});
    const memory_bound limit(8 * (64 + random() % 1024), true);
    ordering_simulation s(graph, lanes, limit, seed);
    const bool keep_values = seed % 2 == 0;
    s.run(~std::size_t{0}, keep_values);
    check_all_ended(s);
    REQUIRE_FALSE(s.over_limit);
    moved += s.moved;
    if (!keep_values) continue;
    const auto expected = graph.run_serially();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const auto& v : s.values()[i]) {
        if (v->ready()) REQUIRE(*static_cast<const std::int64_t*>(v->data()) == expected[i].number);
        failed += v->failed() && !expected[i].failed;
      }
    }
  }
  CHECK(moved > 0);
  CHECK(failed > 0);
}

TEST_CASE("large graphs with many results ready long before they are needed end") {
  const auto lanes = GENERATE(1, 2, 8, 64);
  for (std::uint64_t seed = 1; seed <= graphs_for(lanes) / 10; ++seed) {
    INFO("lanes " << lanes << ", seed " << seed);
    std::mt19937_64 random(seed);
    const random_graph graph(random, {.most_tasks = 400, .most_elements = 4096, .most_reach = 400});
    ordering_simulation s(graph, lanes, std::size_t{1} << 30, seed);
    s.run();
    check_all_ended(s);
  }
}

TEST_CASE(
    "several orderings under a memory limit always make progress, one task at a time beyond it") {
  const std::size_t orderings = GENERATE(1u, 2u, 4u), memories = GENERATE(1u, 2u);
  const int lanes = GENERATE(1, 3);
  std::size_t forced = 0, beyond_budget = 0;
  for (std::uint64_t seed = 1; seed <= graphs / 4; ++seed) {
    INFO("orderings " << orderings << ", memories " << memories << ", lanes " << lanes << ", seed "
                      << seed);
    std::mt19937_64 random(seed);
    const random_graph graph(
        random, {.foreign = 0, .failing = 0.02, .most_elements = 64, .most_reach = 10});
    several_orderings s(graph, orderings, lanes, std::min(memories, orderings),
                        8 * (1 + random() % 512), seed);
    s.run();
    REQUIRE(s.ended == graph.nodes.size());
    REQUIRE(s.alive == 0);
    REQUIRE_FALSE(s.too_much);
    REQUIRE_FALSE(s.too_early);
    forced += s.forced;
    beyond_budget += s.beyond_budget;
    const auto expected = graph.run_serially();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const auto& v : s.values()[i]) {
        REQUIRE(v->failed() == expected[i].failed);
        if (v->ready()) REQUIRE(*static_cast<const std::int64_t*>(v->data()) == expected[i].number);
      }
    }
  }
  REQUIRE(forced > 0);
  REQUIRE(beyond_budget > 0);
}

TEST_CASE(
    "several orderings settle all values, whatever is cancelled, in any order of importance") {
  const std::size_t orderings = GENERATE(1u, 2u, 4u), memories = GENERATE(1u, 2u);
  const int lanes = GENERATE(1, 3);
  const std::int64_t most_elements = GENERATE(64, 512);  // up to 4 KiB: some are held back
  std::size_t cancelled = 0;
  for (std::uint64_t seed = 1; seed <= graphs / 10; ++seed) {
    INFO("orderings " << orderings << ", memories " << memories << ", lanes " << lanes
                      << ", elements " << most_elements << ", seed " << seed);
    std::mt19937_64 random(seed);
    const random_graph graph(
        random, {.foreign = 0, .failing = 0.02, .most_elements = most_elements, .most_reach = 10});
    several_orderings s(graph, orderings, lanes, std::min(memories, orderings),
                        static_cast<std::size_t>(most_elements / 8) * (1 + random() % 512), seed,
                        true);
    s.run();
    REQUIRE(s.ended == graph.nodes.size());
    REQUIRE(s.alive == 0);
    REQUIRE_FALSE(s.too_much);
    const auto expected = graph.run_serially();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const auto& node = graph.nodes[i];
      const bool has_inputs = std::ranges::all_of(
          node.inputs, [&](const random_graph::input& in) { return s.succeeded(in.from); });
      if (!has_inputs || node.fails) REQUIRE_FALSE(s.succeeded(i));
      else if (!s.may_be_cancelled(i)) REQUIRE(s.succeeded(i));
      else cancelled += !s.succeeded(i);
      for (const auto& v : s.values()[i]) {
        REQUIRE_FALSE(v->pending());
        if (v->ready()) REQUIRE(*static_cast<const std::int64_t*>(v->data()) == expected[i].number);
      }
    }
  }
  REQUIRE(cancelled > 0);
}
