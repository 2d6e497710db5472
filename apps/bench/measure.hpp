// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"

namespace troupe::bench {

/// Figures of the rounds of one case.
struct outcome {
  std::vector<double> ours = {};
  /// Of the same rounds; empty if the case has none, or there is nothing to compare with.
  std::vector<double> synchronous = {}, theirs = {};
  std::string peer = {};      ///< the name of what is compared with; empty if the case has none
  bool peer_missing = false;  ///< it is not installed
};

/// Number of rounds of a measurement, and its contestants.
struct contest {
  int rounds = usual_rounds;
  bool synchronous = true;  ///< the synchronous runtime takes part where the case has it
};

/// Measures ours and the others in turns, each when the process has come to rest, after a round
/// that does not count.
outcome measure(const bench_case& c, contest how);

/// Answers lines "<case> <count>" with a measurement of ours, as a peer does, until there are no
/// more.
void answer(const std::vector<const bench_case*>& cases, bool synchronous);

}  // namespace troupe::bench
