// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/conv_general.hpp"

#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

/// The options with a number for each axis.
conv_general_options completed_for(conv_general_options o, std::size_t axes) {
  if (o.stride.empty()) o.stride.assign(axes, 1);
  if (o.padding.empty()) o.padding.assign(axes, {0, 0});
  if (o.input_dilation.empty()) o.input_dilation.assign(axes, 1);
  if (o.kernel_dilation.empty()) o.kernel_dilation.assign(axes, 1);
  return o;
}

/// Steps through all positions of a shape.
template <class F>
void each_position(const shape& sizes, F f) {
  std::vector<std::int64_t> at(static_cast<std::size_t>(sizes.rank()));
  for (std::int64_t n = 0; n < sizes.size(); ++n) {
    auto rest = n;
    for (int i = sizes.rank() - 1; i >= 0; --i) {
      at[static_cast<std::size_t>(i)] = rest % sizes[i];
      rest /= sizes[i];
    }
    f(n, at);
  }
}

std::int64_t place_in(const shape& sizes, const std::vector<std::int64_t>& at) {
  std::int64_t n = 0;
  for (int i = 0; i < sizes.rank(); ++i) n = n * sizes[i] + at[static_cast<std::size_t>(i)];
  return n;
}

/// The convolution by its definition.
list by_definition(const tensor& x, const tensor& w, const conv_general_options& given) {
  const auto axes = static_cast<std::size_t>(x.rank() - 2);
  const auto o = completed_for(given, axes);
  const auto &xs = x.shape(), &ws = w.shape();
  shape out{xs[0], ws[0]};
  for (std::size_t i = 0; i < axes; ++i) {
    const int k = static_cast<int>(i) + 2;
    const auto padded =
        (xs[k] - 1) * o.input_dilation[i] + 1 + o.padding[i].first + o.padding[i].second;
    out.push_back((padded - (ws[k] - 1) * o.kernel_dilation[i] - 1) / o.stride[i] + 1);
  }
  const auto in = numbers(x), kernels = numbers(w);
  list found(static_cast<std::size_t>(out.size()));
  each_position(out, [&](std::int64_t n, const std::vector<std::int64_t>& at) {
    each_position(shape(std::span(ws.begin() + 1, ws.end())),
                  [&](std::int64_t, const std::vector<std::int64_t>& tap) {
                    const auto group = at[1] / (ws[0] / o.groups);
                    std::vector<std::int64_t> from{at[0], group * ws[1] + tap[0]}, of{at[1]};
                    of.insert(of.end(), tap.begin(), tap.end());
                    for (std::size_t i = 0; i < axes; ++i) {
                      const auto place = at[i + 2] * o.stride[i] +
                                         tap[i + 1] * o.kernel_dilation[i] - o.padding[i].first;
                      if (place < 0 || place % o.input_dilation[i] != 0) return;
                      from.push_back(place / o.input_dilation[i]);
                      if (from.back() >= xs[static_cast<int>(i) + 2]) return;
                    }
                    found[static_cast<std::size_t>(n)] +=
                        in[static_cast<std::size_t>(place_in(xs, from))] *
                        kernels[static_cast<std::size_t>(place_in(ws, of))];
                  });
  });
  return found;
}

struct general_case {
  shape x, w;
  conv_general_options options;
};

std::vector<general_case> general_cases() {
  return {
      {{2, 2, 7}, {3, 2, 3}, {}},
      {{2, 4, 6}, {2, 2, 2}, {{2}, {{1, 3}}, {3}, {2}, 2}},
      {{1, 1, 5}, {1, 1, 2}, {{1}, {{-1, -2}}, {1}, {1}, 1}},
      {{1, 2, 4, 5}, {4, 1, 2, 3}, {{2, 1}, {{0, 2}, {3, 1}}, {1, 2}, {2, 1}, 2}},
      {{1, 3, 1, 4}, {2, 3, 1, 2}, {{}, {{2, 0}, {-2, 1}}, {4, 3}, {}, 1}},
      {{1, 2, 3, 2, 3},
       {2, 2, 2, 1, 2},
       {{1, 2, 1}, {{1, 0}, {0, 1}, {1, 2}}, {2, 1, 2}, {1, 1, 2}, 1}},
  };
}

}  // namespace

TEST_CASE("a general convolution is that of its definition") {
  test_engine e;
  for (const auto& one : general_cases()) {
    const auto x = distinct(one.x), w = distinct(one.w);
    const auto found = numbers(conv_general(x, w, one.options));
    const auto expected = by_definition(x, w, one.options);
    CAPTURE(to_string(one.x), to_string(one.w));
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(near(found[i], expected[i], 1e-12));
  }
}

TEST_CASE("a general convolution has gradients to the second order, and tangents") {
  test_engine e;
  for (const auto& one : general_cases()) {
    const auto x = distinct(one.x), w = distinct(one.w);
    const auto of_x = [&](const tensor& at) { return conv_general(at, w, one.options); };
    const auto of_w = [&](const tensor& at) { return conv_general(x, at, one.options); };
    check_gradient(of_x, x);
    check_gradient(of_w, w);
    check_gradient(
        [&](const tensor& at) {
          return grad([&](const tensor& y) { return sum(sin(of_x(y))); })(at);
        },
        x);
    check_gradient(
        [&](const tensor& at) {
          return grad([&](const tensor& y) { return sum(sin(of_w(y))); })(at);
        },
        w);
    const auto along = jvp(of_x, x, x).second;
    CHECK(numbers(along) == numbers(of_x(x)));
  }
}

TEST_CASE("a general convolution that spreads its input is the transposed one") {
  test_engine e;
  const auto y = distinct({1, 2, 3, 3}), w = distinct({2, 1, 3, 3});
  const auto expected = conv2d_input_gradient(y, w, {7, 7}, {.stride = 2});
  const auto turned = flip(transpose(w, {1, 0, 2, 3}), {2, 3});
  const auto found =
      conv_general(y, turned, {.padding = {{2, 2}, {2, 2}}, .input_dilation = {2, 2}});
  CHECK(found.shape() == expected.shape());
  const auto a = numbers(found), b = numbers(expected);
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(near(a[i], b[i], 1e-12));
}

TEST_CASE("general convolutions that do not fit are refused at the call") {
  test_engine e;
  const auto x = zeros({1, 2, 5}), w = zeros({1, 2, 3});
  const std::string of = ": float32[1,2,5] and float32[1,2,3]";
  const auto refused = [&](const conv_general_options& o) {
    return TROUPE_ERROR_OF(conv_general(x, w, o));
  };
  CHECK(refused({.stride = {1, 1}}) == "conv_general: stride for 2 axes" + of);
  CHECK(refused({.stride = {0}}) == "conv_general: stride of 0" + of);
  CHECK(refused({.kernel_dilation = {-1}}) == "conv_general: kernel_dilation of -1" + of);
  CHECK(refused({.padding = {{0, 0}, {0, 0}}}) == "conv_general: padding for 2 axes" + of);
  CHECK(refused({.padding = {{-2, -1}}}) ==
        "conv_general: the kernel is larger than the padded input" + of);
  CHECK(refused({.padding = {{-6, 9}}}) == "conv_general: more is cut off than there is" + of);
  CHECK(refused({.groups = 2}) == "conv_general: 1 kernels in 2 groups" + of);
  CHECK(TROUPE_ERROR_OF(conv_general(zeros({1, 2}), w)) ==
        "conv_general: not 3, 4 or 5 axes, and as many of the kernels: float32[1,2] and "
        "float32[1,2,3]");
  CHECK(TROUPE_ERROR_OF(conv_general(zeros({1, 2, 5}, int32), w)) ==
        "conv_general: not of floating numbers: int32[1,2,5] and float32[1,2,3]");
  CHECK(TROUPE_ERROR_OF(conv_general(tensor{}, w)) == "conv_general: input 0 names no array yet");
}

}  // namespace troupe::testing
