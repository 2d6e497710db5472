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

struct convolution {
  std::int64_t images, channels, height, width, features, down, along;
  convolution_attributes attributes;

  std::int64_t size(int axis) const {
    const std::int64_t kernel = axis == 0 ? down : along;
    return ((axis == 0 ? height : width) + 2 * attributes.padding[axis] -
            attributes.dilation[axis] * (kernel - 1) - 1) /
               attributes.stride[axis] +
           1;
  }
  indices images_shape() const { return {images, channels, height, width}; }
  indices weights_shape() const { return {features, channels / attributes.groups, down, along}; }
  indices result_shape() const { return {images, features, size(0), size(1)}; }

  /// Calls f(image element, weight, result element) for each product, with numbers in row-major
  /// order.
  template <class F>
  void for_each_product(F&& f) const {
    const std::int64_t of_group = channels / attributes.groups;
    std::size_t result = 0;
    for (std::int64_t n = 0; n < images; ++n) {
      for (std::int64_t o = 0; o < features; ++o) {
        for (std::int64_t y = 0; y < size(0); ++y) {
          for (std::int64_t x = 0; x < size(1); ++x, ++result) {
            for (std::int64_t c = 0; c < of_group; ++c) {
              for (std::int64_t i = 0; i < down; ++i) {
                for (std::int64_t j = 0; j < along; ++j) {
                  const auto row =
                      y * attributes.stride[0] + i * attributes.dilation[0] - attributes.padding[0];
                  const auto column =
                      x * attributes.stride[1] + j * attributes.dilation[1] - attributes.padding[1];
                  if (row < 0 || row >= height || column < 0 || column >= width) continue;
                  const auto channel = o / (features / attributes.groups) * of_group + c;
                  f(static_cast<std::size_t>(((n * channels + channel) * height + row) * width +
                                             column),
                    static_cast<std::size_t>(((o * of_group + c) * down + i) * along + j), result);
                }
              }
            }
          }
        }
      }
    }
  }
};

const convolution small_ones[] = {
    {2, 3, 6, 7, 4, 3, 2, {{1, 1}, {0, 0}, {1, 1}, 1}},
    {1, 1, 28, 28, 6, 5, 5, {{1, 1}, {2, 2}, {1, 1}, 1}},
    {3, 6, 14, 14, 16, 5, 5, {{1, 1}, {0, 0}, {1, 1}, 1}},
    {2, 4, 9, 8, 6, 3, 3, {{2, 2}, {1, 1}, {1, 1}, 2}},
    {2, 4, 11, 13, 4, 2, 3, {{3, 2}, {0, 3}, {2, 3}, 4}},
    {1, 2, 5, 5, 3, 1, 1, {{2, 3}, {0, 0}, {1, 1}, 1}},
    {1, 2, 1, 1, 3, 3, 3, {{1, 2}, {1, 4}, {1, 1}, 1}},
    {2, 3, 4, 40, 2, 4, 1, {{1, 4}, {5, 0}, {2, 1}, 1}},
    {1, 1, 1, 500, 2, 1, 9, {{1, 1}, {0, 4}, {1, 2}, 1}},
};

/// Convolutions that are split into several bands, blocks of planes, and parts of features.
const convolution large_ones[] = {
    {2, 130, 20, 19, 30, 3, 3, {{1, 1}, {1, 1}, {1, 1}, 1}},
    {1, 40, 61, 70, 25, 3, 3, {{2, 2}, {1, 1}, {1, 1}, 1}},
    {40, 8, 7, 7, 24, 3, 3, {{1, 1}, {1, 1}, {1, 1}, 1}},
    {3, 32, 30, 30, 32, 3, 3, {{1, 1}, {1, 1}, {1, 1}, 32}},
    {1, 3, 2, 9000, 4, 2, 31, {{1, 1}, {0, 15}, {1, 1}, 1}},
    {1, 2, 150, 140, 3, 60, 50, {{7, 9}, {3, 2}, {1, 1}, 1}},
};

owned fractions(dtype type, const indices& shape, unsigned seed) {
  std::mt19937 random(seed);
  owned x(type, shape);
  return x.set([&](std::int64_t) { return static_cast<double>(random() % 2001) / 1000 - 1; });
}

/// Fails unless all elements are as wanted, up to the rounding of so many terms.
void check(const owned& found, const std::vector<double>& want, std::int64_t terms) {
  const double tolerance = (found.type == float32 ? 1e-6 : 2e-15) * static_cast<double>(terms + 4);
  for (std::int64_t i = 0; i < found.size(); ++i) {
    if (std::abs(found.at(i) - want[static_cast<std::size_t>(i)]) <= tolerance) continue;
    CAPTURE(i, found.at(i), want[static_cast<std::size_t>(i)]);
    FAIL("differs");
  }
}

std::vector<double> zeros(const indices& shape) {
  return std::vector<double>(static_cast<std::size_t>(product(shape)));
}

owned result_of(const kernel* kernel, const std::vector<owned>& inputs, const indices& shape,
                const convolution& c) {
  owned out(inputs[0].type, shape);
  run(kernel, inputs, out, &c.attributes);
  REQUIRE(order_does_not_matter(kernel, inputs, out.type, shape, &c.attributes));
  return out;
}

void check_all(const convolution& c, dtype type) {
  CAPTURE(c.images_shape(), c.weights_shape(), c.attributes.stride[0], c.attributes.stride[1],
          name(type));
  const owned x = fractions(type, c.images_shape(), 1), w = fractions(type, c.weights_shape(), 2),
              g = fractions(type, c.result_shape(), 3), bias = fractions(type, {c.features}, 4);
  auto plain = zeros(c.result_shape()), images = zeros(c.images_shape()),
       weights = zeros(c.weights_shape());
  const auto xs = x.values(), ws = w.values(), gs = g.values();
  c.for_each_product([&](std::size_t i, std::size_t j, std::size_t k) {
    plain[k] += xs[i] * ws[j];
    images[i] += gs[k] * ws[j];
    weights[j] += gs[k] * xs[i];
  });
  const std::int64_t taps = product(c.weights_shape()) / c.features;
  const auto* const forward = conv2d_kernel(type);
  check(result_of(forward, {x, w}, c.result_shape(), c), plain, taps);
  check(result_of(conv2d_input_gradient_kernel(type), {g, w}, c.images_shape(), c), images,
        taps * c.features);
  check(result_of(conv2d_weight_gradient_kernel(type), {x, g}, c.weights_shape(), c), weights,
        product(c.result_shape()) / c.features);
  const std::int64_t of_feature = c.size(0) * c.size(1);
  for (std::size_t i = 0; i < plain.size(); ++i)
    plain[i] += bias.at(static_cast<std::int64_t>(i) / of_feature % c.features);
  check(result_of(forward, {x, w, bias}, c.result_shape(), c), plain, taps);
}

}  // namespace

TEST_CASE("convolutions and their gradients agree with seven plain loops") {
  for (const auto& c : small_ones) {
    for (const dtype type : {float32, float64}) check_all(c, type);
  }
}

TEST_CASE("convolutions divided for the caches agree with seven plain loops") {
  for (const auto& c : large_ones) {
    for (const dtype type : {float32, float64}) check_all(c, type);
  }
}

TEST_CASE("convolutions read inputs of any strides") {
  const convolution c{4, 4, 8, 8, 4, 4, 4, {{2, 1}, {1, 2}, {1, 1}, 1}};
  const owned x = fractions(float32, {8, 8, 4, 4}, 1).transposed(),
              w = fractions(float32, {4, 4, 4, 8}, 2).stepped(3, -2),
              g = fractions(float32, {1, 1, 4, 1}, 3).broadcast(c.result_shape());
  const auto dense = [](const owned& from) {
    owned to(from.type, from.shape);
    return to.set([&](std::int64_t i) { return from.at(i); });
  };
  const auto same = [&](const kernel* kernel, const owned& a, const owned& b,
                        const indices& shape) {
    return result_of(kernel, {a, b}, shape, c)
        .same_bits(result_of(kernel, {dense(a), dense(b)}, shape, c));
  };
  CHECK(same(conv2d_kernel(float32), x, w, c.result_shape()));
  CHECK(same(conv2d_input_gradient_kernel(float32), g, w, c.images_shape()));
  CHECK(same(conv2d_weight_gradient_kernel(float32), x, g, c.weights_shape()));
}

TEST_CASE("a convolution of no images is empty, and its weights' gradient is zero") {
  const convolution c{0, 2, 5, 5, 3, 3, 3, {{1, 1}, {0, 0}, {1, 1}, 1}};
  const owned x(float32, c.images_shape()), w = fractions(float32, c.weights_shape(), 1),
                                            g(float32, c.result_shape());
  CHECK(result_of(conv2d_kernel(float32), {x, w}, c.result_shape(), c).size() == 0);
  CHECK(result_of(conv2d_input_gradient_kernel(float32), {g, w}, c.images_shape(), c).size() == 0);
  check(result_of(conv2d_weight_gradient_kernel(float32), {x, g}, c.weights_shape(), c),
        zeros(c.weights_shape()), 0);
}

TEST_CASE("a convolution without channels is its bias") {
  const convolution c{2, 0, 5, 5, 3, 3, 3, {{1, 1}, {0, 0}, {1, 1}, 1}};
  const owned x(float32, c.images_shape()), w(float32, c.weights_shape());
  owned bias(float32, {3});
  bias.set([](std::int64_t i) { return i; });
  const owned out = result_of(conv2d_kernel(float32), {x, w, bias}, c.result_shape(), c);
  for (std::int64_t i = 0; i < out.size(); ++i) REQUIRE(out.at(i) == i / 9 % 3);
}

TEST_CASE("an infinite number reaches the results and gradients that see it, and no others") {
  const convolution c{2, 1, 6, 5, 3, 3, 3, {{1, 1}, {0, 0}, {1, 1}, 1}};
  owned x = fractions(float32, c.images_shape(), 1);
  const owned w = fractions(float32, c.weights_shape(), 2),
              g = fractions(float32, c.result_shape(), 3);
  const std::int64_t corner = x.size() - 1;
  x.set([&, y = fractions(float32, c.images_shape(), 1)](std::int64_t i) {
    return i == corner ? std::numeric_limits<double>::infinity() : y.at(i);
  });
  const owned out = result_of(conv2d_kernel(float32), {x, w}, c.result_shape(), c);
  for (std::int64_t i = 0; i < out.size(); ++i)
    REQUIRE(std::isfinite(out.at(i)) == (i < 36 || i % 12 != 11));
  const owned weights =
      result_of(conv2d_weight_gradient_kernel(float32), {x, g}, c.weights_shape(), c);
  for (std::int64_t i = 0; i < weights.size(); ++i)
    REQUIRE(std::isfinite(weights.at(i)) == (i % 9 != 8));
}

TEST_CASE("there is no convolution of integers") {
  CHECK(conv2d_kernel(int32) == nullptr);
  CHECK(conv2d_input_gradient_kernel(int64) == nullptr);
  CHECK(conv2d_weight_gradient_kernel(boolean) == nullptr);
}
