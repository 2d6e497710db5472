// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include "troupe/tasks/value.hpp"

namespace troupe::testing {

/// Random program of which some tasks never end, and what of it must be computed nevertheless.
class hanging_program {
 public:
  explicit hanging_program(std::mt19937_64& random)
      : random_(random), reach_(2 + below(20)), most_inputs_(1 + below(4)) {}

  std::size_t below(std::size_t n) { return random_() % n; }

  /// Draws the inputs of the next task, which hangs or not.
  std::vector<value_ref> next(bool hangs) {
    const auto i = values_.size();
    auto& from = reads_.emplace_back();
    std::vector<value_ref> inputs;
    for (auto n = below(most_inputs_ + 1); n > 0 && i > 0; --n) {
      from.push_back(i - 1 - below(std::min(i, reach_)));
      inputs.push_back(values_[from.back()]);
      hangs |= needs_hanging_[from.back()];
    }
    needs_hanging_.push_back(hangs);
    return inputs;
  }
  void made(value_ref result) { values_.push_back(std::move(result)); }

  /// Checks that nothing is computed that needs what hangs, and all from which a way leads to a
  /// result that does not.
  void check() const {
    std::vector<bool> read(values_.size()), of_use(values_.size());
    for (std::size_t i = values_.size(); i-- > 0;) {
      if (needs_hanging_[i]) REQUIRE(values_[i]->pending());
      else if (!read[i]) of_use[i] = true;
      if (of_use[i]) REQUIRE(values_[i]->ready());
      for (const auto from : reads_[i]) {
        read[from] = true;
        if (of_use[i]) of_use[from] = true;
      }
    }
  }
  const std::vector<value_ref>& values() const noexcept { return values_; }

 private:
  std::mt19937_64& random_;
  std::size_t reach_, most_inputs_;
  std::vector<value_ref> values_;
  std::vector<std::vector<std::size_t>> reads_;  ///< by task, the tasks whose results it reads
  std::vector<bool> needs_hanging_;
};

}  // namespace troupe::testing
