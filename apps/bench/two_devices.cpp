// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/matrices.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

constexpr std::int64_t size = 1000;

measurement products_on_both(runtime& rt, int count) {
  return [&rt, a = matrices(rt, count, size, cpu(0)), b = matrices(rt, count, size, cpu(1))] {
    return seconds_until_done(rt, [&] { return std::pair(squares(a), squares(b)); });
  };
}

measurement products_on_one(runtime& rt, int count) {
  return [&rt, a = matrices(rt, count, size, cpu(0)), b = matrices(rt, count, size, cpu(1))] {
    return std::max(seconds_until_done(rt, [&] { return squares(a); }),
                    seconds_until_done(rt, [&] { return squares(b); }));
  };
}

measurement products_and_copies(runtime& rt, int count) {
  return [&rt, a = matrices(rt, count, size, cpu(0))] {
    return seconds_until_done(rt, [&] { return copies(squares(a), cpu(1)); });
  };
}

measurement products_or_copies(runtime& rt, int count) {
  return [&rt, a = matrices(rt, count, size, cpu(0))] {
    return std::max(seconds_until_done(rt, [&] { return squares(a); }),
                    seconds_until_done(rt, [&] { return copies(a, cpu(1)); }));
  };
}

// The network of `train`, with batches that are large enough for each device's share to fill its
// core.
measurement batches_on(runtime& rt, int batches, std::vector<device> devices) {
  return [&rt, batches, devices = std::move(devices)] {
    nn::sequential net{nn::dense(2048, relu), nn::dense(512, relu), nn::dense(1)};
    net(zeros({1, 512}));
    nn::sgd optimiser(nn::parameters(net), {.rate = 0.005});
    const nn::batch b({normal({2048, 512}), normal({2048, 1})});
    const auto loss = [&](const nn::batch& share) { return nn::l2_loss(net(share[0]), share[1]); };
    rt.wait_all();
    return seconds_of([&] {
      for (int i = 0; i < batches; ++i)
        optimiser.minimise([&] { return nn::parallel_mean(b, devices, loss); });
      rt.wait_all();
    });
  };
}

measurement batches_on_both(runtime& rt, int batches) {
  return batches_on(rt, batches, {cpu(0), cpu(1)});
}

measurement batches_on_one(runtime& rt, int batches) { return batches_on(rt, batches, {cpu(0)}); }

measurement hops(runtime&, int count) {
  auto x = ones({1, 2});
  x.wait();
  return [count, x] {
    const auto seconds = seconds_of([&] {
      auto z = x;
      for (int i = 0; i < count; ++i) z = to(z + 1, cpu((i + 1) % 2));
      z.wait();
    });
    return seconds / count;
  };
}

constexpr runtime_options two_devices_with_a_lane{.lanes = 1, .cpu_devices = 2};

constexpr bench_case two_device_cases[] = {
    {.name = "both_devices",
     .title = "ten products 1000 x 1000 on each of two devices",
     .count = 10,
     .ours = products_on_both,
     .aim = {target::times_as_long, 1.15},
     .beside = products_on_one,
     .beside_name = "the longer alone",
     .options = two_devices_with_a_lane,
     .synchronous = false},
    {.name = "compute_and_copy",
     .title = "ten products 1000 x 1000, copied to another device",
     .count = 10,
     .ours = products_and_copies,
     .aim = {target::times_as_long, 1.15},
     .beside = products_or_copies,
     .beside_name = "the longer alone",
     .options = two_devices_with_a_lane,
     .synchronous = false},
    {.name = "data_parallel",
     .title = "10 batches of 2048 through three dense layers, on two devices",
     .count = 10,
     .ours = batches_on_both,
     .aim = {target::times_as_fast, 1.7},
     .beside = batches_on_one,
     .beside_name = "on one of them, with one core",
     .options = two_devices_with_a_lane,
     .synchronous = false},
    {.name = "hop",
     .title = "z = to(z + 1, the other of two devices), shape (1,2)",
     .count = 10'000,
     .in_a_row = 3,
     .ours = hops,
     .options = {.cpu_devices = 2}},
};

}  // namespace

const std::span<const bench_case> two_devices = two_device_cases;

}  // namespace troupe::bench
