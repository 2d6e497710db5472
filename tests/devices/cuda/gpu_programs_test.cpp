// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "troupe/nn/nn.hpp"
#include "troupe/tests/devices/cuda/gpu_under_test.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;

namespace {

/// Returns the numbers of a tensor, or the text of its failure.
std::string told(const tensor& x) {
  try {
    std::string out;
    for (const auto one : x.to_vector<double>()) out += std::to_string(one) + ' ';
    return out;
  } catch (const std::exception& e) { return e.what(); }
}

/// Runs a program that depends only on the seed, on the CPU and the GPU together. Its numbers are
/// whole, so every order of additions gives the same ones; some of its indices are out of bounds.
/// Returns all that it reads, and in the end every variable.
std::vector<std::string> run_program(const runtime_options& options, unsigned seed) {
  runtime rt(options);
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(n));
  };
  const auto place = [&] { return below(2) ? gpu(0) : cpu(0); };
  const auto n = std::vector<std::int64_t>{2, 5, 33, 128}[static_cast<std::size_t>(below(4))];
  const auto make = [&] {
    return full({n, n}, static_cast<double>(below(5)), {.device = place()});
  };
  std::vector<tensor> variables;
  const auto one = [&]() -> tensor& {
    return variables[static_cast<std::size_t>(below(static_cast<std::int64_t>(variables.size())))];
  };
  for (int i = 0; i < 6; ++i) variables.push_back(make());
  std::vector<std::string> read;
  const auto steps = 40 + below(160);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto x = one(), y = to(one(), x.device());
    tensor& target = one();
    switch (below(11)) {
      case 0: target = make(); break;
      case 1: target = to(x, place()); break;
      case 2: target = remainder(matmul(x, y), 7.); break;
      case 3: target = remainder(x * y + transpose(x), 5.); break;
      case 4: target = where(greater(x, y), x, y.slice(0, {}, {}, -1)); break;
      case 5: target = remainder(cumsum(x, 1), 3.) + minimum(x, y); break;
      case 6: target = broadcast_to(remainder(sum(x, 0, true), 11.), {n, n}) + y; break;
      case 7: {
        const auto rows = remainder(x.slice(1, 0, 1), static_cast<double>(below(40) ? n : n + 2));
        target = take(y, astype(reshape(rows, {n}), int64), 0);
        break;
      }
      case 8:
        if (below(4) == 0) read.push_back(told(x));
        break;
      default: target = remainder(target + 1, 9.);
    }
  }
  for (const auto& v : variables) read.push_back(told(v));
  try {
    rt.wait_all();
  } catch (const std::exception&) { read.emplace_back("some have failed"); }
  return read;
}

}  // namespace

TEST_CASE("random programs on CPU and GPU together give what they give one operation at a time") {
  std::size_t failures = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const auto expected = run_program({.synchronous = true}, seed);
    for (const auto& one : expected) failures += one.find("out of bounds") != std::string::npos;
    for (const auto& options : {runtime_options{.lanes = 1},
                                {.lanes = 2},
                                {.lanes = 8},
                                {.lanes = 2,
                                .memory_limit = std::size_t{4} << 20,
                                .gpu_memory_limit = std::size_t{4} << 20,
                                .max_pending = 16}}) {
      CAPTURE(seed, *options.lanes, options.max_pending.has_value());
      CHECK(run_program(options, seed) == expected);
    }
  }
  CHECK(failures > 0);
}

TEST_CASE("many threads use a GPU together, and each has its own results") {
  runtime rt;
  std::vector<std::thread> threads;
  std::vector<std::string> wrong(8);
  for (std::size_t k = 0; k < wrong.size(); ++k) {
    threads.emplace_back([&, k] {
      const on_device here(gpu(0));
      const auto step = static_cast<double>(k + 1);
      auto x = zeros({1000});
      for (int i = 1; i <= 300; ++i) {
        x = x + step;
        if (i % 50 != 0) continue;
        const auto sum_now = sum(x).item<float>();
        if (sum_now != static_cast<float>(1000 * i * step))
          wrong[k] += std::to_string(sum_now) + ' ';
      }
    });
  }
  for (auto& one : threads) one.join();
  for (const auto& text : wrong) CHECK(text.empty());
}

TEST_CASE("other code of a process may wait for its GPU while a runtime is at work") {
  runtime rt;
  std::atomic<bool> over = false;
  int refused = 0;
  std::thread other([&] {
    while (!over) refused += cudaDeviceSynchronize() != cudaSuccess;
  });
  auto x = zeros({1000}, {.device = gpu(0)});
  for (int i = 0; i < 20'000; ++i) x = x + 1;
  CHECK(x.slice(0, 0, 1).to_vector<float>() == std::vector<float>{20'000});
  over = true;
  other.join();
  CHECK(refused == 0);
}

TEST_CASE("a network learns on a GPU what it learns on the CPU") {
  const auto learnt_on = [](device place) {
    runtime rt({.seed = 3});
    const on_device here(place);
    nn::sequential net{nn::dense(32, relu), nn::dense(1)};
    net(zeros({1, 8}));
    nn::adam optimiser(nn::parameters(net), {.rate = 0.01});
    tensor loss;
    for (int i = 0; i < 50; ++i) {
      const auto x = normal({64, 8}), y = sum(x * x, 1, true);
      {
        recording on;
        loss = mean(square(net(x) - y));
        loss.backward();
      }
      optimiser.step();
    }
    return std::vector<float>{loss.item<float>(), sum(abs(net(ones({1, 8})))).item<float>()};
  };
  const auto there = learnt_on(gpu(0)), here = learnt_on(cpu(0));
  for (std::size_t i = 0; i < here.size(); ++i) CHECK(there[i] == Approx(here[i]).epsilon(1e-3));
}
