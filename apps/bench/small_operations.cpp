// SPDX-License-Identifier: MIT
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

const shape small{1, 2};
constexpr int operations_per_read = 100;

tensor ready_ones() {
  auto x = ones(small);
  x.wait();
  return x;
}

measurement chain(runtime&, int count) {
  return [count, x = ready_ones()] {
    return seconds_of([&] {
      auto y = x;
      for (int i = 0; i < count; ++i) y = y + 1;
      y.wait();
    });
  };
}

measurement chain_tensor(runtime&, int count) {
  return [count, x = ready_ones(), one = ready_ones()] {
    return seconds_of([&] {
      auto y = x;
      for (int i = 0; i < count; ++i) y = y + one;
      y.wait();
    });
  };
}

measurement reads(runtime&, int count) {
  return [count, x = ready_ones()] {
    return seconds_of([&] {
      auto y = x;
      for (int i = 1; i <= count; ++i) {
        y = y + 1;
        if (i % operations_per_read == 0) sum(y).item();
      }
    });
  };
}

// Times `count` independent additions whose results are kept, by the clock that `finish` belongs
// to.
template <class Finish>
double independent_additions(const tensor& x, int count, clockid_t clock, Finish&& finish) {
  std::vector<tensor> results;
  results.reserve(static_cast<std::size_t>(count));
  return seconds_of(
      [&] {
        for (int i = 0; i < count; ++i) results.push_back(x + 1);
        finish();
      },
      clock);
}

measurement independent(runtime& rt, int count) {
  return [&rt, count, x = ready_ones()] {
    return independent_additions(x, count, CLOCK_MONOTONIC, [&] { rt.wait_all(); });
  };
}

measurement submission(runtime& rt, int count) {
  return [&rt, count, x = ready_ones()] {
    const auto seconds = independent_additions(x, count, CLOCK_THREAD_CPUTIME_ID, [] {});
    rt.wait_all();
    return seconds / count;
  };
}

constexpr bench_case small_operation_cases[] = {
    {.name = "chain",
     .title = "chain of 100,000 y = y + 1, shape (1,2)",
     .count = 100'000,
     .in_a_row = 5,
     .shown = figure::rate,
     .ours = chain,
     .aim = {target::times_as_fast, 4},
     .peer = "bench-libtorch"},
    {.name = "chain_tensor",
     .title = "chain of 100,000 y = y + one, shape (1,2)",
     .count = 100'000,
     .in_a_row = 5,
     .shown = figure::rate,
     .ours = chain_tensor,
     .aim = {target::times_as_fast, 1.5},
     .peer = "bench-libtorch"},
    {.name = "reads",
     .title = "the chain of y = y + 1, its sum read after every hundred",
     .count = 100'000,
     .in_a_row = 5,
     .shown = figure::rate,
     .ours = reads,
     .aim = {target::times_as_fast, 4},
     .peer = "bench-libtorch"},
    {.name = "independent",
     .title = "100,000 independent x + 1, shape (1,2), kept",
     .count = 100'000,
     .in_a_row = 5,
     .shown = figure::rate,
     .ours = independent,
     .aim = {target::times_as_fast, 4},
     .peer = "bench-libtorch"},
    {.name = "submission",
     .title = "submitting one of these: the thread's CPU time",
     .count = 100'000,
     .in_a_row = 5,
     .ours = submission,
     .aim = {target::below, 200e-9},
     .synchronous = false},
};

}  // namespace

const std::span<const bench_case> small_operations = small_operation_cases;

}  // namespace troupe::bench
