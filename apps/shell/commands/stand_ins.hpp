// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "troupe/apps/shell/evaluator/evaluator.hpp"

namespace troupe::shell {

/// Guard that replaces the variables that are arrays while it lives.
class stand_ins {
 public:
  stand_ins(evaluator& variables, const std::function<std::optional<tensor>(const tensor&)>& of);
  stand_ins(const stand_ins&) = delete;
  stand_ins& operator=(const stand_ins&) = delete;
  ~stand_ins();

 private:
  evaluator& variables_;
  std::vector<std::pair<symbol, shell_value>> before_;
};

}  // namespace troupe::shell
