// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>

#include "troupe/devices/cuda/cudnn_shapes.hpp"
#include "troupe/devices/cuda/plan_cache.hpp"
#include "troupe/tensor/ops/convolution_gradients.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/devices/cuda/cudnn_on_host.hpp"
#include "troupe/tests/devices/cuda/on_both.hpp"

using namespace troupe;
using namespace troupe::testing;
using cuda::convolution_pass;
using cuda::cudnn_shape;
using cuda::pool_kind;

namespace {

/// Scope in which the substitute for cuDNN behaves as given.
class behave {
 public:
  explicit behave(cudnn_behaviour so) {
    cudnn_on_host = so;
    done_by_cudnn = 0;
  }
  behave(const behave&) = delete;
  behave& operator=(const behave&) = delete;
  ~behave() { cudnn_on_host = cudnn_behaviour::absent; }
};

/// Returns the same elements in another memory order.
tensor column_major(const tensor& x) { return transpose(copy(transpose(x))); }

/// Returns the same elements at an address that is no multiple of 16.
tensor shifted(const tensor& x) {
  const auto flat = reshape(x, {x.size()});
  return reshape(concatenate({flat.slice(0, 0, 1), flat}, 0).slice(0, 1, x.size() + 1), x.shape());
}

struct four {
  std::int64_t shape[4], strides[4];
  four(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w)
      : shape{n, c, h, w}, strides{c * h * w, h * w, w, 1} {}
  operator array() const { return {nullptr, float32, 4, shape, strides}; }
};

}  // namespace

TEST_CASE("convolutions by cuDNN, and those that it refuses at launch, agree with the CPU") {
  const auto so = GENERATE(cudnn_behaviour::working, cudnn_behaviour::refusing_at_launch);
  const auto element = GENERATE(float32, float64);
  const behave now(so);
  on_both both;
  const auto x = both.random({3, 4, 9, 7}, element), w = both.random({6, 2, 3, 3}, element, 1),
             bias = both.random({6}, element, 2);
  int convolutions = 0;
  for (const auto& options : {conv2d_options{.groups = 2},
                              {.stride = 2, .padding = 1, .groups = 2},
                              {.padding = {0, 2}, .dilation = {2, 1}, .groups = 2}}) {
    const auto y = conv2d(x, w, options);
    for (const auto lie : {+[](const tensor& t) { return t; }, column_major, shifted}) {
      both.check([&](const auto& at) { return conv2d(lie(at(x)), lie(at(w)), options); });
      both.check([&](const auto& at) { return conv2d(at(x), at(w), lie(at(bias)), options); });
      both.check([&](const auto& at) {
        return conv2d_input_gradient(lie(at(y)), lie(at(w)), {9, 7}, options);
      });
      both.check([&](const auto& at) {
        return conv2d_weight_gradient(lie(at(x)), lie(at(y)), {3, 3}, options);
      });
      convolutions += 4;
    }
  }
  CHECK(done_by_cudnn == (so == cudnn_behaviour::working ? convolutions : 0));
}

TEST_CASE("pools by cuDNN, and those that it refuses, agree with the CPU") {
  const auto so = GENERATE(cudnn_behaviour::working, cudnn_behaviour::refusing_at_launch);
  const auto element = GENERATE(float32, float64);
  const behave now(so);
  on_both both;
  const auto x = both.random({2, 3, 9, 7}, element);
  for (const auto& options : {pool2d_options{2}, {.size = 3, .stride = 2, .padding = 1}}) {
    both.check([&](const auto& at) { return max_pool2d(at(x), options); });
    both.check([&](const auto& at) { return avg_pool2d(at(x), options); });
  }
  CHECK(done_by_cudnn == (so == cudnn_behaviour::working ? 4 : 0));
  both.check([&](const auto& at) { return max_pool2d(shifted(at(x)), {2}); });
  CHECK(done_by_cudnn == (so == cudnn_behaviour::working ? 4 : 0));  // not at an unaligned address
}

TEST_CASE("samples of convolutions and pools with cuDNN agree with the CPU") {
  const behave now(cudnn_behaviour::working);
  on_both both;
  for (const auto* op :
       {&conv2d_operation, &conv2d_input_gradient_operation, &conv2d_weight_gradient_operation,
        &max_pool2d_operation, &avg_pool2d_operation}) {
    for (const auto& s : op->samples()) {
      CAPTURE(op->name);
      std::vector<tensor> in;
      for (const auto& t : s.inputs) in.push_back(both.numbers_for(t, in.size()));
      both.check([&](const auto& at) {
        std::vector<tensor> there;
        for (const auto& one : in) there.push_back(at(one));
        return s.call(there);
      });
    }
  }
  CHECK(done_by_cudnn > 20);
}

TEST_CASE("cuDNN receives a convolution's exact sizes and movements") {
  const convolution_attributes given{{2, 3}, {1, 0}, {4, 5}, 2};
  const four images(7, 4, 30, 40), weights(6, 2, 3, 2), results(7, 6, 12, 12);
  const auto told = cudnn_shape(convolution_pass::images, given, images, weights, results);
  REQUIRE(told);
  CHECK(told->pass == convolution_pass::images);
  CHECK(std::ranges::equal(told->images, std::vector{7, 4, 30, 40}));
  CHECK(std::ranges::equal(told->weights, std::vector{6, 2, 3, 2}));
  CHECK(std::ranges::equal(told->results, std::vector{7, 6, 12, 12}));
  CHECK(std::ranges::equal(told->stride, std::vector{2, 3}));
  CHECK(std::ranges::equal(told->padding, std::vector{1, 0}));
  CHECK(std::ranges::equal(told->dilation, std::vector{4, 5}));
  CHECK(told->groups == 2);
  const auto other = cudnn_shape(convolution_pass::weights, given, images, weights, results);
  CHECK_FALSE(*told == *other);
}

TEST_CASE("arrays without elements or with sizes beyond 32 bits do not go to cuDNN") {
  const convolution_attributes plain{{1, 1}, {0, 0}, {1, 1}, 1};
  const auto told = [&](const four& images, const four& weights, const four& results,
                        const convolution_attributes& given) {
    return cudnn_shape(convolution_pass::results, given, images, weights, results).has_value();
  };
  CHECK(told({1, 1, 5, 5}, {1, 1, 1, 1}, {1, 1, 5, 5}, plain));
  CHECK_FALSE(told({0, 1, 5, 5}, {1, 1, 1, 1}, {0, 1, 5, 5}, plain));
  CHECK_FALSE(told({1, 0, 5, 5}, {1, 0, 1, 1}, {1, 1, 5, 5}, plain));
  CHECK_FALSE(
      told({1 << 16, 1, 1 << 8, 1 << 8}, {1, 1, 1, 1}, {1 << 16, 1, 1 << 8, 1 << 8}, plain));
  const std::int64_t far = std::int64_t{1} << 31;
  CHECK_FALSE(told({1, 1, 5, 5}, {1, 1, 1, 1}, {1, 1, 1, 1}, {{far, far}, {0, 0}, {1, 1}, 1}));
  const four images(2, 3, 8, 8), results(2, 3, 4, 4), none(0, 3, 8, 8);
  CHECK(cudnn_shape(pool_kind::mean, {{2, 2}, {2, 2}, {0, 0}}, images, results));
  CHECK_FALSE(cudnn_shape(pool_kind::mean, {{2, 2}, {far, 2}, {0, 0}}, images, results));
  CHECK_FALSE(cudnn_shape(pool_kind::mean, {{2, 2}, {2, 2}, {0, 0}}, none, none));
}

TEST_CASE("a plan is made once, and a refused plan is not tried again") {
  struct plan {
    int number;
    plan(int& made, int key) : number(key) {
      ++made;
      if (key < 0) throw std::runtime_error("refused");
    }
  };
  cuda::plan_cache<int, plan> plans;
  int made = 0;
  CHECK(plans.find(3, made)->number == 3);
  CHECK(plans.find(3, made)->number == 3);
  CHECK(made == 1);
  CHECK_FALSE(plans.find(-1, made));
  CHECK_FALSE(plans.find(-1, made));
  CHECK(made == 2);
  plans.refuse(3);
  CHECK_FALSE(plans.find(3, made));
  CHECK(made == 2);
}

TEST_CASE("plans of ever-changing shapes do not accumulate") {
  struct plan {
    std::shared_ptr<int> held;
    plan(const std::shared_ptr<int>& one, std::size_t) : held(one) {}
  };
  const auto held = std::make_shared<int>();
  cuda::plan_cache<std::size_t, plan> plans;
  for (std::size_t key = 0; key < 5 * plans.most; ++key) CHECK(plans.find(key, held));
  CHECK(static_cast<std::size_t>(held.use_count()) <= plans.most + 1);
}
