// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/functions.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/troupe.hpp"

/// Costs of capturing programs and of calling them.

namespace troupe::bench {

namespace {

/// CPU time that the calling thread needs for a program of one small task.
measurement calls(runtime& rt, int count) {
  const auto x = ones({1, 2});
  return [&rt, count, x, program = compile([](const tensor& in) { return in + 1; })] {
    program(x).wait();
    std::vector<tensor> results;
    results.reserve(static_cast<std::size_t>(count));
    const auto seconds = seconds_of(
        [&] {
          for (int i = 0; i < count; ++i) results.push_back(program(x));
        },
        CLOCK_THREAD_CPUTIME_ID);
    rt.wait_all();
    return seconds / count;
  };
}

tensor hundred_operations(const tensor& x) {
  auto y = x;
  for (int i = 0; i < 50; ++i) y = tanh(y) + x;
  return y;
}

/// The first call of a program, and its result, for small shapes: a new function each time, or
/// a new shape of one.
template <bool NewFunction>
measurement first_calls(runtime&, int count) {
  std::vector<tensor> arguments;
  for (int n = 0; n < count; ++n) arguments.push_back(full({4, 4 + n}, 0.5F));
  return [arguments] {
    auto program = compile(hundred_operations);
    program(ones({4, 3})).wait();
    std::vector<double> seconds;
    for (const auto& x : arguments) {
      if (NewFunction) program = compile(hundred_operations);
      seconds.push_back(seconds_of([&] { program(x).wait(); }));
    }
    return median(seconds);
  };
}

template <bool Compiled>
measurement queued_passes(runtime& rt, int count) {
  auto net = small_network();
  const auto x = normal({1, 512});
  net(x).wait();
  if (Compiled) net.hybridize();
  return [&rt, count, net, x] {
    net(x).wait();
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) net(x);
      rt.wait_all();
    });
  };
}

/// Training of the network of `train`, on batches that are made in the loop.
template <bool Compiled>
measurement batches(runtime& rt, int count) {
  const auto net = std::make_shared<nn::sequential>(
      nn::sequential{nn::dense(2048, relu), nn::dense(512, relu), nn::dense(1)});
  (*net)(zeros({1, 512})).wait();
  const auto optimiser =
      std::make_shared<nn::sgd>(nn::parameters(*net), nn::sgd_options{.rate = 0.005});
  const auto step = [net, optimiser](const tensor& x, const tensor& y) {
    return optimiser->minimise([&] { return nn::l2_loss((*net)(x), y); });
  };
  return [&rt, count, step, program = compile(step)] {
    return seconds_of([&] {
      for (int i = 0; i < count; ++i) {
        const auto x = normal({1024, 512}), y = normal({1024, 1});
        if (Compiled) program(x, y);
        else step(x, y);
      }
      rt.wait_all();
    });
  };
}

constexpr bench_case program_call_cases[] = {
    {.name = "program_call",
     .title = "calling a program of one small task: the thread's CPU time",
     .count = 100'000,
     .in_a_row = 5,
     .ours = calls,
     .aim = {target::below, 300e-9},
     .synchronous = false},
    {.name = "first_call",
     .title = "first call of a program of 100 operations, its result waited for",
     .count = 50,
     .ours = first_calls<true>,
     .aim = {target::below, 2e-3}},
    {.name = "new_shape",
     .title = "a program's first call for another shape",
     .count = 50,
     .ours = first_calls<false>,
     .aim = {target::below, 0.2e-3}},
    {.name = "forward_queued",
     .title = "1000 passes 512-256-128-2 of one sample, as a program, waited for once",
     .count = 1000,
     .ours = queued_passes<true>,
     .beside = queued_passes<false>,
     .beside_name = "the network"},
    {.name = "queued_onnxruntime",
     .title = "the same",
     .count = 1000,
     .ours = queued_passes<true>,
     .aim = {target::times_as_long, 0.75},
     .peer = "bench-onnxruntime"},
    {.name = "train_compiled",
     .title = "10 batches of 1024 through three dense layers, as a program",
     .count = 10,
     .ours = batches<true>,
     .aim = {target::times_as_fast, 1.05},
     .beside = batches<false>,
     .beside_name = "the step"},
};

}  // namespace

const std::span<const bench_case> program_calls = program_call_cases;

}  // namespace troupe::bench
