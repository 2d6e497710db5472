// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

struct pool {
  std::int64_t images, channels, height, width;
  pooling_attributes attributes;

  std::int64_t size(int axis) const {
    return ((axis == 0 ? height : width) + 2 * attributes.padding[axis] - attributes.size[axis]) /
               attributes.stride[axis] +
           1;
  }
  indices image_shape() const { return {images, channels, height, width}; }
  indices result_shape() const { return {images, channels, size(0), size(1)}; }

  /// Calls f(result element, the image elements of its window), with numbers in row-major order.
  template <class F>
  void for_each_window(F&& f) const {
    std::int64_t result = 0;
    for (std::int64_t image = 0; image < images * channels; ++image) {
      for (std::int64_t y = 0; y < size(0); ++y) {
        for (std::int64_t x = 0; x < size(1); ++x) {
          std::vector<std::int64_t> window;
          for (std::int64_t i = 0; i < attributes.size[0]; ++i) {
            for (std::int64_t j = 0; j < attributes.size[1]; ++j) {
              const auto row = y * attributes.stride[0] + i - attributes.padding[0];
              const auto column = x * attributes.stride[1] + j - attributes.padding[1];
              if (row < 0 || row >= height || column < 0 || column >= width) continue;
              window.push_back((image * height + row) * width + column);
            }
          }
          f(result++, window);
        }
      }
    }
  }
};

const pool pools[] = {
    {2, 3, 28, 28, {{2, 2}, {2, 2}, {0, 0}}},   {2, 3, 7, 9, {{2, 2}, {2, 2}, {0, 0}}},
    {1, 2, 5, 37, {{2, 2}, {2, 2}, {0, 0}}},    {1, 2, 11, 70, {{2, 2}, {2, 2}, {0, 0}}},
    {3, 2, 9, 8, {{3, 3}, {2, 2}, {1, 1}}},     {2, 1, 9, 20, {{3, 2}, {1, 1}, {1, 1}}},
    {1, 1, 10, 11, {{1, 4}, {3, 3}, {0, 2}}},   {2, 2, 6, 6, {{6, 6}, {1, 1}, {0, 0}}},
    {1, 1, 4, 4, {{1, 1}, {1, 1}, {0, 0}}},     {1, 1, 1, 1, {{3, 3}, {1, 2}, {1, 1}}},
    {1, 2, 600, 300, {{2, 2}, {2, 2}, {0, 0}}}, {1, 2, 400, 300, {{3, 2}, {4, 3}, {1, 1}}},
};

owned small_integers(dtype type, const indices& shape, unsigned seed) {
  std::mt19937 random(seed);
  owned x(type, shape);
  return x.set([&](std::int64_t) { return static_cast<double>(random() % 11) - 5; });
}

owned result_of(const kernel* kernel, const std::vector<owned>& inputs, const indices& shape,
                const pool& p) {
  owned out(inputs[0].type, shape);
  out.set([](std::int64_t) { return 77; });
  run(kernel, inputs, out, &p.attributes);
  REQUIRE(order_does_not_matter(kernel, inputs, out.type, shape, &p.attributes));
  return out;
}

void check(const owned& found, const std::vector<double>& want) {
  for (std::int64_t i = 0; i < found.size(); ++i) {
    const double wanted = want[static_cast<std::size_t>(i)];
    if (std::abs(found.at(i) - wanted) <= 1e-6 * std::max(1., std::abs(wanted))) continue;
    CAPTURE(i, found.at(i), wanted);
    FAIL("differs");
  }
}

void check_all(const pool& p, dtype type) {
  CAPTURE(p.image_shape(), p.result_shape(), name(type));
  const owned x = small_integers(type, p.image_shape(), 1),
              g = small_integers(type, p.result_shape(), 2),
              other = small_integers(type, p.image_shape(), 3);
  const auto images = static_cast<std::size_t>(x.size()),
             results = static_cast<std::size_t>(g.size());
  std::vector<double> greatest(results), means(results), picked(results), spread(images),
      parts(images);
  p.for_each_window([&](std::int64_t result, const std::vector<std::int64_t>& window) {
    const auto r = static_cast<std::size_t>(result);
    const double share = 1. / static_cast<double>(p.attributes.size[0] * p.attributes.size[1]);
    auto first = window[0];
    for (const auto i : window) {
      if (x.at(i) > x.at(first)) first = i;
      means[r] += x.at(i) * share;
      parts[static_cast<std::size_t>(i)] += g.at(result) * share;
    }
    greatest[r] = x.at(first);
    picked[r] = other.at(first);
    spread[static_cast<std::size_t>(first)] += g.at(result);
  });
  check(result_of(max_pool2d_kernel(type), {x}, p.result_shape(), p), greatest);
  check(result_of(avg_pool2d_kernel(type), {x}, p.result_shape(), p), means);
  check(result_of(max_pool2d_pick_kernel(type), {x, other}, p.result_shape(), p), picked);
  check(result_of(max_pool2d_gradient_kernel(type), {x, g}, p.image_shape(), p), spread);
  check(result_of(avg_pool2d_gradient_kernel(type), {g}, p.image_shape(), p), parts);
}

}  // namespace

TEST_CASE("pools and their gradients agree with plain loops over each window") {
  for (const auto& p : pools) {
    for (const dtype type : {float32, float64}) check_all(p, type);
  }
}

TEST_CASE("a NaN is the greatest of its windows, and gets their gradient") {
  for (const std::int64_t width : {4, 10, 18, 40}) {
    for (std::int64_t at = 0; at < 4; ++at) {
      const pool p{1, 1, 2, width, {{2, 2}, {2, 2}, {0, 0}}};
      CAPTURE(width, at);
      owned x = small_integers(float32, p.image_shape(), 1), g(float32, p.result_shape());
      const std::int64_t place = at / 2 * width + 2 + at % 2;
      x.set([&, y = small_integers(float32, p.image_shape(), 1)](std::int64_t i) {
        return i == place ? std::numeric_limits<double>::quiet_NaN() : y.at(i);
      });
      g.set([](std::int64_t) { return 1; });
      const owned out = result_of(max_pool2d_kernel(float32), {x}, p.result_shape(), p);
      for (std::int64_t i = 0; i < out.size(); ++i) REQUIRE(std::isnan(out.at(i)) == (i == 1));
      const owned back = result_of(max_pool2d_gradient_kernel(float32), {x, g}, p.image_shape(), p);
      for (const std::int64_t i : {std::int64_t{2}, std::int64_t{3}, width + 2, width + 3})
        REQUIRE(back.at(i) == (i == place ? 1 : 0));
    }
  }
}

TEST_CASE("padding is never the greatest element") {
  const pool p{1, 1, 3, 3, {{3, 3}, {2, 2}, {1, 1}}};
  owned x(float64, p.image_shape());
  x.set([](std::int64_t) { return -std::numeric_limits<double>::infinity(); });
  const owned out = result_of(max_pool2d_kernel(float64), {x}, p.result_shape(), p);
  for (std::int64_t i = 0; i < out.size(); ++i) REQUIRE(std::isinf(out.at(i)));
}

TEST_CASE("there are pools of no images, and none of integers") {
  const pool p{0, 3, 4, 4, {{2, 2}, {2, 2}, {0, 0}}};
  const owned x(float32, p.image_shape()), g(float32, p.result_shape());
  CHECK(result_of(max_pool2d_kernel(float32), {x}, p.result_shape(), p).size() == 0);
  CHECK(result_of(avg_pool2d_gradient_kernel(float32), {g}, p.image_shape(), p).size() == 0);
  CHECK(max_pool2d_kernel(int64) == nullptr);
  CHECK(avg_pool2d_kernel(boolean) == nullptr);
}
