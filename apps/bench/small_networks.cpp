// SPDX-License-Identifier: MIT
#include <memory>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/functions.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/troupe.hpp"

/// Networks so small that an operation takes microseconds, with a sync point after every few.

namespace troupe::bench {

namespace {

measurement forward_passes(runtime&, int count) {
  const auto net = small_network();
  const auto x = normal({1, 512});
  net(x).wait();
  return [count, net, x] {
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) net(x).wait();
    });
  };
}

measurement adam_steps(runtime&, int count) {
  nn::sequential net{nn::dense(64, relu), nn::dense(10)};
  const auto x = normal({32, 784}), labels = randint({32}, 0, 10);
  net(x).wait();
  const auto optimiser = std::make_shared<nn::adam>(nn::parameters(net));
  return [count, net, x, labels, optimiser] {
    const auto loss = [&] { return nn::softmax_cross_entropy(net(x), labels); };
    const auto seconds = seconds_of([&] {
      for (int i = 0; i < count; ++i) optimiser->minimise(loss).item<float>();
    });
    return seconds / count;
  };
}

constexpr bench_case small_network_cases[] = {
    {.name = "forward_waited",
     .title = "1000 passes 512-256-128-2 of one sample, each waited for",
     .count = 1000,
     .ours = forward_passes,
     .aim = {target::times_as_fast, 1},
     .peer = "bench-libtorch-networks"},
    {.name = "busy_1",
     .title = "the same, first in 20 processes, beside a busy process",
     .count = 1000,
     .ours = forward_passes,
     .peer = "bench-libtorch-networks",
     .rounds = 20,
     .fresh = true,
     .busy = 1},
    {.name = "busy_2",
     .title = "the same beside two busy processes",
     .count = 1000,
     .ours = forward_passes,
     .peer = "bench-libtorch-networks",
     .rounds = 20,
     .fresh = true,
     .busy = 2},
    {.name = "adam_steps",
     .title = "an Adam step of 784-64-10, batch 32, its loss read",
     .count = 1000,
     .ours = adam_steps,
     .aim = {target::times_as_fast, 1},
     .peer = "bench-libtorch-networks"},
};

}  // namespace

const std::span<const bench_case> small_networks = small_network_cases;

}  // namespace troupe::bench
