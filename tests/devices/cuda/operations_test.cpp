// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/tensor/linalg/records.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/comparing.hpp"
#include "troupe/tensor/ops/convolution_gradients.hpp"
#include "troupe/tensor/ops/histogram.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/nan_reductions.hpp"
#include "troupe/tensor/ops/quantiles.hpp"
#include "troupe/tensor/ops/sets.hpp"
#include "troupe/tensor/ops/signals.hpp"
#include "troupe/tests/devices/cuda/on_both.hpp"
#include "troupe/tests/effort.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Returns the same elements in another memory order.
tensor turned(const tensor& x) { return transpose(copy(transpose(x))); }

/// Returns the same elements as part of a larger array.
tensor inside(const tensor& x) {
  if (x.rank() == 0 || x.size() == 0) return x;
  return concatenate({x, x, x}, 0).slice(0, x.shape()[0], 2 * x.shape()[0]);
}

/// Returns the same elements, stored backwards.
tensor backwards(const tensor& x) {
  const auto flipped = [](tensor y) {
    for (int axis = 0; axis < y.rank(); ++axis) y = y.slice(axis, {}, {}, -1);
    return y;
  };
  return flipped(copy(flipped(x)));
}

/// Returns the dtypes to try: with a sanitizer, one of each kind.
std::vector<dtype> dtypes_to_try() {
  if (sanitized) return {boolean, int8, uint32, int64, float16, float64};
  return {std::begin(real_dtypes), std::end(real_dtypes)};
}

/// Linear algebra has matrices of its own to agree on: linalg_test.cpp.
bool is_linear_algebra(const operation& op) {
  const auto all = linalg_operations();
  return &op >= all.data() && &op < all.data() + all.size();
}

}  // namespace

TEST_CASE("every operation agrees on its samples between GPU and CPU") {
  on_both both;
  for (const auto* op : all_operations()) {
    if (op->transfer || is_linear_algebra(*op)) continue;
    int number = 0;
    for (const auto& s : op->samples()) {
      CAPTURE(op->name, number++);
      std::vector<tensor> in, moved;
      for (const auto& t : s.inputs) {
        in.push_back(both.numbers_for(t, in.size()));
        moved.push_back(to(in.back(), gpu(0)));
      }
      const auto expected = both.on_cpu([&] { return s.call(in); });
      for (int way = 0; way < 4; ++way) {
        // The first samples of an operation lie in every way, each of the others in one of them.
        if (number > 4 && way != (number + number / 4) % 4) continue;
        CAPTURE(way);
        constexpr tensor (*lies[])(const tensor&) = {[](const tensor& x) { return x; }, turned,
                                                     inside, backwards};
        std::vector<tensor> there;
        for (const auto& x : moved) there.push_back(lies[way](x));
        const auto got = both.on_gpu([&] { return s.call(there); });
        CHECK(got.device() == gpu(0));
        CHECK(same(to(got, cpu(0)), expected));
      }
    }
  }
}

TEST_CASE("elementwise operations agree between GPU and CPU for any layout") {
  on_both both;
  const auto element = GENERATE(from_range(dtypes_to_try()));
  CAPTURE(name(element));
  const auto x = both.random({37, 41}, element), y = both.random({37, 41}, element, 1),
             row = both.random({41}, element, 2), column = both.random({37, 1}, element, 3),
             singles = both.random({37, 41}, float32, 4);
  both.check([&](const auto& at) { return at(x) + at(y); });
  both.check([&](const auto& at) { return at(x) * at(row); });
  both.check([&](const auto& at) { return maximum(at(x), at(column)); });
  both.check([&](const auto& at) { return minimum(transpose(at(x)), transpose(at(y))); });
  both.check([&](const auto& at) { return at(x).slice(0, 1, 36, 2) + at(y).slice(0, 35, 0, -2); });
  both.check([&](const auto& at) { return at(x) + 3; });
  both.check([&](const auto& at) { return greater(at(x), 0.5); });
  both.check([&](const auto& at) { return where(greater(at(x), at(y)), at(row), at(column)); });
  both.check([&](const auto& at) { return where(at(x), 1.5, at(y)); });
  both.check([&](const auto& at) { return at(x) + at(singles); });
  both.check([&](const auto& at) { return clip(at(x), 0, 1); });
  both.check([&](const auto& at) { return abs(at(x).slice(1, 1, 40)); });
  both.check([&](const auto& at) { return copy(transpose(at(x))); });
  for (const auto into : all_dtypes)
    both.check([&](const auto& at) { return astype(transpose(at(x)), into); });
}

TEST_CASE("arithmetic on floats has the CPU's bits on a GPU") {
  on_both both;
  for (const auto element : {float32, float64}) {
    const auto x = both.random({37, 41}, element), y = both.random({37, 41}, element, 1);
    const auto check = [&](const auto& f) {
      const tensor expected = f(x, y), got = to(f(to(x, gpu(0)), to(y, gpu(0))), cpu(0));
      CHECK(got.to_vector<double>() == expected.to_vector<double>());
    };
    check([](const tensor& a, const tensor& b) { return a + b; });
    check([](const tensor& a, const tensor& b) { return a * b - a; });
    check([](const tensor& a, const tensor& b) { return a / b; });
    check([](const tensor& a, const tensor&) { return sqrt(abs(a)); });
    check([](const tensor& a, const tensor& b) { return multiply_add(a, b, a); });
    check([](const tensor& a, const tensor& b) { return logical_or(less(a, b), a > 0.5); });
  }
}

TEST_CASE("casts of values that do not fit agree between GPU and CPU") {
  on_both both;
  const double inf = std::numeric_limits<double>::infinity();
  const auto x = from_data(std::vector<double>{0.5, -0.5, 1e10, -1e10, 1e30, -1e30, inf, -inf,
                                               std::nan(""), 2147483647, -2147483648., 0x1p63},
                           {12}, {.dtype = float64});
  for (const auto from : {float32, float64, float16, bfloat16}) {
    for (const auto into : all_dtypes)
      both.check([&](const auto& at) { return astype(astype(at(x), from), into); });
  }
}

TEST_CASE("reductions agree between GPU and CPU over any axes of any layout") {
  on_both both;
  const auto element = GENERATE(from_range(dtypes_to_try()));
  CAPTURE(name(element));
  for (const auto& dims :
       {shape{7, 300}, {300, 7}, {40, 50, 3}, {1, 70'000}, {70'000, 1}, {2, 3, 1100}, {5}}) {
    CAPTURE(to_string(dims));
    const auto x = both.random(dims, element);
    for (int axis = -1; axis < x.rank(); ++axis) {
      const axes over = axis < 0 ? axes() : axes(axis);
      const std::optional<int> one = axis < 0 ? std::nullopt : std::optional(axis);
      for (const bool turn : {false, true}) {
        const auto lie = [&](const tensor& t) { return turn ? turned(t) : t; };
        both.check([&](const auto& at) { return sum(lie(at(x)), over); });
        both.check([&](const auto& at) { return max(lie(at(x)), over); });
        both.check([&](const auto& at) { return min(lie(at(x)), over); });
        both.check([&](const auto& at) { return any(lie(at(x)), over); });
        both.check([&](const auto& at) { return all(lie(at(x)), over); });
        both.check([&](const auto& at) { return mean(lie(at(x)), over); });
        both.check([&](const auto& at) { return var(lie(at(x)), over); });
        both.check([&](const auto& at) { return norm(lie(at(x)), over); });
        both.check([&](const auto& at) { return logsumexp(lie(at(x)), over); });
        both.check([&](const auto& at) { return argmax(lie(at(x)), one); });
        both.check([&](const auto& at) { return argmin(lie(at(x)), one); });
      }
    }
  }
}

TEST_CASE("NaN and infinities are reduced on a GPU as on the CPU") {
  on_both both;
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const std::vector<std::vector<double>> rows = {{1, nan, 3},    {inf, 1, 2},        {-inf, 1, 2},
                                                 {inf, -inf, 1}, {-inf, -inf, -inf}, {inf, inf, 1}};
  std::vector<double> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  for (const auto element : {float32, float64, float16, bfloat16}) {
    const auto x = from_data(all, {6, 3}, {.dtype = element});
    both.check([&](const auto& at) { return max(at(x), 1); });
    both.check([&](const auto& at) { return min(at(x), 1); });
    both.check([&](const auto& at) { return argmax(at(x), 1); });
    both.check([&](const auto& at) { return argmin(at(x), 1); });
    both.check([&](const auto& at) { return sum(at(x), 1); });
    both.check([&](const auto& at) { return logsumexp(at(x), 1); });
    both.check([&](const auto& at) { return softmax(at(x), 1); });
    both.check([&](const auto& at) { return log_softmax(at(x), 0); });
  }
}

TEST_CASE("sorts and searches agree between GPU and CPU along any axis, ties, zeros and NaN too") {
  on_both both;
  const auto element = GENERATE(from_range(dtypes_to_try()));
  CAPTURE(name(element));
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  std::vector<tensor> inputs;
  for (const auto& dims : {shape{7, 300}, {300, 7}, {4, 50, 3}, {1, 3000}, {300'000}, {2, 1}})
    inputs.push_back(both.random(dims, element));
  if (is_floating(element)) {
    inputs.push_back(
        from_data(std::vector<double>{0., -0., nan, inf, 1, -inf, -nan, 0., -1, -0., 1, nan},
                  {2, 6}, {.dtype = element}));
  }
  for (const auto& x : inputs) {
    CAPTURE(to_string(x.shape()));
    for (int axis = 0; axis < x.rank(); ++axis) {
      for (const bool descending : {false, true}) {
        both.check([&](const auto& at) { return sort(at(x), axis, descending); });
        both.check([&](const auto& at) { return argsort(turned(at(x)), axis, descending); });
      }
      for (const std::int64_t count : {std::int64_t{1}, (x.shape()[axis] + 1) / 2})
        both.check([&](const auto& at) { return topk(at(x), count, axis).indices; });
      both.check([&](const auto& at) { return cumsum(turned(at(x)), axis); });
      both.check([&](const auto& at) { return cummax(at(x), axis); });
      both.check([&](const auto& at) { return cummin(at(x), axis); });
      both.check([&](const auto& at) { return logcumsumexp(at(x), axis); });
    }
    const auto all = sort(x, {});
    for (const auto* side : {"left", "right"}) {
      both.check([&](const auto& at) { return searchsorted(at(all), at(x), side); });
      both.check([&](const auto& at) { return searchsorted(at(all), at(inputs[0]), side); });
    }
  }
}

TEST_CASE("long products of floats agree between GPU and CPU, also where parts of them overflow") {
  on_both both;
  const auto element = GENERATE(float32, float64);
  const double much = element == float32 ? 240 : 2000;
  const auto place = arange(300'000, float64);
  const auto between = [&](double from, double count) {
    return logical_and(place >= from, place < from + count);
  };
  const auto half = logical_or(between(5'000, much), between(100'000, much));
  const auto two = logical_or(between(0, much / 2), between(20'000, much));
  const auto x = astype(where(half, 0.5, where(two, 2., 1.)), element);
  const auto check = [&](const tensor& y) {
    const auto there = to(cumprod(to(y, gpu(0)), 0), cpu(0)), here = cumprod(y, 0);
    return array_equal(there, here, true).item<bool>();
  };
  CHECK(check(x));
  CHECK(check(concatenate({x, x * 0., x})));
  CHECK(check(concatenate({x * -1., full({7}, INFINITY, element), x * 2.})));
  CHECK(check(concatenate({x, full({1}, NAN, element), x})));
}

TEST_CASE("what is composed of sorts agrees between GPU and CPU") {
  on_both both;
  const auto x = astype(both.random({40, 30}, int64), float32), y = both.random({25}, float32, 1);
  both.check([&](const auto& at) { return median(at(x), 1); });
  both.check([&](const auto& at) { return unique(at(x)); });
  both.check([&](const auto& at) { return unique_all(at(x)).inverse_indices; });
  both.check([&](const auto& at) { return unique_counts(at(x)).counts; });
  both.check([&](const auto& at) { return nonzero(at(x))[1]; });
  both.check([&](const auto& at) { return isin(at(x), at(y)); });
  both.check([&](const auto& at) { return histogram(at(x), 7).counts; });
  both.check([&](const auto& at) { return bincount(abs(astype(flatten(at(x)), int64))); });
  both.check([&](const auto& at) { return convolve(flatten(at(x)), at(y), "same"); });
  both.check([&](const auto& at) { return nanvar(at(x), 0); });
}

TEST_CASE("softmax agrees between GPU and CPU along any axis") {
  on_both both;
  const auto element = GENERATE(float32, float64, float16, bfloat16);
  for (const auto& dims : {shape{3, 1000}, {1000, 3}, {2, 5000}, {4, 5, 6}, {1, 20'000}}) {
    CAPTURE(to_string(dims));
    const auto x = both.random(dims, element);
    for (int axis = 0; axis < x.rank(); ++axis) {
      both.check([&](const auto& at) { return softmax(at(x), axis); });
      both.check([&](const auto& at) { return log_softmax(transpose(at(x)), axis); });
    }
  }
}

TEST_CASE("products agree between GPU and CPU") {
  on_both both;
  const auto element = GENERATE(from_range(dtypes_to_try()));
  const auto product = [&](const shape& a, const shape& b, auto left, auto right) {
    const auto x = both.random(a, element), y = both.random(b, element, 1);
    both.check([&](const auto& at) { return matmul(left(at(x)), right(at(y))); });
  };
  const auto same = [](const tensor& x) { return x; };
  const auto swapped = [](const tensor& x) { return swapaxes(x, -1, -2); };
  const auto every_second = [](const tensor& x) {
    return x.slice(-1, 0, x.shape()[x.rank() - 1], 2);
  };
  product({17, 23}, {23, 5}, same, same);
  product({23, 17}, {23, 5}, swapped, same);
  product({17, 23}, {5, 23}, same, swapped);
  product({17, 46}, {23, 10}, every_second, every_second);
  product({23}, {23, 5}, same, same);
  product({17, 23}, {23}, same, same);
  product({4, 17, 23}, {4, 23, 5}, same, same);
  product({4, 23, 17}, {23, 5}, swapped, same);
  product({3, 1, 6, 7}, {2, 7, 5}, same, same);
  product({17, 0}, {0, 5}, same, same);
  product({1, 9}, {9, 1}, same, same);
}

TEST_CASE("products with a bias agree between GPU and CPU for any layout") {
  on_both both;
  const auto element = GENERATE(float32, float64, float16, bfloat16);
  const auto same = [](const tensor& x) { return x; };
  const auto swapped = [](const tensor& x) { return swapaxes(x, -1, -2); };
  const auto every_second = [](const tensor& x) {
    return x.slice(-1, 0, x.shape()[x.rank() - 1], 2);
  };
  const auto but_first = [](const tensor& x) { return x.slice(0, 1, {}); };
  const auto product = [&](const shape& a, const shape& b, std::int64_t outputs, auto left,
                           auto right, auto bias) {
    CAPTURE(to_string(a), to_string(b));
    const auto x = both.random(a, element), y = both.random(b, element, 1),
               z = both.random({outputs}, element, 2);
    both.check([&](const auto& at) { return linear(left(at(x)), right(at(y)), bias(at(z))); });
    both.check([&](const auto& at) { return linear_relu(left(at(x)), right(at(y)), bias(at(z))); });
  };
  product({17, 23}, {23, 5}, 5, same, same, same);
  product({23, 17}, {23, 5}, 5, swapped, same, same);
  product({17, 23}, {5, 23}, 5, same, swapped, same);
  product({23, 17}, {5, 23}, 6, swapped, swapped, but_first);
  product({17, 46}, {23, 10}, 10, every_second, every_second, every_second);
  product({18, 23}, {24, 5}, 6, but_first, but_first, but_first);
  product({23}, {23, 5}, 5, same, same, same);
  product({4, 17, 23}, {23, 5}, 5, same, same, same);
  product({4, 23, 17}, {23, 5}, 5, swapped, same, same);
  product({17, 0}, {0, 5}, 5, same, same, same);
  product({0, 3}, {3, 5}, 5, same, same, same);
  product({3, 4}, {4, 0}, 0, same, same, same);
  product({1, 9}, {9, 1}, 1, same, same, same);
  product({300, 200}, {200, 400}, 400, same, same, same);
}

TEST_CASE("NaN and infinities propagate through products with a bias on a GPU as on the CPU") {
  on_both both;
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const auto element : {float32, float64}) {
    const auto x = ones({4, 8}, element), weight = ones({8, 4}, element),
               bias = from_data(std::vector<double>{nan, inf, -inf, -9}, {4}, {.dtype = element});
    both.check([&](const auto& at) { return linear(at(x), at(weight), at(bias)); });
    both.check([&](const auto& at) { return linear_relu(at(x), at(weight), at(bias)); });
  }
}

TEST_CASE("random numbers agree between GPU and CPU") {
  on_both both;
  for (const std::int64_t n : {1, 15, 16, 17, 63, 64, 65, 1000, 100'003}) {
    CAPTURE(n);
    for (const auto element : {float32, float64, float16, bfloat16}) {
      both.check([&](const auto&) { return uniform({n}, -1, 2, element); });
      both.check([&](const auto&) { return normal({n}, 1, 2, element); });
    }
    for (const auto element : {int32, int64})
      both.check([&](const auto&) { return randint({n}, -5, 1000, element); });
  }
}

TEST_CASE("distributions and choices agree between GPU and CPU") {
  on_both both;
  const shape sizes = {1000, 7};
  const auto scale = abs(both.random({7}, float64)) + 0.1;
  const random_options keyed{.key = random_key(4)};
  both.check([&](const auto&) { return bernoulli(sizes, 0.3); });
  both.check([&](const auto& at) { return exponential(sizes, at(scale)); });
  both.check([&](const auto& at) { return laplace(sizes, 1, at(scale)); });
  both.check([&](const auto& at) { return gumbel(sizes, at(scale)); });
  both.check([&](const auto& at) { return truncated_normal(sizes, -1, at(scale)); });
  both.check([&](const auto& at) { return gamma(sizes, at(scale)); });
  both.check([&](const auto& at) { return beta(sizes, 0.5, at(scale)); });
  both.check([&](const auto& at) { return poisson(sizes, at(scale) * 20); });
  both.check([&](const auto&) { return gamma(sizes, 3, 1, keyed); });
  both.check(
      [&](const auto& at) { return categorical(at(scale), 0, weights_as::probabilities, sizes); });
  both.check([&](const auto& at) { return categorical(at(reshape(scale, {1, 7})), 1); });
  both.check([&](const auto& at) { return choice(at(scale), sizes, {.p = at(scale)}); });
  both.check([&](const auto& at) { return choice(7, {5}, {.replace = false, .p = at(scale)}); });
  both.check([&](const auto& at) { return permutation(at(scale)); });
  both.check([&](const auto&) { return permutation(1000); });
  CHECK_THAT(error_of(gamma({2}, to(from_data(std::vector<double>{1, -2}), gpu(0)))),
             Catch::Contains("gamma: -2 is no concentration"));
}

TEST_CASE("take, concatenate and scatter agree between GPU and CPU") {
  on_both both;
  const auto element = GENERATE(from_range(dtypes_to_try()));
  const auto x = both.random({20, 30}, element), y = both.random({20, 7}, element, 1);
  const auto rows = randint({50}, -20, 20), columns = randint({3, 4}, 0, 30, int32);
  both.check([&](const auto& at) { return take(at(x), at(rows), 0); });
  both.check([&](const auto& at) { return take(transpose(at(x)), at(rows), 1); });
  both.check([&](const auto& at) { return take(at(x), at(columns), 1); });
  both.check([&](const auto& at) { return concatenate({at(x), at(y), at(x)}, 1); });
  both.check([&](const auto& at) { return concatenate({transpose(at(x)), transpose(at(y))}, 0); });
  const auto each = randint({20, 30}, -30, 30);
  both.check([&](const auto& at) { return take_along_axis(at(x), at(each), 1); });
  if (!is_floating(element)) return;
  const auto slices = both.random({50, 30}, element, 2);
  both.check([&](const auto& at) { return index_add(at(slices), at(rows), 0, 20); });
  both.check([&](const auto& at) { return add_along_axis(at(x), at(each), 1, 30); });
}

TEST_CASE("convolutions, pools and their gradients agree between GPU and CPU") {
  on_both both;
  const auto element = GENERATE(float32, float64, float16, bfloat16);
  const auto x = both.random({5, 4, 13, 11}, element), w = both.random({6, 2, 3, 3}, element, 1),
             bias = both.random({6}, element, 2);
  for (const auto& options : {conv2d_options{.groups = 2},
                              {.stride = 2, .padding = 1, .groups = 2},
                              {.padding = {0, 2}, .dilation = {2, 1}, .groups = 2}}) {
    both.check([&](const auto& at) { return conv2d(at(x), at(w), at(bias), options); });
    const auto y = conv2d(x, w, options);
    both.check([&](const auto& at) {
      return conv2d_input_gradient(at(y), at(w), {13, 11}, options);
    });
    both.check([&](const auto& at) {
      return conv2d_weight_gradient(at(x), at(y), {3, 3}, options);
    });
  }
  for (const auto& options : {pool2d_options{2}, {.size = 3, .stride = 2, .padding = 1}}) {
    both.check([&](const auto& at) { return max_pool2d(at(x), options); });
    both.check([&](const auto& at) { return avg_pool2d(at(x), options); });
  }
}

TEST_CASE("a bad index on a GPU fails its value with the CPU's message") {
  on_both both;
  const auto x = to(both.random({4, 5}, float32), gpu(0));
  const auto bad = to(from_data(std::vector<std::int64_t>{1, 7}, {2}), gpu(0));
  CHECK_THAT(error_of(take(x, bad, 0)), Catch::Contains("take: index 7 is out of bounds for axis 0 "
                                                        "with size 4"));
  CHECK_THAT(error_of(take(x, bad, 0) + 1), Catch::Contains("index 7 is out of bounds"));
  CHECK_FALSE(error_of(take(x, bad, 1)).empty());
  CHECK(error_of(x + 1).empty());
}

TEST_CASE("operations on empty arrays give empty arrays on a GPU") {
  on_both both;
  const auto x = both.random({0, 3}, float32);
  both.check([&](const auto& at) { return at(x) + 1; });
  both.check([&](const auto& at) { return sum(at(x), 0); });
  both.check([&](const auto& at) { return sum(at(x), 1); });
  both.check([&](const auto& at) { return mean(at(x)); });
  both.check([&](const auto& at) { return softmax(at(x)); });
  both.check([&](const auto& at) { return copy(transpose(at(x))); });
  both.check([&](const auto& at) { return astype(at(x), int64); });
}

TEST_CASE("a user's own code runs on the kind of device that it is written for") {
  on_both both;
  const auto here = both.random({3}, float32), there = to(here, gpu(0));
  const auto computing = [](const inputs&, outputs&) {};
  const auto launching = [](const inputs&, outputs&, const gpu_stream&) {};
  CHECK_THROWS_WITH(
      call("mine", {there}, {float32, {3}}, computing),
      Catch::Contains("mine: C++ code runs on this machine's CPU devices, not on gpu:0"));
  CHECK_THROWS_WITH(call("mine", {here}, {float32, {3}}, launching),
                    Catch::Contains("mine: CUDA kernels run on GPUs, not on cpu:0"));
  CHECK_THAT(error_of(call("mine", {there}, {float32, {3}}, launching)),
             Catch::Contains("mine: output 0 is float32[3] and was not written"));
  CHECK_THROWS_WITH(effect("mine", {there}, [](const inputs&) {}), Catch::Contains("not on gpu:0"));
}

TEST_CASE("an operation whose kernel runs on lanes alone is refused on a GPU") {
  on_both both;
  static constexpr kernel on_lanes{.run = [](const kernel_args&, std::int64_t, std::int64_t) {}};
  static constexpr operation on_hosts{
      .name = "on_hosts", .doc = "For this test.", .kernel = [](const task&, const kernel_table&) {
        return &on_lanes;
      }};
  const auto x = to(both.random({3}, float32), gpu(0));
  CHECK_THROWS_WITH(make("on_hosts", on_hosts, x.type(), {}, {}),
                    Catch::Contains("on_hosts: not possible on gpu:0 for float32[3]"));
}
