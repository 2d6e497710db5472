// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

constexpr std::int64_t rows = 1'000'000, width = 64, elements = 4'000'000;

template <class F>
measurement repeated(int count, F f) {
  return [count, f] { return median_seconds(count, [&] { f().wait(); }); };
}

measurement masked(runtime&, int count) {
  const auto x = uniform({elements}), mask = x > 0.5;
  mask.wait();
  return repeated(count, [x, mask] { return x[mask]; });
}

measurement taken_rows(runtime&, int count) {
  const auto x = uniform({rows, width}), positions = randint({rows}, 0, rows);
  wait({x, positions});
  return repeated(count, [x, positions] { return x[positions]; });
}

measurement added_rows(runtime&, int count) {
  const auto x = uniform({rows, width}), y = uniform({rows, width}),
             positions = randint({rows}, 0, rows);
  wait({x, y, positions});
  return repeated(count, [x, y, positions] { return x.at(positions).add(y); });
}

constexpr bench_case selecting_cases[] = {
    {.name = "mask",
     .title = "the half of 4 M elements that a mask selects",
     .count = 20,
     .ours = masked,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "take_rows",
     .title = "1 M rows of 64, taken in random order",
     .count = 5,
     .ours = taken_rows,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "add_rows",
     .title = "1 M rows of 64, added at random rows of 1 M",
     .count = 5,
     .ours = added_rows,
     .aim = faster,
     .peer = "bench-libtorch"},
};

}  // namespace

const std::span<const bench_case> selecting = selecting_cases;

}  // namespace troupe::bench
