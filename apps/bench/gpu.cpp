// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/matrices.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

constexpr std::int64_t large = 6000, large_for_cpu = 2000;

tensor numbers_on_gpu(const shape& sizes, dtype element = float32) {
  auto x = uniform(sizes, 0, 1, {.dtype = element, .device = gpu(0)});
  x.wait();
  return x;
}

// Runs one operation on a square array, `count` times, with one wait at the end.
template <std::int64_t Rows, tensor (*operation)(const tensor&), dtype Element = float32>
measurement repeated(runtime& rt, int count) {
  return [&rt, count, x = numbers_on_gpu({Rows, Rows}, Element)] {
    return seconds_until_done(rt, [&] {
      tensor y;
      for (int i = 0; i < count; ++i) y = operation(x);
      return y;
    });
  };
}

tensor square(const tensor& x) { return matmul(x, x); }
tensor one_more(const tensor& x) { return x + 1; }
tensor sum_of_all(const tensor& x) { return sum(x); }
tensor softmax_of_rows(const tensor& x) { return softmax(x, 1); }

// gelu of nine operations, compiled.
measurement compiled_gelu(runtime& rt, int count) {
  const auto gelu = compile([](const tensor& x) {
    return x * 0.5f * (tanh(0.79788456f * (x + 0.044715f * x * x * x)) + 1);
  });
  return [&rt, count, gelu, x = numbers_on_gpu({8192, 8192})] {
    return seconds_until_done(rt, [&] {
      tensor y;
      for (int i = 0; i < count; ++i) y = gelu(x);
      return y;
    });
  };
}

// Bytes of images to float32 of mean 0 and deviation 1 in each channel, compiled.
measurement compiled_images(runtime& rt, int count) {
  const auto ready = compile([](const tensor& images) {
    const auto channels = [](std::initializer_list<float> each) {
      return from_data(std::vector<float>(each), {3, 1, 1}, {.device = gpu(0)});
    };
    return (astype(images, float32) / 255.f - channels({0.485f, 0.456f, 0.406f})) /
           channels({0.229f, 0.224f, 0.225f});
  });
  return [&rt, count, ready, x = astype(numbers_on_gpu({256, 3, 224, 224}) * 256, uint8).wait()] {
    return seconds_until_done(rt, [&] {
      tensor y;
      for (int i = 0; i < count; ++i) y = ready(x);
      return y;
    });
  };
}

constexpr std::int64_t gibibyte = 16384;  // rows and columns of so many floats

measurement products_on_both(runtime& rt, int count) {
  return [&rt, a = matrices(rt, count, large_for_cpu, cpu(0)),
          b = matrices(rt, count, large, gpu(0))] {
    return seconds_until_done(rt, [&] { return std::pair(squares(a), squares(b)); });
  };
}

measurement products_on_one(runtime& rt, int count) {
  return [&rt, a = matrices(rt, count, large_for_cpu, cpu(0)),
          b = matrices(rt, count, large, gpu(0))] {
    return std::max(seconds_until_done(rt, [&] { return squares(a); }),
                    seconds_until_done(rt, [&] { return squares(b); }));
  };
}

measurement products_and_copies(runtime& rt, int count) {
  return [&rt, a = matrices(rt, count, large, gpu(0))] {
    return seconds_until_done(rt, [&] { return copies(squares(a), cpu(0)); });
  };
}

measurement products_or_copies(runtime& rt, int count) {
  return [&rt, a = matrices(rt, count, large, gpu(0))] {
    return std::max(seconds_until_done(rt, [&] { return squares(a); }),
                    seconds_until_done(rt, [&] { return copies(a, cpu(0)); }));
  };
}

measurement only_copies(runtime& rt, int count) {
  return [&rt, a = matrices(rt, count, large, gpu(0))] {
    return seconds_until_done(rt, [&] { return copies(a, cpu(0)); });
  };
}

measurement chain(runtime&, int count) {
  return [count, x = numbers_on_gpu({1, 2})] {
    return seconds_of([&] {
      auto y = x;
      for (int i = 0; i < count; ++i) y = y + 1;
      y.wait();
    });
  };
}

// Wall time, not CPU time: the thread must not wait either.
measurement submission(runtime& rt, int count) {
  return [&rt, count, x = numbers_on_gpu({1000, 1000})] {
    tensors results;
    results.reserve(static_cast<std::size_t>(count));
    const auto seconds = seconds_of([&] {
      for (int i = 0; i < count; ++i) results.push_back(x + 1);
    });
    rt.wait_all();
    return seconds;
  };
}

measurement round_trip(runtime&, int count) {
  return [count, x = numbers_on_gpu({1, 2})] {
    return median_seconds(count, [&] { (x + 1).wait(); });
  };
}

measurement train_on_gpu(runtime& rt, int batches) {
  return [one = train(rt, batches)] {
    const on_device guard(gpu(0));
    return one();
  };
}

constexpr bench_case with_gpu(bench_case work) {
  work.options = {.gpus = 1};
  work.on_gpu = true;
  work.synchronous = false;
  return work;
}

constexpr bench_case cases[] = {
    with_gpu({.name = "gpu_product",
              .title = "ten products 6000 x 6000 on the GPU",
              .count = 10,
              .ours = repeated<large, square>,
              .aim = {target::times_as_fast, 0.97},
              .peer = "bench-cuda"}),
    with_gpu({.name = "gpu_product_bfloat16",
              .title = "ten products 8192 x 8192 of bfloat16",
              .count = 10,
              .ours = repeated<8192, square, bfloat16>,
              .aim = {target::times_as_fast, 0.97},
              .peer = "bench-cuda"}),
    with_gpu({.name = "gpu_beside_cpu",
              .title = "ten of float32 beside ten 2000 x 2000 on the CPU",
              .count = 10,
              .ours = products_on_both,
              .aim = {target::times_as_long, 1.05},
              .beside = products_on_one,
              .beside_name = "the longer alone"}),
    with_gpu({.name = "gpu_overlap",
              .title = "ten products 6000 x 6000, copied to the host",
              .count = 10,
              .ours = products_and_copies,
              .aim = {target::times_as_long, 1.1},
              .beside = products_or_copies,
              .beside_name = "the longer alone"}),
    with_gpu({.name = "gpu_copies",
              .title = "the copies alone, beside copies to pinned memory",
              .count = 10,
              .ours = only_copies,
              .aim = {target::times_as_fast, 0.9},
              .peer = "bench-cuda"}),
    with_gpu({.name = "gpu_chain",
              .title = "chain of 100,000 y = y + 1, beside bare launches",
              .count = 100'000,
              .in_a_row = 5,
              .shown = figure::rate,
              .ours = chain,
              .aim = {target::times_as_fast, 0.9},
              .peer = "bench-cuda"}),
    with_gpu({.name = "gpu_chain_torch",
              .title = "the same",
              .count = 100'000,
              .in_a_row = 5,
              .shown = figure::rate,
              .ours = chain,
              .aim = {target::times_as_fast, 1.5},
              .peer = "bench-torch-gpu"}),
    with_gpu({.name = "gpu_addition",
              .title = "20 x + 1 over 1 GiB, beside copies of 1 GiB",
              .count = 20,
              .ours = repeated<gibibyte, one_more>,
              .aim = {target::times_as_fast, 0.92},
              .peer = "bench-cuda"}),
    with_gpu({.name = "gpu_sum",
              .title = "20 sums over 1 GiB, beside copies of 512 MiB",
              .count = 20,
              .ours = repeated<gibibyte, sum_of_all>,
              .aim = {target::times_as_fast, 0.92},
              .peer = "bench-cuda"}),
    with_gpu({.name = "gpu_softmax",
              .title = "20 softmax of each row of 8192 x 8192",
              .count = 20,
              .ours = repeated<8192, softmax_of_rows>,
              .aim = {target::times_as_fast, 1},
              .peer = "bench-torch-gpu"}),
    with_gpu({.name = "gpu_gelu",
              .title = "20 compiled gelu of 8192 x 8192, beside copies of as many bytes",
              .count = 20,
              .ours = compiled_gelu,
              .aim = {target::times_as_fast, 0.92},
              .peer = "bench-cuda"}),
    with_gpu({.name = "gpu_gelu_torch",
              .title = "the same",
              .count = 20,
              .ours = compiled_gelu,
              .aim = {target::times_as_fast, 3},
              .peer = "bench-torch-gpu"}),
    with_gpu({.name = "gpu_images",
              .title = "20 times 256 images of 3 x 224 x 224 bytes normalised, compiled, beside "
                       "copies of as many bytes",
              .count = 20,
              .ours = compiled_images,
              .aim = {target::times_as_fast, 0.45},
              .peer = "bench-cuda"}),
    with_gpu({.name = "gpu_submission",
              .title = "submitting 100 x + 1, 1000 x 1000",
              .count = 100,
              .in_a_row = 5,
              .ours = submission,
              .aim = {target::below, 50e-6}}),
    with_gpu({.name = "gpu_round_trip",
              .title = "small operation on the GPU, waited for, beside a bare launch",
              .count = 1000,
              .ours = round_trip,
              .aim = {target::times_as_fast, 0.25},
              .peer = "bench-cuda"}),
    with_gpu({.name = "gpu_train",
              .title = "100 batches through three dense layers on the GPU",
              .count = 100,
              .ours = train_on_gpu,
              .aim = {target::times_as_fast, 1},
              .peer = "bench-torch-gpu"}),
};

}  // namespace

const std::span<const bench_case> gpu_work = cases;

}  // namespace troupe::bench
