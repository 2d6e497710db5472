// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <random>

#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tests/actors/test_operations.hpp"

namespace troupe::testing {

/// Result of a tensor: its numbers, or the text of its failure.
struct outcome {
  std::string error;
  std::vector<double> numbers;

  static outcome of(const tensor& x) {
    try {
      return {"", x.to_vector<double>()};
    } catch (const task_error& e) { return {e.what(), {}}; }
  }
  friend bool operator==(const outcome& a, const outcome& b) {
    const auto same_bits = [](double x, double y) {
      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    return a.error == b.error && std::ranges::equal(a.numbers, b.numbers, same_bits);
  }
};

/// Runs a program that depends only on the seed and the number of devices: it creates variables,
/// computes with them, rebinds them, copies them between devices and reads them; some tasks fail.
/// Returns everything read, and in the end every variable and the error of wait_all.
inline std::vector<outcome> run_random_program(engine& e, unsigned seed) {
  const auto devices = static_cast<std::size_t>(e.devices().size());
  const auto place = [&](std::size_t i) { return e.devices()[i]->id(); };
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  static constexpr std::int64_t sizes[] = {1, 3, 4, 5, 40, 1'000, 20'000};
  static constexpr float estimates[] = {0, 0, 0, 200, 10'000, 60'000, 2e6f};
  const auto n = sizes[below(std::size(sizes))];
  const bool fails = below(2);

  std::vector<tensor> variables;
  const auto make = [&] {
    return filled(e, {n}, static_cast<double>(below(1'000)) / 7, {.device = place(below(devices))});
  };
  for (int i = 0; i < 6; ++i) variables.push_back(make());
  std::vector<outcome> read;
  const auto steps = 20 + below(200);
  for (std::size_t step = 0; step < steps; ++step) {
    auto& target = variables[below(variables.size())];
    const auto x = variables[below(variables.size())];
    const auto y = to(variables[below(variables.size())], x.device());
    const how h{.nanoseconds = estimates[below(std::size(estimates))]};
    switch (below(12)) {
      case 0: target = make(); break;
      case 1: target = to(x, place(below(devices))); break;
      case 2:
        if (fails && below(4) == 0)
          target = at_fault(e, "step " + std::to_string(step), {x, y}, {n});
        break;
      case 3:
        if (below(5) == 0) read.push_back(outcome::of(x));
        break;
      case 4: {
        auto both = call_two(
            e, {x, y}, {n},
            [](const kernel_args& a, auto, auto) {
              for (std::int64_t i = 0; i < a.outputs[0].size(); ++i) {
                begin(a.outputs[0])[i] = begin(a.inputs[0])[i] * 0.5;
                begin(a.outputs[1])[i] = begin(a.inputs[1])[i] - begin(a.inputs[0])[i];
              }
            },
            h);
        target = both[below(2)];
        variables[below(variables.size())] = both[0];
        break;
      }
      case 5:
      case 6: {
        // Reads its first input backwards, so each chunk needs all of the input.
        const auto chunks = 1 + static_cast<std::int64_t>(below(5));
        target = call(e, {x, y}, {n},
                      [chunks](const kernel_args& a, auto first, auto last) {
                        const auto size = a.outputs[0].size();
                        for (auto i = size * first / chunks; i < size * last / chunks; ++i)
                          begin(a.outputs[0])[i] =
                              begin(a.inputs[0])[size - 1 - i] * 1.25 - begin(a.inputs[1])[i] / 3;
                      },
                      {.nanoseconds = h.nanoseconds, .chunks = chunks});
        break;
      }
      case 7: target = plus(e, x, y, h); break;
      default: target = increment(e, target, h.nanoseconds);
    }
  }
  for (const auto& v : variables) read.push_back(outcome::of(v));
  try {
    e.wait_all();
  } catch (const task_error& error) { read.push_back({error.what(), {}}); }
  return read;
}

}  // namespace troupe::testing
