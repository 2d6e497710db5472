// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"

namespace troupe::bench {

/// What the rounds of one case gave.
struct outcome {
  std::vector<double> ours;
  std::vector<double> theirs;  ///< of the same rounds; empty if there is nothing to compare with
  std::string peer;            ///< what that is; empty if the case names none
  bool peer_missing = false;   ///< it is not installed
};

/// Measures ours, the peer, ours, the peer, ..., each when the process has come to rest, after a
/// round that does not count.
outcome measure(const bench_case& c, int rounds);

}  // namespace troupe::bench
