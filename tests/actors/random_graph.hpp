// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace troupe::testing {

/// Program to be ordered: tasks that read the results of earlier ones and of another ordering.
struct random_graph {
  struct input {
    bool foreign;  ///< of another ordering
    std::size_t from;
    std::size_t output;
  };
  struct node {
    std::vector<input> inputs;
    std::size_t outputs = 1;
    std::int64_t elements = 1;  ///< of each output
    float estimate = 0;
    std::int64_t chunks = 0;  ///< above 0: may be shared by lanes
    bool fails = false;
    std::int8_t priority = 0;
  };

  std::vector<node> nodes;
  std::vector<bool> foreign_fails;

  struct style {
    std::size_t most_tasks = 60;
    std::size_t foreign = 4;
    double failing = 0.02;
    std::int64_t most_elements = 1;
    std::size_t most_reach = 12;  ///< greatest distance back to inputs
  };

  random_graph(std::mt19937_64& random, const style& s) {
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    const auto chance = [&](double p) { return std::uniform_real_distribution<>()(random) < p; };
    static constexpr float estimates[] = {200, 200, 200, 3'000, 30'000, 60'000, 500'000, 8'000'000};
    const auto count = 1 + below(s.most_tasks);
    const auto reach = 1 + below(s.most_reach);  // short: chains; long: wide graphs
    const auto kinds = 1 + below(std::size(estimates));
    for (std::size_t i = 0; i < s.foreign; ++i) foreign_fails.push_back(chance(s.failing));
    for (std::size_t i = 0; i < count; ++i) {
      node n;
      for (auto inputs = below(4); inputs > 0; --inputs) {
        if (s.foreign > 0 && chance(0.1)) {
          n.inputs.push_back({true, below(s.foreign), 0});
        } else if (i > 0) {
          const auto from = i - 1 - below(std::min(i, reach));
          n.inputs.push_back({false, from, below(nodes[from].outputs)});
        }
      }
      if (chance(0.1)) n.outputs = 2;
      n.elements = 1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(s.most_elements)));
      n.estimate = estimates[below(kinds)];
      if (chance(0.5)) n.chunks = 1 + static_cast<std::int64_t>(below(6));
      n.fails = chance(s.failing);
      if (chance(0.2)) n.priority = static_cast<std::int8_t>(below(256));
      nodes.push_back(std::move(n));
    }
  }

  /// Returns the result of a task from its inputs.
  static std::int64_t mix(std::uint64_t task, const std::vector<std::int64_t>& inputs) {
    std::uint64_t h = 0x9e3779b97f4a7c15 * (task + 1);
    for (auto x : inputs) h = (h ^ static_cast<std::uint64_t>(x)) * 0xbf58476d1ce4e5b9 + (h >> 29);
    return static_cast<std::int64_t>(h);
  }

  struct result {
    bool failed = false;
    std::int64_t number = 0;
  };

  static std::int64_t foreign_number(std::size_t i) { return static_cast<std::int64_t>(1000 + i); }

  /// Runs one task after the other, as the reference.
  std::vector<result> run_serially() const {
    std::vector<result> results;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      result r{nodes[i].fails, 0};
      std::vector<std::int64_t> numbers;
      for (const auto& in : nodes[i].inputs) {
        r.failed |= in.foreign ? foreign_fails[in.from] : results[in.from].failed;
        numbers.push_back(in.foreign ? foreign_number(in.from) : results[in.from].number);
      }
      r.number = mix(i, numbers);
      results.push_back(r);
    }
    return results;
  }
};

}  // namespace troupe::testing
