// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/measure.hpp"

#include <optional>

#include "troupe/apps/bench/peer.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace troupe::bench {

namespace {

outcome alternate(const measurement& ours, const measurement& theirs, int rounds) {
  outcome o;
  for (int round = 0; round <= rounds; ++round) {
    await_rest();
    const auto our_seconds = ours();
    if (round > 0) o.ours.push_back(our_seconds);
    if (!theirs) continue;
    await_rest();
    const auto their_seconds = theirs();
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
  auto o = alternate(c.ours(rt, c.count), theirs, rounds);
  o.peer = other ? other->description() : c.beside_name;
  o.peer_missing = other && !other->installed();
  return o;
}

}  // namespace troupe::bench
