// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/nn/optimisers.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

constexpr std::int64_t parameters = 10'000'000;

measurement adam_steps(runtime& rt, int count) {
  nn::parameter p(normal({parameters}));
  const auto optimiser = std::make_shared<nn::adam>(std::vector{p});
  p.set_grad(normal({parameters}));
  return [&rt, count, optimiser] {
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) optimiser->step();
      rt.wait_all();
    });
  };
}

constexpr bench_case cases[] = {
    {.name = "adam",
     .title = "10 Adam steps over 10 million parameters",
     .count = 10,
     .ours = adam_steps,
     .aim = {target::times_as_fast, 2},
     .peer = "bench-libtorch"},
    {.name = "adam_bytes",
     .title = "the same, beside reading and writing as many bytes",
     .count = 10,
     .ours = adam_steps,
     .aim = {target::times_as_long, 1.2},
     .peer = "bench-loops"},
};

}  // namespace

const std::span<const bench_case> training = cases;

}  // namespace troupe::bench
