// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "troupe/tensor/program/graph.hpp"
#include "troupe/tensor/program/task_log.hpp"

namespace troupe {

/// Call of a function as it is, which its program is compared with. The variables, counters and
/// random numbers that it changed are put back.
class eager_call {
 public:
  using body = std::function<std::vector<tensor>(std::span<const tensor>)>;

  /// Calls a function that was captured as `captured`. Throws what it throws.
  eager_call(engine& on, graph captured, std::span<const tensor> in, const body& f);

  /// Waits, and returns the first operation that computed other values in a program made from what
  /// was captured, with its line; empty if there is none. `computed` has the program's values by
  /// number; its variables are as it left them.
  std::string difference(const graph& program, const std::vector<value_ref>& computed,
                         std::span<const tensor> results) const;

 private:
  std::string named(const program_result& r, const std::string& otherwise) const;

  graph captured_;
  std::vector<task_log::entry> tasks_;
  std::vector<tensor> results_;
  std::vector<tensor> places_;  ///< as it left them: variables, then counters
};

}  // namespace troupe
