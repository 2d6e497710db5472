// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "troupe/tasks/error.hpp"

namespace troupe {

/// Failures for whoever waits for everything. When there are too many, those that a client has
/// already read are dropped, then the last ones in program order.
class kept_failures {
 public:
  static constexpr std::size_t most = 1'000;

  struct list {
    std::vector<failure_ptr> failures;
    std::uint64_t not_kept = 0;  ///< further failures that were dropped before a client read them
  };

  void add(failure_ptr f);
  /// Returns them, in any order, and keeps none.
  list take() noexcept;

 private:
  std::vector<failure_ptr> earliest_;  ///< as a heap with the last of them in front
  std::uint64_t not_kept_ = 0;
};

}  // namespace troupe
