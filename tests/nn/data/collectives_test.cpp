// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/collectives.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "troupe/tests/tensor/test_engine.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

namespace {

/// Returns arrays of different numbers, one on each device.
std::vector<tensor> arrays_on(const std::vector<device>& devices, const shape& dims,
                              dtype element = float32) {
  std::vector<tensor> out;
  for (const auto place : devices) {
    const auto x = normal(dims, 0, 100);
    out.push_back(to(astype(x, element), place));
  }
  return out;
}

/// Returns their sum on the first device, added up in their order.
tensor plain_sum(const std::vector<tensor>& parts) {
  auto total = to(parts[0], cpu(0));
  for (std::size_t i = 1; i < parts.size(); ++i) total = total + to(parts[i], cpu(0));
  return total;
}

bool same_bits(const tensor& a, const tensor& b) {
  const auto x = copy(to(a, cpu(0))), y = copy(to(b, cpu(0)));
  wait({x, y});
  return x.type() == y.type() &&
         std::memcmp(x.source()->data(), y.source()->data(), x.source()->bytes()) == 0;
}

const std::vector<std::vector<device>> places{
    {cpu(0)}, {cpu(1), cpu(0)}, {cpu(0), cpu(1), cpu(2)}, {cpu(2), cpu(2), cpu(0), cpu(1), cpu(2)}};

}  // namespace

TEST_CASE("all_reduce gives each device the sum in the order of the arrays") {
  runtime rt({.lanes = 1, .cpu_devices = 3});
  for (const auto& devices : places) {
    for (const auto& dims : {shape{}, shape{0, 4}, shape{3}, shape{1000, 33}, shape{3'000'001}}) {
      for (const auto element : {float32, int64, float16}) {
        CAPTURE(devices.size(), to_string(dims), name(element));
        const auto parts = arrays_on(devices, dims, element);
        const auto expected = plain_sum(parts);
        const auto got = all_reduce(parts);
        REQUIRE(got.size() == parts.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
          CHECK(got[i].device() == devices[i]);
          CHECK(same_bits(got[i], expected));
        }
      }
    }
  }
}

TEST_CASE("reduce_scatter gives each device its part of that sum") {
  runtime rt({.lanes = 1, .cpu_devices = 3});
  for (const auto& devices : places) {
    for (const int axis : {0, 1, -1}) {
      const auto parts = arrays_on(devices, {7, 4});
      const auto got = reduce_scatter(parts, axis);
      REQUIRE(got.size() == parts.size());
      for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i].device() == devices[i]);
      CHECK(got[0].shape()[axis] >= got.back().shape()[axis]);
      std::vector<tensor> together;
      for (const auto& x : got) together.push_back(to(x, cpu(0)));
      CHECK(same_bits(concatenate(together, axis), plain_sum(parts)));
    }
  }
}

TEST_CASE("all_gather and broadcast give each device all of it") {
  runtime rt({.lanes = 1, .cpu_devices = 3});
  for (const auto& devices : places) {
    std::vector<tensor> parts;
    for (std::size_t i = 0; i < devices.size(); ++i)
      parts.push_back(to(normal({2, static_cast<std::int64_t>(i)}), devices[i]));
    std::vector<tensor> together;
    for (const auto& x : parts) together.push_back(to(x, cpu(0)));
    const auto got = all_gather(parts, 1);
    REQUIRE(got.size() == parts.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      CHECK(got[i].device() == devices[i]);
      CHECK(same_bits(got[i], concatenate(together, 1)));
    }
    const auto x = normal({5, 3});
    const auto copies = broadcast(x, devices);
    REQUIRE(copies.size() == devices.size());
    for (std::size_t i = 0; i < copies.size(); ++i) {
      CHECK(copies[i].device() == devices[i]);
      CHECK(same_bits(copies[i], x));
    }
  }
  CHECK(broadcast(ones({2}), {}).empty());
}

TEST_CASE("gradients flow through collectives back to each array") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  const auto a = normal({4, 3}), b = to(normal({4, 3}), cpu(1));
  const auto loss = [](const std::vector<tensor>& x) {
    const auto sums = all_reduce({x[0], x[1]});
    const auto parts = reduce_scatter({x[0], x[1]});
    const auto all = all_gather({x[0], x[1]});
    return sum(to(square(sums[1]), cpu(0))) + sum(to(square(parts[1]), cpu(0))) +
           sum(to(square(all[1]), cpu(0)));
  };
  const auto g = grad(loss)(std::vector<tensor>{a, b});
  const auto other = to(b, cpu(0)), total = a + other;
  auto lower = concatenate({zeros({2, 3}), total.slice(0, 2, 4)});
  CHECK(allclose(g[0], 2 * total + 2 * lower + 2 * a, 1e-5, 1e-5).item<bool>());
  CHECK(allclose(to(g[1], cpu(0)), 2 * total + 2 * lower + 2 * other, 1e-5, 1e-5).item<bool>());
  CHECK(g[1].device() == cpu(1));
}

TEST_CASE("collectives refuse arrays that do not fit, in one line") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  const auto x = ones({2, 3}), y = ones({2, 4});
  CHECK(TROUPE_ERROR_OF(all_reduce({})) == "all_reduce: no arrays");
  CHECK(TROUPE_ERROR_OF(all_reduce({x, y})) ==
        "all_reduce: the arrays differ: float32[2,3] and float32[2,4]");
  CHECK(TROUPE_ERROR_OF(all_reduce({x, astype(x, int32)})) ==
        "all_reduce: the arrays differ: float32[2,3] and int32[2,3]");
  CHECK(TROUPE_ERROR_OF(all_reduce({x, tensor()})) == "all_reduce: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(reduce_scatter({x, y})) ==
        "reduce_scatter: the arrays differ: float32[2,3] and float32[2,4]");
  CHECK(TROUPE_ERROR_OF(reduce_scatter({x, x}, 2)) ==
        "reduce_scatter: axis 2 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(all_gather({x, y})) ==
        "all_gather: the arrays differ in more than axis 0: float32[2,3] and float32[2,4]");
  CHECK(TROUPE_ERROR_OF(all_gather({x, ones({2})})) ==
        "all_gather: the arrays differ in more than axis 0: float32[2,3] and float32[2]");
  CHECK(TROUPE_ERROR_OF(all_gather({tensor(1), tensor(2)})) ==
        "all_gather: axis 0 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(broadcast(x, {cpu(7)})) ==
        "to: there is no device cpu:7; this runtime has cpu:0, cpu:1");
}

}  // namespace troupe::testing
