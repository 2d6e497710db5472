// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/convolution.hpp"

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

tensor images(const shape& sizes, dtype element = float32) {
  std::vector<double> v;
  for (std::int64_t i = 0; i < sizes.size(); ++i) v.push_back(static_cast<double>(i * 7 % 11) - 5);
  return from_data(v, sizes, {.dtype = element});
}

/// Fails unless the derivative of f at each element of x agrees with finite differences.
void check_slope(const std::function<tensor(const tensor&)>& f, const tensor& x) {
  const auto found = numbers(grad(f)(x));
  auto at = numbers(x);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto shifted = [&](double by) {
      auto v = at;
      v[i] += by;
      return f(from_data(v, x.shape(), {.dtype = float64})).item<double>();
    };
    constexpr double step = 1e-4;
    const double want =
        (8 * (shifted(step) - shifted(-step)) - (shifted(2 * step) - shifted(-2 * step))) /
        (12 * step);
    CAPTURE(i, found[i], want);
    REQUIRE(near(found[i], want, 1e-6, 1e-6));
  }
}

}  // namespace

TEST_CASE("a convolution has the shape and the elements that PyTorch documents") {
  test_engine e;
  CHECK(type_text(conv2d(images({2, 3, 9, 8}), images({4, 3, 3, 2}))) == "float32[2,4,7,7]");
  CHECK(type_text(conv2d(images({2, 4, 9, 8}), images({6, 2, 3, 3}),
                         {.stride = 2, .padding = {1, 0}, .dilation = {2, 1}, .groups = 2})) ==
        "float32[2,6,4,3]");
  const tensor x = {{1., 2., 3.}, {4., 5., 6.}, {7., 8., 9.}}, w = {{1., 0.}, {0., -10.}};
  CHECK(numbers(conv2d(x.reshape({1, 1, 3, 3}), w.reshape({1, 1, 2, 2}))) ==
        std::vector<double>{1 - 50, 2 - 60, 4 - 80, 5 - 90});
  CHECK(numbers(conv2d(x.reshape({1, 1, 3, 3}), w.reshape({1, 1, 2, 2}), tensor{0.5})) ==
        std::vector<double>{-48.5, -57.5, -75.5, -84.5});
}

TEST_CASE("a convolution of float32 and float64 is float64") {
  test_engine e;
  CHECK(conv2d(images({1, 1, 3, 3}), images({1, 1, 2, 2}, float64)).dtype() == float64);
}

TEST_CASE("a convolution's bias equals a separate addition") {
  test_engine e;
  const auto x = images({2, 3, 5, 5}, float64), w = images({4, 3, 3, 3}, float64),
             b = images({4}, float64);
  CHECK(numbers(conv2d(x, w, b)) == numbers(conv2d(x, w) + b.reshape({1, -1, 1, 1})));
}

TEST_CASE("convolutions that do not fit are refused at the call") {
  test_engine e;
  const auto x = images({2, 3, 5, 5}), w = images({4, 3, 3, 3});
  const std::string both = ": float32[2,3,5,5] and float32[4,3,3,3]";
  CHECK(TROUPE_ERROR_OF(conv2d(x[0], w)) ==
        "conv2d: not four axes: float32[3,5,5] and float32[4,3,3,3]");
  CHECK(TROUPE_ERROR_OF(conv2d(x, w.reshape({4, 27}))) ==
        "conv2d: not four axes: float32[2,3,5,5] and float32[4,27]");
  CHECK(TROUPE_ERROR_OF(conv2d(x, images({4, 2, 3, 3}))) ==
        "conv2d: 3 channels, but kernels for 2: float32[2,3,5,5] and float32[4,2,3,3]");
  CHECK(TROUPE_ERROR_OF(conv2d(x, w, {.groups = 2})) == "conv2d: 3 channels in 2 groups" + both);
  CHECK(TROUPE_ERROR_OF(conv2d(x, images({4, 1, 3, 3}), {.groups = 3})) ==
        "conv2d: 4 kernels in 3 groups: float32[2,3,5,5] and float32[4,1,3,3]");
  CHECK(TROUPE_ERROR_OF(conv2d(x, w, {.groups = 0})) == "conv2d: 0 groups" + both);
  CHECK(TROUPE_ERROR_OF(conv2d(x, w, {.stride = {1, 0}})) == "conv2d: a stride of 0" + both);
  CHECK(TROUPE_ERROR_OF(conv2d(x, w, {.padding = -1})) == "conv2d: a padding of -1" + both);
  CHECK(TROUPE_ERROR_OF(conv2d(x, w, {.dilation = 0})) == "conv2d: a dilation of 0" + both);
  CHECK(TROUPE_ERROR_OF(conv2d(x, w, {.padding = std::int64_t{1} << 62})) ==
        "conv2d: a padding of 4611686018427387904" + both);
  CHECK(TROUPE_ERROR_OF(conv2d(x, w, {.dilation = 3})) ==
        "conv2d: the kernel is larger than the padded image" + both);
  CHECK(TROUPE_ERROR_OF(conv2d(x, images({4, 3, 0, 3}))) ==
        "conv2d: an empty kernel: float32[2,3,5,5] and float32[4,3,0,3]");
  CHECK(TROUPE_ERROR_OF(conv2d(x.astype(int32), w)) ==
        "conv2d: not of floating numbers: int32[2,3,5,5] and float32[4,3,3,3]");
  CHECK(TROUPE_ERROR_OF(conv2d(x, w, images({3}))) ==
        "conv2d: not a bias for each output channel: float32[2,3,5,5], float32[4,3,3,3] and "
        "float32[3]");
  CHECK(TROUPE_ERROR_OF(conv2d(x, w, tensor{})) == "conv2d: input 2 names no array yet");
}

TEST_CASE("a convolution with weights on another device is refused") {
  test_engine e;
  const auto x = images({2, 3, 5, 5}), w = images({4, 3, 3, 3}).to(cpu(1));
  CHECK_THROWS_AS(conv2d(x, w), error);
}

TEST_CASE("a gradient of a convolution whose sizes do not fit is refused at the call") {
  test_engine e;
  const auto g = images({2, 4, 3, 3}), w = images({4, 3, 3, 3}), x = images({2, 3, 5, 5});
  CHECK(conv2d_input_gradient(g, w, 5).shape() == x.shape());
  CHECK(conv2d_weight_gradient(x, g, 3).shape() == w.shape());
  CHECK(TROUPE_ERROR_OF(conv2d_input_gradient(g, w, 6)) ==
        "conv2d_input_gradient: the convolution's result is [2,4,4,4]: float32[2,4,3,3] and "
        "float32[4,3,3,3]");
  CHECK(TROUPE_ERROR_OF(conv2d_weight_gradient(x, g, {3, 2})) ==
        "conv2d_weight_gradient: the convolution's result is [2,4,3,4]: float32[2,3,5,5] and "
        "float32[2,4,3,3]");
  CHECK_THROWS_AS(conv2d_input_gradient(g, w, {5, -5}), error);
  CHECK_THROWS_AS(conv2d_weight_gradient(x, g, 3, {.groups = 2}), error);
}

TEST_CASE("second derivatives of convolutions agree with differences of the first") {
  test_engine e;
  const auto x = images({1, 2, 4, 5}, float64) * 0.1, w = images({2, 1, 2, 3}, float64) * 0.2;
  const conv2d_options options{.stride = {1, 2}, .padding = 1, .groups = 2};
  const auto energy = [&](const tensor& a, const tensor& b) {
    return sum(exp(conv2d(a, b, options)));
  };
  const auto slope_of_images = [&](const tensor& a, const tensor& b) {
    return sum(square(grad([&](const tensor& t) { return energy(t, b); })(a)));
  };
  const auto slope_of_weights = [&](const tensor& a, const tensor& b) {
    return sum(square(grad([&](const tensor& t) { return energy(a, t); })(b)));
  };
  check_slope([&](const tensor& t) { return slope_of_images(t, w); }, x);
  check_slope([&](const tensor& t) { return slope_of_images(x, t); }, w);
  check_slope([&](const tensor& t) { return slope_of_weights(t, w); }, x);
  check_slope([&](const tensor& t) { return slope_of_weights(x, t); }, w);
}

TEST_CASE("a third derivative of a convolution agrees with differences of the second") {
  test_engine e;
  const auto x = images({1, 1, 3, 3}, float64) * 0.1, w = images({1, 1, 2, 2}, float64) * 0.2;
  const auto first = [&](const tensor& b) {
    return sum(square(grad([&](const tensor& a) { return sum(exp(conv2d(a, b))); })(x)));
  };
  check_slope([&](const tensor& b) { return sum(square(grad(first)(b))); }, w);
}

TEST_CASE("the cost of a convolution and its gradients is that of its products") {
  test_engine e;
  const auto x = images({2, 3, 5, 5}), w = images({4, 3, 3, 3}), g = images({2, 4, 3, 3});
  const auto flops_of = [](const operation& op, const tensor& a, const tensor& b,
                           const shape& out) {
    task t(op, cpu(0), caller::current());
    for (const auto* in : {&a, &b}) {
      auto& to = t.inputs.emplace_back();
      to.source = in->source();
      to.element = float32;
    }
    t.outputs.emplace_back(new value(float32, cpu(0), out));
    const auto work = op.cost(t);
    t.outputs.clear();
    return work.flops;
  };
  constexpr double all = 2. * (2 * 4 * 3 * 3) * (3 * 3 * 3);
  CHECK(flops_of(conv2d_operation, x, w, g.shape()) == all);
  CHECK(flops_of(conv2d_input_gradient_operation, g, w, x.shape()) == all);
  CHECK(flops_of(conv2d_weight_gradient_operation, x, g, w.shape()) == all);
}

}  // namespace troupe::testing
