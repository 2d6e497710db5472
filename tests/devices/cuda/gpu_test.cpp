// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "troupe/devices/cuda/gemm.hpp"
#include "troupe/tests/devices/cuda/doubled.hpp"
#include "troupe/tests/devices/cuda/gpu_under_test.hpp"
#include "troupe/tests/devices/cuda/on_both.hpp"
#include "troupe/tests/tensor/program/random_chain.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using Catch::Contains;

namespace {

std::string error_of(const tensor& x) {
  try {
    x.wait();
  } catch (const std::exception& e) { return e.what(); }
  return "";
}

/// Returns numbers between -1 and 1, the same every time.
tensor waves(const shape& dims, dtype element) {
  return reshape(sin(arange(dims.size(), {.dtype = element}) * 1.7), dims);
}

/// Sets a variable of the environment while it exists.
class setting {
 public:
  setting(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  setting(const setting&) = delete;
  setting& operator=(const setting&) = delete;
  ~setting() { unsetenv(name_); }

 private:
  const char* name_;
};

tensor doubled(const tensor& x) {
  return call("doubled", {x}, {float32, x.shape()},
              [](const inputs& in, outputs& out, const gpu_stream& on) {
                const auto from = in[0].span<float>();
                launch_doubled(out[0].span<float>().data(), from.data(), in[0].size(), on);
              });
}

/// Returns the numbers of a long program in which kernels of this library, of others and of a user
/// follow one another without a sync point.
std::vector<float> of_many_kernels() {
  runtime rt;
  const on_device here(gpu(0));
  auto x = waves({40, 40}, float32);
  for (int i = 0; i < 60; ++i) {
    for (int k = 0; k < i; ++k) x = tanh(x + 0.125) * 0.75;
    if (i % 2 == 0) x = doubled(x) * 0.5;
    if (i % 3 == 0) x = matmul(x, transpose(x)) / 64 + x;
    if (i % 5 == 0) x = x + sort(x, 0) * 0.25 - cumsum(x, 1) / 128;
    if (i % 7 == 0) x = x - mean(x, 0, true) + softmax(x, 1);
    if (i % 11 == 0) x = to(to(x, cpu(0)) + 1, gpu(0)) - 1;
  }
  return x.to_vector<float>();
}

/// Returns convolutions, pools and their gradients on the GPU, with cuDNN where available, or
/// without it.
std::vector<tensor> of_images(dtype element, bool with_cudnn) {
  const setting cudnn("TROUPE_CUDNN", with_cudnn ? "1" : "0");
  std::vector<tensor> out;
  {
    runtime rt;
    const on_device here(gpu(0));
    const auto add = [&](const tensor& x) { out.push_back(x.to(cpu(0))); };
    const auto bias = waves({16}, element);
    for (const auto& options : {conv2d_options{},
                                {.stride = 2, .padding = 1, .groups = 4},
                                {.padding = {0, 2}, .dilation = {2, 1}, .groups = 2}}) {
      for (const std::int64_t size : {1, 3}) {
        auto x = waves({5, 8, 30, 27}, element),
             w = waves({16, 8 / options.groups, size, size}, element);
        x.attach_grad(), w.attach_grad();
        tensor y, loss;
        {
          recording on;
          y = conv2d(x, w, bias, options);
          loss = sum(square(y));
        }
        loss.backward();
        add(y), add(x.grad()), add(w.grad());
      }
    }
    for (const auto& options : {pool2d_options{2}, {.size = 3, .stride = 2, .padding = 1}}) {
      auto x = waves({5, 8, 30, 27}, element);
      x.attach_grad();
      tensor greatest, mean, loss;
      {
        recording on;
        greatest = max_pool2d(x, options), mean = avg_pool2d(x, options);
        loss = sum(square(greatest)) + sum(square(mean));
      }
      loss.backward();
      add(greatest), add(mean), add(x.grad());
    }
    add(max_pool2d(sqrt(waves({1, 1, 30, 27}, element) + 0.9), {2}));  // some inputs are NaN
    rt.wait_all();
  }
  return out;
}

}  // namespace

TEST_CASE("a runtime lists its GPUs") {
  runtime rt;
  std::size_t gpus = 0;
  for (const auto& d : rt.devices()) {
    if (d->id().kind == device_kind::gpu) {
      ++gpus;
      CHECK_THAT(d->description(), Contains("GiB, compute capability"));
    }
  }
  CHECK(gpus >= 1);
  CHECK_THROWS_WITH(zeros({2}, {.device = gpu(63)}), Contains("there is no device gpu:63"));
  runtime none({.gpus = 0});
  CHECK_THROWS_WITH(zeros({2}, {.device = gpu(0)}), Contains("there is no device gpu:0"));
}

TEST_CASE("large and small data go to a GPU and back, whole") {
  runtime rt;
  for (const std::int64_t n : {1, 3, 4096, 1 << 20, (4 << 20) + 5, 30'000'001}) {
    CAPTURE(n);
    const auto x = arange(n, {.dtype = int32});
    const auto back = to(to(x, gpu(0)) + 1, cpu(0));
    const bool whole = all(equal(back, x + 1)).item<bool>();
    CHECK(whole);
  }
}

TEST_CASE("copies and products overlap, and results do not depend on it") {
  runtime rt;
  const auto x = uniform({1000, 1000}, -1, 1, {.device = gpu(0)});
  const auto alone = matmul(x, x).to(cpu(0)).wait();
  std::vector<tensor> back;
  for (int i = 0; i < 20; ++i) back.push_back(matmul(x, x).to(cpu(0)));
  for (const auto& y : back) {
    const bool equal_bits = all(equal(y, alone)).item<bool>();
    CHECK(equal_bits);
  }
}

TEST_CASE("cublasLt has kernels that add a bias to a plain product of float32, and activate") {
  const auto place = testing::gpu_under_test();
  place->enter(driver::no_lane);
  const auto on = place->open_stream();
  const auto memory_of = [&](std::size_t bytes) { return buffer(place->memory(), bytes); };
  constexpr std::int64_t m = 64, k = 32, n = 128;
  const std::vector<float> a(m * k, 1), b(k * n, 0.5F);
  std::vector<float> bias(n), c(m * n);
  for (std::size_t j = 0; j < bias.size(); ++j) bias[j] = static_cast<float>(j) - 64;
  const auto there = [&](const std::vector<float>& x) {
    auto copied = memory_of(x.size() * sizeof(float));
    on->copy(copied.data(), x.data(), copied.bytes());
    return copied;
  };
  const auto a_there = there(a), b_there = there(b), bias_there = there(bias), c_there = there(c);
  for (const auto op : {linear_op::linear, linear_op::linear_relu}) {
    REQUIRE(cuda::fused_gemm(*on, float32, op, {m, n, k}, {a_there.data(), k}, {b_there.data(), n},
                             {c_there.data(), n}, bias_there.data()));
    on->copy(c.data(), c_there.data(), c_there.bytes());
    on->record()->wait();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const float sum = 16 + bias[i % bias.size()];
      wrong += c[i] != (op == linear_op::linear_relu && sum < 0 ? 0 : sum);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("products with a bias are the same every time on a GPU") {
  runtime rt;
  for (const auto element : {float32, float64}) {
    const auto x = uniform({300, 2000}, -1, 1, {.dtype = element, .device = gpu(0)}),
               weight = uniform({2000, 100}, -1, 1, {.dtype = element, .device = gpu(0)}),
               bias = uniform({100}, -1, 1, {.dtype = element, .device = gpu(0)});
    const auto first = linear_relu(x, weight, bias);
    std::vector<tensor> again;
    for (int i = 0; i < 20; ++i) again.push_back(linear_relu(x, weight, bias));
    for (const auto& y : again) {
      const bool equal_bits = all(equal(y, first)).item<bool>();
      CHECK(equal_bits);
    }
  }
}

TEST_CASE("kernels launched together keep their places among those of libraries and users") {
  const auto together = of_many_kernels();
  CHECK(std::ranges::all_of(together, [](float x) { return std::isfinite(x); }));
  const setting one_by_one("TROUPE_CUDA_GRAPHS", "0");
  CHECK(of_many_kernels() == together);
}

TEST_CASE("a user's own kernel is a task like any other") {
  runtime rt;
  const auto x = arange(1000, {.dtype = float32, .device = gpu(0)});
  const bool right = all(equal(to(doubled(x) + 1, cpu(0)), arange(1000) * 2 + 1)).item<bool>();
  CHECK(right);
  CHECK_THROWS_WITH(call("doubled", {to(x, cpu(0))}, {float32, {1000}},
                         [](const inputs&, outputs&, const gpu_stream&) {}),
                    Contains("doubled: CUDA kernels run on GPUs, not on cpu:0"));
}

TEST_CASE("a value too large for memory fails alone, and memory is returned") {
  runtime rt;
  const auto large = zeros({std::int64_t{1} << 40}, {.device = gpu(0)});
  CHECK_THAT(error_of(large), Contains("out of memory: 4.0 TiB cannot be had on gpu:0"));
  CHECK(ones({3}, {.device = gpu(0)}).to_vector<float>() == std::vector<float>{1, 1, 1});
  rt.wait_all();  // that failure has been told
  CHECK(rt.memory(gpu(0)).live == 0);
}

TEST_CASE("a loop without sync points keeps to the GPU's memory limit") {
  runtime rt({.gpu_memory_limit = std::size_t{64} << 20});
  auto x = ones({1 << 20}, {.device = gpu(0)});
  for (int i = 0; i < 2'000; ++i) x = sqrt(x * x + 0.);
  CHECK(x.slice(0, 0, 1).to_vector<float>()[0] == 1);
  CHECK(rt.memory(gpu(0)).peak <= (std::size_t{64} << 20));
}

TEST_CASE("a loop that runs ahead of a GPU takes the memory of a few arrays") {
  runtime rt;
  auto x = ones({16 << 20}, {.device = gpu(0)});
  for (int i = 0; i < 300; ++i) x = sqrt(x * x + 0.);
  CHECK(x.slice(0, 0, 1).to_vector<float>()[0] == 1);
  CHECK(rt.memory(gpu(0)).peak <= std::size_t{16} * (64 << 20));
}

TEST_CASE("the trace has the GPU's own times") {
  runtime rt;
  const auto x = uniform({4000, 4000}, 0, 1, {.device = gpu(0)});
  matmul(x, x).wait();
  const auto start = now();
  matmul(x, x).wait();
  double seconds = 0;
  for (const auto& e : rt.trace(start).events) {
    if (e.name == "matmul" && e.device == gpu(0)) seconds = seconds_between(e.started, e.ended);
  }
  CHECK(seconds > 1e-4);  // 128 GFLOP take longer on any GPU
  CHECK(seconds < seconds_between(start, now()));
}

TEST_CASE("convolutions and pools are the same with and without cuDNN, and every time") {
  const auto element = GENERATE(float32, float64);
  const auto with = of_images(element, true), again = of_images(element, true),
             without = of_images(element, false);
  for (std::size_t i = 0; i < with.size(); ++i) {
    CAPTURE(i);
    CHECK(testing::same(with[i], without[i]));
    const bool equal = std::ranges::equal(
        with[i].to_vector<double>(), again[i].to_vector<double>(),
        [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
    CHECK(equal);
  }
}

TEST_CASE("functions compiled for a GPU give the bits of their operations one by one") {
  runtime rt;
  int compiled = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    rt.engine().seed(seed);
    const on_device here(gpu(0));
    std::vector<tensor> in;
    for (const auto& x : testing::arguments_of_chains(seed)) in.push_back(to(x, gpu(0)));
    const testing::random_chain chain{seed};
    const auto one = compile(chain);
    const auto expected = chain(in), got = one(in);
    compiled += one.explain().find(", compiled") != std::string::npos;
    for (std::size_t i = 0; i < expected.size(); ++i)
      REQUIRE(testing::same_numbers(got[i], expected[i]));
  }
  CHECK(compiled >= 30);
}

TEST_CASE("a function compiled for a GPU reads strided, turned and broadcast inputs") {
  runtime rt;
  const on_device here(gpu(0));
  const auto f = compile([](const tensor& x, const tensor& y) { return tanh(x * 2 + y) - x; });
  const tensor whole = normal({600, 500});
  const tensor views[] = {whole,
                          whole.slice(0, 1, 400, 3),
                          whole.slice(1, {}, {}, -1),
                          transpose(whole),
                          whole.slice(1, 7, 8),
                          whole.slice(0, 3, 4),
                          whole.slice(1, 1, 499)};
  for (const auto& x : views) {
    CAPTURE(to_string(x.type()));
    const tensor others[] = {normal(x.shape()), normal({x.shape()[1]}), normal({x.shape()[0], 1}),
                             normal({1, 1})};
    for (const auto& y : others) CHECK(testing::same_numbers(f(x, y), tanh(x * 2 + y) - x));
  }
  CHECK_THAT(f.explain(), Contains(", compiled"));
  CHECK(f(zeros({0, 3}), zeros({3})).to_vector<float>().empty());
}

TEST_CASE("a function compiled for a GPU converts, and reads rows again that broadcast") {
  runtime rt;
  const on_device here(gpu(0));
  const auto f = [](const tensor& x, const tensor& y) {
    return (astype(x, float32) / 255.f - y) * 2.f + astype(y, float64);
  };
  for (const auto element : {uint8, int16, int8, uint16, boolean, int32}) {
    for (const std::int64_t last : {24, 23, 4, 1}) {
      CAPTURE(name(element), last);
      const auto x = astype(randint({4, 3, 20, last}, 0, 256), element);
      for (const auto& dims : {shape{3, 1, 1}, shape{3, 20, last}, shape{4, 1, 1, last},
                               shape{4, 3, 1, 1}, shape{20, last}, shape{1, 3, 20, 1}}) {
        CAPTURE(to_string(dims));
        const auto y = normal(dims);
        const auto compiled = compile(f);
        CHECK(testing::same_numbers(compiled(x, y), f(x, y)));
        if (last == 24) CHECK_THAT(compiled.explain(), Contains("fused astype, divide, subtract"));
      }
    }
  }
}

TEST_CASE("narrow floats and what has no code run one by one in functions compiled for a GPU") {
  runtime rt;
  const on_device here(gpu(0));
  const auto x = normal({30, 40}), y = normal({30, 40});
  const auto f = compile([](const tensor& a, const tensor& b) { return fmod(a, b) * 2 + a; });
  CHECK(testing::same_numbers(f(x, y), fmod(x, y) * 2 + x));
  const auto half = astype(x, float16);
  CHECK(testing::same_numbers(f(half, half), fmod(half, half) * 2 + half));
}

// Last, because after it no runtime of this process can use the GPU.
TEST_CASE("~ a fault ends the GPU for its values; the CPU and the program go on") {
  {
    runtime rt;
    const auto x = ones({3}, {.device = gpu(0)}).wait();
    const auto bad = call("reach_beyond", {x}, {float32, {3}},
                          [](const inputs&, outputs& out, const gpu_stream& on) {
                            launch_fault(out[0].span<float>().data(), on);
                          });
    CHECK_THAT(error_of(bad), Contains("reach_beyond: gpu:0 is lost"));
    CHECK_THAT(error_of(bad + 1), Contains("gpu:0 is lost"));
    CHECK_THAT(error_of(ones({3}, {.device = gpu(0)})), Contains("gpu:0 is lost"));
    CHECK(sum(ones({3})).item<float>() == 3);
    rt.wait_all();  // those failures have been told
  }
}
