// SPDX-License-Identifier: MIT
#include <functional>
#include <string>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jacobian.hpp"
#include "troupe/tensor/batching/vmap.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/distributions.hpp"
#include "troupe/tensor/ops/einsum.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/grids.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/products.hpp"
#include "troupe/tensor/ops/put.hpp"
#include "troupe/tensor/ops/quantiles.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/ops/selection.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

struct raising_call {
  std::string begins;  ///< of the message
  std::function<void(const tensor& x)> run;
};

/// Calls that would add a ninth axis to an array of eight.
std::vector<raising_call> raising_calls() {
  const tensor yes(true), place(0), matrix = zeros({1, 1}, int64), cube = zeros({1, 1, 1}, int64);
  const std::vector<double> two{0.25, 0.75};
  const std::vector<std::int64_t> nine(9, 1);
  return {
      {"expand_dims: float64[2,", [](const tensor& x) { expand_dims(x, 0); }},
      {"index: more axes than the 8", [](const tensor& x) { x[newaxis]; }},
      {"index: more axes than the 8", [](const tensor& x) { x(0, newaxis, newaxis); }},
      {"index: more axes than the 8", [=](const tensor& x) { x[yes]; }},
      {"index: more axes than the 8", [=](const tensor& x) { x(yes, yes); }},
      {"index: more axes than the 8", [=](const tensor& x) { x[matrix]; }},
      {"index: more axes than the 8", [=](const tensor& x) { x(every, cube, place); }},
      {"index: more axes than the 8", [=](const tensor& x) { (void)x.at(yes, yes).add(1); }},
      {"index: more axes than the 8", [=](const tensor& x) { (void)x.at(matrix).add(1); }},
      {"stack: float64[2,",
       [](const tensor& x) {
         stack({x, x});
       }},
      {"multivariate_normal: does not broadcast to [2,1,1,1,1,1,1,1]: ",
       [](const tensor& x) { multivariate_normal(x.shape(), zeros({2}), eye(2)); }},
      {"one_hot: int64[2,", [](const tensor& x) { one_hot(astype(x, int64), 2); }},
      {"take: too many axes", [=](const tensor& x) { take(x, matrix, 0); }},
      {"index_add: too many axes", [=](const tensor& x) { index_add(x, place, 0, 3); }},
      {"put: not a slice for each", [=](const tensor& x) { put(put_op::set, x, matrix, x, 0); }},
      {"tensordot: too many axes", [](const tensor& x) { tensordot(x, ones({2}, float64), 0); }},
      {"inner: too many axes",
       [](const tensor& x) {
         inner(x, ones({2, 2, 1}, float64));
       }},
      {"dot: more than 8 axes",
       [](const tensor& x) {
         dot(x, ones({2, 1, 3}, float64));
       }},
      {"einsum: ",
       [](const tensor& x) {
         einsum("abcdefgh,i->abcdefghi", {x, ones({2}, float64)});
       }},
      {"quantile: with one for each q", [=](const tensor& x) { quantile(x, two, 0, keepdims); }},
      {"percentile: with one for each q",
       [=](const tensor& x) { percentile(x, two, {}, keepdims); }},
      {"tile: 9 counts", [=](const tensor& x) { tile(x, std::span<const std::int64_t>(nine)); }},
      {"meshgrid: 9 coordinates",
       [](const tensor&) { meshgrid(std::vector<tensor>(9, ones({1}))); }},
      {"unflatten: float64[2,1,1,1,1,1,1,1] to 9 axes; at most 8 are possible",
       [](const tensor& x) {
         unflatten(x, 0, {2, 1});
       }},
      {"reshape: float64[2,1,1,1,1,1,1,1] to 9 axes; at most 8 are possible",
       [=](const tensor& x) {
         reshape(x, {2, 1, 1, 1, 1, 1, 1, 1, 1});
       }},
      {"jacobian: the derivatives",
       [](const tensor& x) { jacobian([](const tensor& y) { return y; })(x); }},
      {"vmap: the function gives",
       [](const tensor& x) { vmap([](const tensor& y) { return expand_dims(y, 0); })(x); }},
      {"shape: [1,1,1,1,1,1,1,1,1] has 9 axes", [=](const tensor&) { zeros(nine); }},
      {"shape: ", [=](const tensor& x) { broadcast_to(x, nine); }},
      {"shape: ", [=](const tensor& x) { as_strided(x, nine, nine); }},
      {"shape: ",
       [=](const tensor& x) {
         call("nine", {x}, {float32, nine}, [](const inputs&, outputs&) {});
       }},
  };
}

std::string first_line_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const error& e) { return e.what(); }
  return "nothing";
}

}  // namespace

TEST_CASE("what would add a ninth axis is refused in one line that names the operation") {
  test_engine e;
  const auto x = reshape(arange(2, float64), {2, 1, 1, 1, 1, 1, 1, 1});
  for (const auto& one : raising_calls()) {
    const auto found = first_line_of([&] { one.run(x); });
    CAPTURE(one.begins);
    CHECK(found.substr(0, one.begins.size()) == one.begins);
    CHECK(found.find("rank_test.cpp:") != std::string::npos);
    CHECK(found.find('\n') == std::string::npos);
  }
  shape full_of_axes = x.shape();
  CHECK_THROWS_AS(full_of_axes.push_back(1), std::length_error);
}

TEST_CASE("eight axes are possible wherever they came from") {
  test_engine e;
  const auto x = reshape(arange(2, float64), {2, 1, 1, 1, 1, 1, 1, 1});
  const tensor yes(true);
  CHECK(x.at(yes).set(7).to_vector<double>() == std::vector<double>{7, 7});
  CHECK(x[0][yes].shape() == shape{1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(x(0, newaxis).shape() == x[range{0, 1}].shape());
  CHECK(kron(x, x).shape() == shape{4, 1, 1, 1, 1, 1, 1, 1});
  CHECK(matmul(ones({1}, float64), x).rank() == 7);
  CHECK(quantile(x, std::vector<double>{0, 1}, 0).rank() == 8);
  CHECK(tensordot(x, x, 8).rank() == 0);
  CHECK(einsum("abcdefgh,abcdefgh->a", {x, x}).to_vector<double>() == std::vector<double>{0, 1});
  CHECK(outer(x, x).shape() == shape{2, 2});
  const auto whole = vmap([](const tensor& y) { return sum(expand_dims(y, 0) * 2.0); })(x);
  CHECK(whole.to_vector<double>() == std::vector<double>{0, 2});
  const auto sorted = vmap([](const tensor& y) {
    return sum(tile(cumsum(expand_dims(y, 0), 0), {3, 1, 1, 1, 1, 1, 1, 1}));
  });
  CHECK(sorted(x).to_vector<double>() == std::vector<double>{0, 3});
  const auto slopes = grad([&](const tensor& y) { return sum(kron(y, y) * 1.0); })(x);
  CHECK(slopes.shape() == x.shape());
}

}  // namespace troupe::testing
