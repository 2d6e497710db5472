// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tests/actors/test_operations.hpp"

namespace troupe::testing {

/// Random program on two devices whose values count the additions that lead to them: those that are
/// ready can be checked, whatever became of the others.
class counting_program {
 public:
  counting_program(engine& e, std::mt19937& random) : engine_(e), random_(random) {
    add(filled(e, {50}, 0), 0);
  }

  using counted = std::pair<tensor, double>;

  /// Returns one of the latest values, for another to be computed from.
  counted latest() {
    return all_[all_.size() - 1 - random_() % std::min<std::size_t>(all_.size(), 5)];
  }
  counted& any() { return all_[random_() % all_.size()]; }
  void add(tensor x, double number) { all_.emplace_back(std::move(x), number); }
  /// Copies a value to the other device, or adds 1 to it.
  void go_on() {
    const auto [x, number] = latest();
    if (random_() % 20 == 0) add(to(x, cpu(x.device() == cpu(0) ? 1 : 0)), number);
    else add(increment(engine_, x, random_() % 3 ? 0.f : 60'000.f), number + 1);
  }

  using check = void (*)(const tensor& failed);
  /// Fails unless all values have settled, ready ones are right, and the engine still works.
  /// `check_failed` is called with the others.
  void check_settled(check check_failed) const {
    for (const auto& [x, number] : all_) {
      REQUIRE((x.ready() || x.failed()));
      if (x.ready()) REQUIRE(x.to_vector<double>()[7] == number);
      else check_failed(x);
    }
    REQUIRE(filled(engine_, {}, 1).item<double>() == 1);
  }

 private:
  engine& engine_;
  std::mt19937& random_;
  std::vector<counted> all_;
};

}  // namespace troupe::testing
