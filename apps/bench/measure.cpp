// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/measure.hpp"

#include <optional>

#include "troupe/apps/bench/peer.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace troupe::bench {

namespace {

// Measures one round: the median of some in a row, so that waking up counts for little in short
// measurements.
double take(const measurement& one, int in_a_row) {
  await_rest();
  std::vector<double> all;
  for (int i = 0; i < in_a_row; ++i) all.push_back(one());
  return median(std::move(all));
}

outcome alternate(const measurement& ours, const measurement& theirs, int in_a_row, int rounds) {
  outcome o;
  for (int round = 0; round <= rounds; ++round) {
    const auto our_seconds = take(ours, in_a_row);
    if (round > 0) o.ours.push_back(our_seconds);
    if (!theirs) continue;
    const auto their_seconds = take(theirs, in_a_row);
    if (round > 0) o.theirs.push_back(their_seconds);
  }
  return o;
}

}  // namespace

outcome measure(const bench_case& c, int rounds) {
  std::optional<peer> other;
  if (!c.peer.empty()) other.emplace(c.peer);
  runtime rt(c.options);
  measurement theirs;
  if (c.beside != nullptr) theirs = c.beside(rt, c.count);
  else if (other && other->installed()) theirs = [&] { return other->measure(c.name, c.count); };
  auto o = alternate(c.ours(rt, c.count), theirs, c.in_a_row, rounds);
  o.peer = other ? other->description() : c.beside_name;
  o.peer_missing = other && !other->installed();
  return o;
}

}  // namespace troupe::bench
