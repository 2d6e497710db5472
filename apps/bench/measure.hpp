// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"

namespace troupe::bench {

/// Figures of the rounds of one case.
struct outcome {
  std::vector<double> ours;
  std::vector<double> theirs;  ///< of the same rounds; empty if there is nothing to compare with
  std::string peer;            ///< the name of that; empty if the case has none
  bool peer_missing = false;   ///< it is not installed
};

/// Measures ours and the peer in turns, each when the process has come to rest, after a round that
/// does not count.
outcome measure(const bench_case& c, int rounds);

}  // namespace troupe::bench
