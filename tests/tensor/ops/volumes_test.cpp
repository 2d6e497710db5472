// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/volumes.hpp"

#include <limits>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

/// Returns whole numbers, so that sums are exact in any order.
tensor volume(const shape& sizes) {
  list v;
  for (std::int64_t i = 0; i < sizes.size(); ++i) v.push_back(static_cast<double>(i * 7 % 11) - 5);
  return from_data(v, sizes);
}

/// Elements of a volume, with 0 or nothing around it.
class elements {
 public:
  explicit elements(const tensor& x) : sizes_(x.shape()), all_(x.to_vector<double>()) {}

  const shape& sizes() const noexcept { return sizes_; }
  /// Returns the element, or `outside` for a place beyond the volume.
  double at(std::int64_t n, std::int64_t c, std::int64_t d, std::int64_t h, std::int64_t w,
            double outside = 0) const {
    if (d < 0 || d >= sizes_[2] || h < 0 || h >= sizes_[3] || w < 0 || w >= sizes_[4])
      return outside;
    return all_[static_cast<std::size_t>(
        (((n * sizes_[1] + c) * sizes_[2] + d) * sizes_[3] + h) * sizes_[4] + w)];
  }

 private:
  shape sizes_;
  list all_;
};

template <class F>
void for_each_place(const shape& s, const F& f) {
  for (std::int64_t n = 0; n < s[0]; ++n) {
    for (std::int64_t c = 0; c < s[1]; ++c) {
      for (std::int64_t d = 0; d < s[2]; ++d) {
        for (std::int64_t h = 0; h < s[3]; ++h) {
          for (std::int64_t w = 0; w < s[4]; ++w) f(n, c, d, h, w);
        }
      }
    }
  }
}

/// Checks a convolution against its definition.
void check_convolution_of(const tensor& x, const tensor& weight, const conv3d_options& o) {
  const auto found = conv3d(x, weight, o);
  const elements of(x), kernels(weight), y(found);
  const auto channels = weight.shape()[1], filters = weight.shape()[0] / o.groups;
  for_each_place(found.shape(), [&](auto n, auto out, auto d, auto h, auto w) {
    double want = 0;
    for_each_place({1, channels, weight.shape()[2], weight.shape()[3], weight.shape()[4]},
                   [&](auto, auto c, auto i, auto j, auto k) {
                     want += kernels.at(out, c, i, j, k) *
                             of.at(n, out / filters * channels + c,
                                   d * o.stride[0] + i * o.dilation[0] - o.padding[0],
                                   h * o.stride[1] + j * o.dilation[1] - o.padding[1],
                                   w * o.stride[2] + k * o.dilation[2] - o.padding[2]);
                   });
    CAPTURE(n, out, d, h, w);
    REQUIRE(y.at(n, out, d, h, w) == want);
  });
}

}  // namespace

TEST_CASE("a convolution of volumes follows its definition") {
  test_engine e;
  const auto x = volume({2, 4, 5, 4, 6});
  CHECK(type_text(conv3d(x, volume({3, 4, 2, 3, 3}))) == "float64[2,3,4,2,4]");
  check_convolution_of(x, volume({3, 4, 2, 3, 3}), {});
  check_convolution_of(x, volume({6, 2, 3, 2, 1}),
                       {.stride = {2, 1, 3}, .padding = {1, 0, 2}, .groups = 2});
  check_convolution_of(x, volume({2, 4, 2, 2, 3}), {.padding = 1, .dilation = {3, 2, 2}});
  check_convolution_of(x, volume({4, 1, 5, 4, 6}), {.groups = 4});
  CHECK(type_text(conv3d(zeros({0, 1, 2, 2, 2}), ones({1, 1, 2, 2, 2}))) == "float32[0,1,1,1,1]");
}

TEST_CASE("a convolution of volumes takes a bias") {
  test_engine e;
  const auto x = volume({1, 2, 3, 3, 3}), w = volume({2, 2, 2, 2, 2});
  const tensor bias = {0.5, -3.};
  CHECK(numbers(conv3d(x, w, bias, {.stride = 2})) ==
        numbers(conv3d(x, w, {.stride = 2}) + bias.reshape({2, 1, 1, 1})));
}

TEST_CASE("pools of volumes follow their definition") {
  test_engine e;
  const auto x = volume({2, 3, 5, 6, 4});
  const elements of(x);
  const pool3d_options o{.size = {3, 2, 2}, .stride = {2, 3, 1}, .padding = {1, 0, 1}};
  const auto greatest = max_pool3d(x, o), mean = avg_pool3d(x, o);
  CHECK(type_text(greatest) == "float64[2,3,3,2,5]");
  const elements tops(greatest), means(mean);
  for_each_place(greatest.shape(), [&](auto n, auto c, auto d, auto h, auto w) {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for_each_place({1, 1, 3, 2, 2}, [&](auto, auto, auto i, auto j, auto k) {
      const auto read = [&](double outside) {
        return of.at(n, c, d * 2 + i - 1, h * 3 + j, w + k - 1, outside);
      };
      most = std::max(most, read(most));
      sum += read(0);
    });
    CAPTURE(n, c, d, h, w);
    REQUIRE(tops.at(n, c, d, h, w) == most);
    REQUIRE(near(means.at(n, c, d, h, w), sum / 12, 1e-14));
  });
  CHECK(type_text(max_pool3d(x, {2})) == "float64[2,3,2,3,2]");
}

TEST_CASE("gradients flow through convolutions and pools of volumes") {
  test_engine e;
  const auto x = distinct({1, 2, 3, 3, 2}), w = distinct({2, 1, 2, 2, 1});
  const conv3d_options how{.stride = {1, 2, 1}, .padding = {1, 1, 0}, .groups = 2};
  check_gradient([&](const tensor& at) { return conv3d(at, w, how); }, x);
  check_gradient([&](const tensor& at) { return conv3d(x, at, how); }, w);
  check_gradient([](const tensor& at) { return max_pool3d(at, {.size = 2, .stride = 1}); }, x);
  check_gradient([](const tensor& at) { return avg_pool3d(at, {.size = 2, .padding = 1}); }, x);
}

TEST_CASE("the gradient of a greatest of equal ones in a volume goes to the first") {
  test_engine e;
  const auto found =
      grad([](const tensor& x) { return sum(max_pool3d(x, {2})); })(ones({1, 1, 2, 2, 2}));
  CHECK(numbers(found) == list{1, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("convolutions and pools of volumes that do not fit are refused at the call") {
  test_engine e;
  const auto x = zeros({1, 2, 3, 3, 3}), w = zeros({4, 2, 2, 2, 2});
  CHECK(TROUPE_ERROR_OF(conv3d(zeros({2, 3}), w)) ==
        "conv3d: not 5 axes: float32[2,3] and float32[4,2,2,2,2]");
  CHECK(TROUPE_ERROR_OF(conv3d(zeros({1, 2, 3, 3, 3}, int32), w)) ==
        "conv3d: not of floating numbers: int32[1,2,3,3,3] and float32[4,2,2,2,2]");
  CHECK(TROUPE_ERROR_OF(conv3d(x, zeros({4, 3, 2, 2, 2}))) ==
        "conv3d: 2 channels, but kernels for 3: float32[1,2,3,3,3] and float32[4,3,2,2,2]");
  CHECK(TROUPE_ERROR_OF(conv3d(x, zeros({4, 2, 4, 2, 2}))) ==
        "conv3d: the kernel is larger than the padded input: float32[1,2,3,3,3] and "
        "float32[4,2,4,2,2]");
  CHECK(TROUPE_ERROR_OF(conv3d(x, w, {.stride = {1, 0, 1}})) ==
        "conv3d: a stride of 0: float32[1,2,3,3,3] and float32[4,2,2,2,2]");
  CHECK(TROUPE_ERROR_OF(conv3d(x, w, {.groups = 0})) ==
        "conv3d: 0 groups: float32[1,2,3,3,3] and float32[4,2,2,2,2]");
  CHECK(TROUPE_ERROR_OF(conv3d(x, w, {.groups = 3})) ==
        "conv3d: 2 channels in 3 groups: float32[1,2,3,3,3] and float32[4,2,2,2,2]");
  CHECK(TROUPE_ERROR_OF(conv3d(x, zeros({4, 2, 0, 2, 2}))) ==
        "conv3d: a size of 0: float32[1,2,3,3,3] and float32[4,2,0,2,2]");
  CHECK(TROUPE_ERROR_OF(max_pool3d(x, {4})) ==
        "max_pool3d: the window is larger than the padded input: float32[1,2,3,3,3]");
  CHECK(TROUPE_ERROR_OF(avg_pool3d(x, {.size = 2, .padding = {0, 2, 0}})) ==
        "avg_pool3d: a padding of 2, more than half of the window: float32[1,2,3,3,3]");
  CHECK(TROUPE_ERROR_OF(max_pool3d(tensor{}, {2})) == "max_pool3d: the input names no array yet");
}

}  // namespace troupe::testing
