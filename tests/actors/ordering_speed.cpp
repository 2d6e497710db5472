// SPDX-License-Identifier: MIT
// Measures what an ordering's decisions cost, without lanes and messages; of 200 rounds, the
// fastest:
//
//     cmake --build build/release --target troupe_ordering_speed
//     build/release/bin/troupe_ordering_speed

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <deque>

#include "troupe/actors/ordering.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tests/actors/simulated_task.hpp"

namespace {

using namespace troupe;
using namespace troupe::testing;

constexpr std::size_t tasks_per_round = 1'000, rounds = 200, together = 32;
constexpr std::array lane_counts{2, 16, 64, 256};
// Elements of each result: too small to be held back, and not.
constexpr std::int64_t small = 1, large = 256;

/// Program whose tasks take `estimate` nanoseconds each; task `i` reads the tasks `sources(i)` that
/// are not negative.
struct program {
  const char* name;
  float estimate;
  std::array<std::ptrdiff_t, 2> (*sources)(std::ptrdiff_t i);
};

using pair = std::array<std::ptrdiff_t, 2>;
pair none(std::ptrdiff_t) { return {-1, -1}; }
pair last(std::ptrdiff_t i) { return {i - 1, -1}; }
pair last_of_64(std::ptrdiff_t i) { return {i - 64, -1}; }
pair any_of_256(std::ptrdiff_t i) {
  const auto mixed = static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15;
  return {i - 1 - static_cast<std::ptrdiff_t>(mixed >> 56),
          mixed & 1 ? i - 1 - static_cast<std::ptrdiff_t>(mixed >> 40 & 255) : -1};
}

constexpr program programs[] = {
    {"independent, 0.3 us each", 300, none},
    {"independent, 10 us each", 10'000, none},
    {"independent, 1 ms each", 1e6f, none},
    {"one chain, 0.3 us each", 300, last},
    {"64 chains, 0.3 us each", 300, last_of_64},
    {"64 chains, 10 us each", 10'000, last_of_64},
    {"random graph, 0.3 us each", 300, any_of_256},
    {"random graph, 10 us each", 10'000, any_of_256},
};

/// Returns the processor time of this thread in nanoseconds: other programs do not count.
double thread_time() {
  std::timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

/// One ordering and lanes that end their tasks at once, in order, a few of each lane at a time.
class measurement {
 public:
  measurement(int lanes, std::int64_t elements)
      : elements_(elements),
        device_(make_cpu_drivers({1, lanes, memory_limit})[0]),
        credit_(device_->memory(), memory_limit),
        ordering_(0, lanes, {{device_.get(), &credit_}}),
        in_flight_(static_cast<std::size_t>(lanes)) {}

  /// Returns the nanoseconds of decisions per task.
  double run(const program& p) {
    std::vector<task_ptr> tasks;
    std::vector<value_ref> values;
    for (std::size_t i = 0; i < tasks_per_round; ++i) {
      tasks.push_back(make_task(first_ + i, p.estimate, alive_, runs_));
      auto& t = *tasks.back();
      values.push_back(make_value(0, t.sequence, elements_));
      for (const auto from : p.sources(static_cast<std::ptrdiff_t>(i))) {
        if (from >= 0) read(t, values[static_cast<std::size_t>(from)]);
      }
      t.add_output(values.back());
    }
    first_ += tasks_per_round;
    double spent = 0;
    for (std::size_t next = 0; next < tasks.size() || ordering_.in_flight() > 0;) {
      auto ended = end_some();
      const auto start = thread_time();
      for (auto& t : ended) ordering_.finished(std::move(t), decisions_);
      for (std::size_t n = 0; n < together && next < tasks.size(); ++n)
        ordering_.add(std::move(tasks[next++]));
      ordering_.release(decisions_);
      spent += thread_time() - start;
      note_decisions();
    }
    return spent / tasks_per_round;
  }

 private:
  void note_decisions() {
    for (const auto& r : decisions_.releases)
      in_flight_[static_cast<std::size_t>(r.lane)].emplace_back(r.task);
    decisions_.clear();
  }

  /// Settles the tasks that lanes end next: all together about as many as arrive.
  std::vector<task_ptr> end_some() {
    std::vector<task_ptr> ended;
    for (std::size_t looked = 0; looked < in_flight_.size() && ended.size() < together; ++looked) {
      turn_ = (turn_ + 1) % in_flight_.size();
      auto& lane = in_flight_[turn_];
      for (std::size_t n = 0; n < 8 && !lane.empty(); ++n) {
        ended.push_back(std::move(lane.front()));
        lane.pop_front();
        ended.back()->succeed();
      }
    }
    return ended;
  }

  static constexpr std::size_t memory_limit = std::size_t{1} << 30;

  std::int64_t elements_;
  std::shared_ptr<driver> device_;
  memory_credit credit_;
  int alive_ = 0, runs_ = 0;
  std::uint64_t first_ = 0;
  ordering ordering_;
  decisions decisions_;
  std::vector<std::deque<task_ptr>> in_flight_;
  std::size_t turn_ = 0;
};

void print_table(std::int64_t elements) {
  std::printf("%-28s", elements == small ? "decisions, ns per task" : "with results of 2 KiB");
  for (const int lanes : lane_counts) std::printf("%6d lanes", lanes);
  for (const auto& p : programs) {
    std::printf("\n%-28s", p.name);
    for (const int lanes : lane_counts) {
      measurement m(lanes, elements);
      std::array<double, rounds> times;
      for (auto& one : times) one = m.run(p);
      std::printf("%12.1f", *std::ranges::min_element(times));
    }
  }
  std::printf("\n");
}

}  // namespace

int main() {
  print_table(small);
  print_table(large);
}
