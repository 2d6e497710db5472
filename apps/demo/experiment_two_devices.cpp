// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ctime>
#include <string>

#include "troupe/apps/demo/experiments.hpp"
#include "troupe/apps/demo/measurements.hpp"
#include "troupe/apps/gpu_here.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/troupe.hpp"

namespace troupe::demo {

namespace {

std::string sizes(const tensor& x) {
  const auto n = std::to_string(x.shape()[0]);
  return n + " x " + n;
}

/// Times ten products of each of two ready matrices: one alone, the other alone, both together.
void compare(page& p, runtime& rt, const tensor& x0, const tensor& x1) {
  const auto ten_products = [](const tensor& x) {
    tensor y;
    for (int i = 0; i < 10; ++i) y = matmul(x, x);
  };
  matmul(x0, x0).wait();
  matmul(x1, x1).wait();

  const auto timed = [&](auto submit) {
    return seconds_of([&] {
      submit();
      rt.wait_all();
    });
  };
  const double first = timed([&] { ten_products(x0); });
  const double second = timed([&] { ten_products(x1); });
  const ticks start = now();
  const std::clock_t used = std::clock();
  const double both = timed([&] {
    ten_products(x0);
    ten_products(x1);
  });
  const double cores = static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC / both;

  const auto alone = [](const tensor& x) {
    return sizes(x) + " on " + to_string(x.device()) + " alone";
  };
  table t({"ten products", "time"});
  t.add({alone(x0), duration_text(first)});
  t.add({alone(x1), duration_text(second)});
  t.add({"both, no sync between", duration_text(both)});
  t.add({"both / the longer one alone", number_text(both / std::max(first, second), 2)});
  t.add({"both / one after the other", number_text(both / (first + second), 2)});
  t.add({"cores in use meanwhile", number_text(cores, 2)});
  p.figures(t);
  p.text(
      R"(
Working at the same time without disturbing each other, they would take 1.00 of the longer one
alone; one after the other, )" +
      number_text((first + second) / std::max(first, second), 2) + ".");
  p.timeline("Both devices", rt.trace(start));
  p.keep_trace(rt);
}

void show_cpu_and_gpu(page& p, const std::string& gpu_description) {
  const std::int64_t n = p.size(2000, 200), large = p.size(6000, 600);
  runtime rt;
  const tensor x0 = uniform({n, n}, 0, 1, {.device = cpu(0)});
  const tensor x1 = uniform({large, large}, 0, 1, {.device = gpu(0)});
  p.text("This machine has a GPU, " + gpu_description +
         ", a device beside its cores. The CPU computes ten products of " + sizes(x0) +
         " matrices, the GPU ten of " + sizes(x1) + R"(
matrices: first one device alone, then the other, then both. Nothing in the program says that
they are to work at the same time: there just is no sync point between the two.)");
  p.code(R"(
runtime rt;
for (int i = 0; i < 10; ++i) y = matmul(x0, x0);   // x0 is on cpu:0, so y is
for (int i = 0; i < 10; ++i) z = matmul(x1, x1);   // x1 is on gpu:0
rt.wait_all();
)");
  compare(p, rt, x0, x1);
}

void show_two_cpus(page& p) {
  const std::int64_t n = p.size(2000, 200);
  runtime rt({.lanes = 1, .cpu_devices = 2});
  const tensor x0 = uniform({n, n}, 0, 1, {.device = cpu(0)});
  const tensor x1 = uniform({n, n}, 0, 1, {.device = cpu(1)});
  p.text(
      R"(
A machine's cores can be shared out among several CPU devices, as if it were several machines.
Each of two has one core here and computes ten products of
)" + sizes(x0) +
      R"(
matrices: first one device alone, then the other, then both. Nothing in the program says that
they are to work at the same time: there just is no sync point between the two.)");
  p.code(R"(
runtime rt({.lanes = 1, .cpu_devices = 2});
for (int i = 0; i < 10; ++i) y = matmul(x0, x0);   // x0 is on cpu:0, so y is
for (int i = 0; i < 10; ++i) z = matmul(x1, x1);   // x1 is on cpu:1
rt.wait_all();
)");
  p.warn_of_missing_cores();
  compare(p, rt, x0, x1);
}

}  // namespace

void show_two_devices(page& p) {
  if (const auto found = gpu_here(); !found.empty()) show_cpu_and_gpu(p, found);
  else show_two_cpus(p);
}

}  // namespace troupe::demo
