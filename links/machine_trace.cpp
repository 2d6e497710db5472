// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <utility>

#include "troupe/links/machine.hpp"

// When tasks ran on a node, by the clock of this machine.

namespace troupe {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_answer = 5s;
constexpr int clocks_compared = 5;
// Seconds by which the beginning of a task may be noticed late here.
constexpr double most_late = 1;
// The longest answer that is taken.
constexpr std::size_t most_lanes = 1'000, most_runs = 1'000'000;

}  // namespace

/// Asks something, and waits for the answer. Returns false if none comes.
bool machine::ask(command_kind kind, std::int64_t since,
                  std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex_);
  if (!connected()) return false;
  const auto link = links_;
  question_ = {question_.number + 1};
  std::vector<std::byte> command;
  byte_writer out(command);
  out.put(kind);
  out.put(question_.number);
  if (kind == command_kind::trace) out.put(since);
  link_->send(frame_kind::commands, command);
  changed_.wait_until(lock, until, [&] {
    return question_.answered || given_up_ || link != links_ || !connected();
  });
  return question_.answered;
}

remote_runs machine::runs_since(ticks since) {
  remote_runs out;
  const std::lock_guard one_at_a_time(asking_);
  const auto until = std::chrono::steady_clock::now() + longest_answer;
  // A clock is read about half way of the shortest way there and back.
  auto shortest = std::numeric_limits<std::int64_t>::max();
  std::int64_t ahead = 0;
  for (int i = 0; i < clocks_compared; ++i) {
    const auto asked = steady_nanoseconds();
    if (!ask(command_kind::clock, 0, until)) return out;
    const auto way = steady_nanoseconds() - asked;
    if (way >= shortest) continue;
    shortest = way;
    ahead = question_.clock - asked - way / 2;
  }
  const auto first = since == 0 ? std::numeric_limits<std::int64_t>::min()
                                : clock_.nanoseconds(since - ticks_in(most_late)) + ahead;
  if (!ask(command_kind::trace, first, until)) return out;
  const auto here = [&](std::int64_t there) { return clock_.ticks_at(there - ahead); };
  out.runs.reserve(question_.runs.size());
  for (const auto& one : question_.runs) {
    if (one.lane < question_.lanes.size())
      out.runs.push_back(
          {one.sequence, here(one.started), here(one.ended), one.share, one.lane, one.failed});
  }
  out.lanes = std::move(question_.lanes);
  return out;
}

void machine::take_clock(byte_reader in) {
  const auto number = in.get<std::uint64_t>();
  const auto clock = in.get<std::int64_t>();
  const std::lock_guard lock(mutex_);
  if (number != question_.number || question_.answered) return;  // nobody waits for it any more
  question_.clock = clock;
  question_.answered = true;
  changed_.notify_all();
}

void machine::take_trace(byte_reader in) {
  auto part = read_trace(in);
  const std::lock_guard lock(mutex_);
  if (part.number != question_.number || question_.answered) return;
  if (question_.lanes.size() + part.lanes.size() > most_lanes ||
      question_.runs.size() + part.runs.size() > most_runs)
    throw bytes_error("a trace longer than any");
  std::ranges::move(part.lanes, std::back_inserter(question_.lanes));
  question_.runs.insert(question_.runs.end(), part.runs.begin(), part.runs.end());
  question_.answered = part.last;
  if (part.last) changed_.notify_all();
}

}  // namespace troupe
