// SPDX-License-Identifier: MIT
#include <thread>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

// Between two operations, long enough for all threads to go to sleep.
constexpr std::chrono::milliseconds pause(2);

measurement round_trip(runtime& rt, int count) {
  auto x = ones({1, 2});
  rt.wait_all();
  return [count, x] {
    std::vector<double> all;
    for (int i = 0; i < count; ++i) {
      std::this_thread::sleep_for(pause);
      all.push_back(seconds_of([&] { (x + 1).wait(); }));
    }
    return median(std::move(all));
  };
}

// The same without pauses: the threads have just been at work.
measurement round_trip_hot(runtime& rt, int count) {
  auto x = ones({1, 2});
  rt.wait_all();
  return [count, x] { return median_seconds(count, [&] { (x + 1).wait(); }); };
}

constexpr int client_threads = 64;

measurement many_clients(runtime& rt, int count) {
  auto x = uniform({64, 64});
  rt.wait_all();
  return [count, x] {
    return seconds_of([&] {
      std::vector<std::jthread> clients;
      for (int i = 0; i < client_threads; ++i)
        clients.emplace_back([&] {
          for (int k = 0; k < count / client_threads; ++k) sum(x * 2.0).wait();
        });
    });
  };
}

measurement rest(runtime&, int seconds) {
  return [seconds] {
    const auto busy =
        seconds_of([&] { std::this_thread::sleep_for(std::chrono::seconds(seconds)); },
                   CLOCK_PROCESS_CPUTIME_ID);
    return busy / seconds;
  };
}

constexpr bench_case waiting_cases[] = {
    {.name = "round_trip",
     .title = "a small operation on an idle engine, waited for",
     .count = 200,
     .ours = round_trip,
     .aim = {target::below, 60e-6},
     .peer = "bench-libtorch",
     .remark = "we aim at 30 us"},
    {.name = "round_trip_hot",
     .title = "the same, one after the other",
     .count = 10'000,
     .ours = round_trip_hot,
     .peer = "bench-libtorch"},
    {.name = "round_trip_messages",
     .title = "the same, beside the messages alone",
     .count = 10'000,
     .ours = round_trip_hot,
     .peer = "bench-caf",
     .synchronous = false},
    {.name = "clients",
     .title = "sums of x * 2, 64 x 64, by 64 threads, each waited for",
     .count = 12'800,
     .in_a_row = 3,
     .shown = figure::rate,
     .ours = many_clients,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "rest",
     .title = "an idle runtime: CPU time over 2 s",
     .count = 2,
     .shown = figure::share,
     .ours = rest,
     .aim = {target::below, 0.005},
     .synchronous = false},
};

}  // namespace

const std::span<const bench_case> waiting = waiting_cases;

}  // namespace troupe::bench
