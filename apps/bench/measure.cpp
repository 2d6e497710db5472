// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/measure.hpp"

#include <algorithm>
#include <iostream>
#include <limits>
#include <list>
#include <optional>
#include <utility>

#include "troupe/apps/bench/busy_process.hpp"
#include "troupe/apps/bench/peer.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe::bench {

namespace {

/// Measurements that take turns; some may be empty.
struct contestants {
  measurement ours = {}, synchronous = {}, theirs = {};
};

// Measures one round: the median of some in a row, so that waking up counts for little in short
// measurements.
double take(const measurement& one, int in_a_row) {
  await_rest();
  std::vector<double> all;
  for (int i = 0; i < in_a_row; ++i) all.push_back(one());
  return median(std::move(all));
}

outcome alternate(const contestants& all, int in_a_row, int rounds) {
  outcome o;
  const std::pair<const measurement&, std::vector<double>&> turns[] = {
      {all.ours, o.ours}, {all.synchronous, o.synchronous}, {all.theirs, o.theirs}};
  for (int round = 0; round <= rounds; ++round) {
    for (const auto& [one, figures] : turns) {
      if (!one) continue;
      const auto measured = take(one, in_a_row);
      if (round > 0) figures.push_back(measured);
    }
  }
  return o;
}

runtime_options options_of(const bench_case& c, bool synchronous) {
  auto options = c.options;
  if (synchronous) options.synchronous = true;
  return options;
}

// Readies a measurement whose tensors belong to this runtime, although there is a newer one.
measurement belonging_to(runtime& rt, const bench_case& c) {
  const use_engine here(rt.engine());
  return [&rt, one = c.ours(rt, c.count)] {
    const use_engine same(rt.engine());
    return one();
  };
}

measurement in_new_process(const bench_case& c, std::string_view program,
                           std::vector<std::string> words = {}) {
  return [&c, program, words] { return peer(program, words).measure(c.name, c.count); };
}

outcome measure_in_new_processes(const bench_case& c, contest how, bool with_peer) {
  contestants all{.ours = in_new_process(c, "troupe-bench", {"--answer", "asynchronous"})};
  if (how.synchronous)
    all.synchronous = in_new_process(c, "troupe-bench", {"--answer", "synchronous"});
  if (with_peer) all.theirs = in_new_process(c, c.peer);
  std::list<busy_process> disturbance(static_cast<std::size_t>(c.busy));
  return alternate(all, c.in_a_row, how.rounds);
}

outcome measure_here(const bench_case& c, contest how, const measurement& their_program) {
  std::optional<runtime> at_once;
  if (how.synchronous) at_once.emplace(options_of(c, true));
  runtime rt(c.options);
  contestants all{.ours = c.ours(rt, c.count), .theirs = their_program};
  if (at_once) all.synchronous = belonging_to(*at_once, c);
  if (c.beside != nullptr) all.theirs = c.beside(rt, c.count);
  return alternate(all, c.in_a_row, how.rounds);
}

}  // namespace

outcome measure(const bench_case& c, contest how) {
  how.synchronous = how.synchronous && c.synchronous;
  std::optional<peer> other;
  if (!c.peer.empty()) other.emplace(c.peer);
  const bool installed = other && other->installed();
  const auto description = other ? other->description() : std::string(c.beside_name);
  outcome o;
  if (c.fresh) {
    other.reset();
    o = measure_in_new_processes(c, how, installed);
  } else {
    measurement theirs;
    if (installed) theirs = [&] { return other->measure(c.name, c.count); };
    o = measure_here(c, how, theirs);
  }
  o.peer = description;
  o.peer_missing = !c.peer.empty() && !installed;
  return o;
}

void answer(const std::vector<const bench_case*>& cases, bool synchronous) {
  std::cout.precision(std::numeric_limits<double>::max_digits10);
  std::cout << "troupe" << std::endl;
  std::string name;
  for (int count; std::cin >> name >> count;) {
    const auto found =
        std::find_if(cases.begin(), cases.end(), [&](const auto* c) { return c->name == name; });
    if (found == cases.end()) {
      std::cout << "unknown" << std::endl;
      continue;
    }
    runtime rt(options_of(**found, synchronous));
    std::cout << (*found)->ours(rt, count)() << std::endl;
  }
}

}  // namespace troupe::bench
