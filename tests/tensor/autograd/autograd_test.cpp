// SPDX-License-Identifier: MIT
#include <limits>

#include "troupe/tensor/autograd/checkpoint.hpp"
#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

tensor variable(const list& values) {
  tensor x = from_data(values, {static_cast<std::int64_t>(values.size())}, {.dtype = float64});
  return x.attach_grad();
}

}  // namespace

TEST_CASE("backward adds to the gradients of the inputs of a recorded result") {
  test_engine e;
  const auto x = variable({1, 2, 3}), y = variable({4, 5, 6});
  tensor loss;
  {
    const recording on;
    loss = sum(x * y + x);
  }
  loss.backward();
  CHECK(numbers(x.grad()) == list{5, 6, 7});
  CHECK(numbers(y.grad()) == list{1, 2, 3});
}

TEST_CASE("gradients add up until they are set to zero") {
  test_engine e;
  const auto x = variable({1, 2});
  for (int i = 1; i <= 3; ++i) {
    const recording on;
    sum(x * x).backward();
    CHECK(numbers(x.grad()) == list{2. * i, 4. * i});
  }
  x.zero_grad();
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("a tensor used several times gets the sum of the gradients of each use") {
  test_engine e;
  const auto x = variable({2});
  tensor y;
  {
    const recording on;
    const auto a = x * x, b = a * x;
    y = sum(a + b * a + x);
  }
  y.backward();  // x^2 + x^5 + x
  CHECK(numbers(x.grad()) == list{2 * 2. + 5 * 16. + 1});
}

TEST_CASE("nothing is recorded outside a recording, under no_grad, or from constants") {
  test_engine e;
  const auto x = variable({1, 2});
  CHECK_FALSE((x * x).node());
  const recording on;
  CHECK((x * x).node());
  {
    const no_grad off;
    CHECK_FALSE((x * x).node());
  }
  CHECK((x * x).node());
  CHECK_FALSE((x.detach() * 2).node());
  CHECK_FALSE((ones({2}) * 2).node());
  CHECK_FALSE(floor(x).node());
  CHECK_FALSE(greater(x, 0).node());
  CHECK_FALSE(x.astype(int64).node());
}

TEST_CASE("gradients flow through views to the array they show") {
  test_engine e;
  tensor x = arange(12, float64).reshape({3, 4}).copy();
  x.attach_grad();
  const recording on;
  const auto flow = [&](const tensor& y) {
    x.zero_grad();
    backward(y, {.seed = arange(y.size(), float64).reshape(y.shape())});
    return numbers(x.grad());
  };
  CHECK(flow(x.T()) == list{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11});
  CHECK(flow(x.reshape({2, 6})) == list{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(flow(x.T().reshape({12})) == list{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11});
  CHECK(flow(x[1]) == list{0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0});
  CHECK(flow(x(every, range{3, 0, -2})) == list{0, 1, 0, 0, 0, 3, 0, 2, 0, 5, 0, 4});
  CHECK(flow(x.broadcast_to({2, 3, 4})) == list{12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34});
  CHECK(flow(x(range{0, 0})) == list(12, 0.));
  CHECK(flow(x.expand_dims(1) + zeros({5, 1}, float64))[0] == 0 + 4 + 8 + 12 + 16);
}

TEST_CASE("gradients are right for one input used twice, and for inputs of several dtypes") {
  test_engine e;
  tensor x = tensor({1.f, 2.f});
  x.attach_grad();
  const recording on;
  sum(multiply(x, x)).backward();
  CHECK(type_text(x.grad()) == "float32[2]");
  CHECK(numbers(x.grad()) == list{2, 4});
  x.zero_grad();
  sum(x * arange(2) * tensor({0.5, 0.25})).backward();
  CHECK(type_text(x.grad()) == "float32[2]");
  CHECK(numbers(x.grad()) == list{0, 0.25});
}

TEST_CASE("functions can be differentiated, and so can their gradients") {
  test_engine e;
  auto cube = [](const tensor& x) { return sum(x * x * x); };
  const tensor x = {1., 2., -1.};
  CHECK(numbers(grad(cube)(x)) == list{3, 12, 3});
  const auto [value, slope] = value_and_grad(cube)(x);
  CHECK(value.item<double>() == 8);
  CHECK_FALSE(value.node());
  CHECK(numbers(slope) == list{3, 12, 3});
  auto second = grad([&](const tensor& t) { return sum(grad(cube)(t)); });
  CHECK(numbers(second(x)) == list{6, 12, -6});
  auto third = grad([&](const tensor& t) { return sum(second(t)); });
  CHECK(numbers(third(x)) == list{6, 6, 6});
}

TEST_CASE("a gradient in a recording is recorded with it") {
  test_engine e;
  const auto x = variable({3});
  tensor loss;
  {
    const recording on;
    const auto slope = grad([](const tensor& t) { return sum(exp(t * 2.)); })(x * x);
    loss = sum(slope);  // 2 exp(2 x^2), whose slope is 8 x exp(2 x^2)
  }
  loss.backward();
  CHECK(x.grad().item<double>() == Approx(24 * std::exp(18.)));
}

TEST_CASE("functions of several tensors have a gradient for each, zeros for unused ones") {
  test_engine e;
  auto f = [](const std::vector<tensor>& in) { return sum(in[0] * in[1]); };
  const auto found = grad(f)({tensor({1., 2.}), tensor({3., 4.}), tensor({5.})});
  CHECK(numbers(found[0]) == list{3, 4});
  CHECK(numbers(found[1]) == list{1, 2});
  CHECK(numbers(found[2]) == list{0});
  const auto [value, products] = vjp([](const std::vector<tensor>& in) { return in[0] * 2.; },
                                     {tensor({1., 2.})}, tensor({10., 20.}));
  CHECK(numbers(value) == list{2, 4});
  CHECK(numbers(products[0]) == list{20, 40});
}

TEST_CASE("functions that do not depend on their argument have a gradient of zeros") {
  test_engine e;
  const auto next = [](const tensor& v) { return v + 1.; };
  CHECK(numbers(grad(grad(next))(tensor(2.))) == list{0});
  CHECK(numbers(grad([](const tensor&) { return tensor(3.); })(tensor(2.))) == list{0});
  CHECK(numbers(grad([](const tensor& v) { return sum(sign(v)); })(tensor{1., -2.})) == list{0, 0});
  const auto above = [](const tensor& v) { return sum((v > 1.).astype(float64)); };
  CHECK(numbers(grad(above)(tensor{1., 2.})) == list{0, 0});
  const auto [value, products] = vjp(
      [](const tensor&) {
        return tensor{5., 6.};
      },
      tensor{1., 2., 3.}, tensor{1., 1.});
  CHECK(numbers(value) == list{5, 6});
  CHECK(numbers(products) == list{0, 0, 0});
}

TEST_CASE("logaddexp has its gradients at infinities and where both are equal") {
  test_engine e;
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto f = [](const std::vector<tensor>& in) { return sum(logaddexp(in[0], in[1])); };
  const auto g =
      grad(f)({tensor{inf, 0., inf, -inf, -inf, 0.}, tensor{0., inf, inf, -inf, 0., 0.}});
  CHECK(numbers(g[0]) == list{1, 0, 0.5, 0.5, 0, 0.5});
  CHECK(numbers(g[1]) == list{0, 1, 0.5, 0.5, 1, 0.5});
  const auto slope = [](const tensor& v) {
    return sum(grad([](const tensor& u) { return sum(logaddexp(u, tensor(0.))); })(v));
  };
  CHECK(numbers(grad(slope)(tensor{0., inf, -inf})) == list{0.25, 0, 0});
}

TEST_CASE("assigning to a tensor keeps its gradient collection") {
  test_engine e;
  auto w = variable({4, -2});
  for (int i = 0; i < 3; ++i) {
    tensor loss;
    {
      const recording on;
      loss = sum(w * w);
    }
    loss.backward();
    w.assign(w - 0.25 * w.grad());
    w.zero_grad();
  }
  CHECK(numbers(w) == list{0.5, -0.25});
  CHECK(TROUPE_ERROR_OF(w.assign(ones({2}))) ==
        "assign: float32[2] on cpu:0 to float64[2] on cpu:0");
  tensor plain = ones({2}, float64);
  CHECK(TROUPE_ERROR_OF(plain.assign(w)) == "assign: float64[2] has no attach_grad");
  w.assign(stack({w, w})[1]);  // a view
  CHECK(numbers(w) == list{0.5, -0.25});
}

TEST_CASE("a recording may be used again if it is kept") {
  test_engine e;
  const auto x = variable({3});
  tensor y;
  {
    const recording on;
    y = sum(x * x);
  }
  backward(y, {.keep = true});
  y.backward();
  CHECK(numbers(x.grad()) == list{12});
}

TEST_CASE("mistakes in gradients are refused at the user's line") {
  test_engine e;
  const auto x = variable({1, 2});
  tensor y, z;
  {
    const recording on;
    y = x * x;
    z = sum(y);
  }
  CHECK(TROUPE_ERROR_OF(y.backward()) ==
        "backward: float64[2] has not one element, so it takes a seed");
  CHECK(TROUPE_ERROR_OF(backward(y, {.seed = ones({3}, float64)})) ==
        "backward: the seed is float64[3] on cpu:0 and not float64[2] on cpu:0");
  CHECK(TROUPE_ERROR_OF(sum(x * x).backward()) ==
        "backward: float64[] was not computed, while recording, from a tensor with attach_grad");
  CHECK(TROUPE_ERROR_OF(ones({2}, int64).attach_grad()) ==
        "attach_grad: int64[2] has no gradient: it has no floats");
  CHECK(TROUPE_ERROR_OF(y.grad()) ==
        "grad: float64[2] has no attach_grad: it was computed, or changed, while recording");
  CHECK(TROUPE_ERROR_OF(tensor().attach_grad()) == "attach_grad: the tensor names no array yet");
  CHECK(TROUPE_ERROR_OF(tensor().backward()) == "backward: of a tensor that names no array");
  z.backward();
  const auto again = TROUPE_ERROR_OF(z.backward());
  CHECK(again.find("kept is gone since an earlier backward pass") != std::string::npos);
}

TEST_CASE("a user's operation without a gradient is an error when a gradient reaches it") {
  test_engine e;
  const auto x = variable({1, 2});
  const recording on;
  const auto y = call("mine", {x}, {float64, {2}}, [](const inputs& in, outputs& out) {
    for (std::size_t i = 0; i < 2; ++i) out[0].span<double>()[i] = in[0].span<double>()[i];
  });
  const auto line = std::to_string(__LINE__ - 3);
  const auto text = TROUPE_ERROR_OF(sum(y * 2.).backward());
  CHECK(text.find("backward: mine") == 0);
  CHECK(text.find("autograd_test.cpp:" + line) != std::string::npos);
}

TEST_CASE("the error about a missing gradient names the operation that blocks it") {
  test_engine e;
  const auto x = variable({1.5, 2});
  const auto text_of = [&](auto f) {
    tensor y;
    {
      const recording on;
      y = f();
    }
    return TROUPE_ERROR_OF(y.backward());
  };
  const std::string constant =
      "backward: float64[] was not computed, while recording, from a tensor with attach_grad";
  const auto floored = text_of([&] { return sum(floor(x)); });
  const auto line = std::to_string(__LINE__ - 1);
  CHECK(floored.starts_with(constant + "; floor ("));
  CHECK(floored.find("autograd_test.cpp:" + line + ") has no gradient") != std::string::npos);
  CHECK(text_of([&] { return sum(argmax(x).astype(float64)); }).find("; argmax (") !=
        std::string::npos);
  CHECK(text_of([&] { return sum((x > 1.).astype(float64)); }).find("; greater (") !=
        std::string::npos);
  CHECK(text_of([&] { return sum(ones({3}, float64)); }) == constant);
}

TEST_CASE(
    "a chain of a hundred thousand recorded operations is released without exhausting the stack") {
  test_engine e;
  const auto x = variable({1});
  tensor y = x;
  {
    const recording on;
    for (int i = 0; i < 100'000; ++i) y = y + 1.;
    y = sum(y);
  }
  y.backward();
  CHECK(numbers(x.grad()) == list{1});
  {
    const recording on;
    for (int i = 0; i < 100'000; ++i) y = x + y;
  }
  y = {};
}

TEST_CASE("arrays that no gradient needs are not kept") {
  test_engine e;
  const auto& memory = e.engine.devices()[0]->memory();
  tensor w = ones({1000}, float64);
  w.attach_grad();
  const auto before = memory->live();
  tensor y;
  {
    const recording on;
    y = w + 1.;
    for (int i = 0; i < 20; ++i) y = y + w;  // needs no operand
  }
  CHECK(memory->live() - before <= 3 * 8000 + 4096);
  sum(y);
}

TEST_CASE("a user's own gradient replaces that of the function") {
  test_engine e;
  const auto x = variable({1.2, 2.7});
  int runs = 0;
  const auto rounded = [&](const tensor& t) {
    return custom_gradient(
        {t}, [](const std::vector<tensor>& in) { return floor(in[0]); },
        [&](const std::vector<tensor>& in, const tensor& result, const tensor& arriving) {
          ++runs;
          CHECK(numbers(in[0] - result)[0] == Approx(0.2));
          return std::vector<tensor>{arriving * in[0]};
        });
  };
  {
    const recording on;
    const auto y = rounded(x * 1.);
    CHECK(numbers(y) == list{1, 2});
    sum(y * 3.).backward();
  }
  CHECK(numbers(x.grad()) == list{3 * 1.2, 3 * 2.7});
  CHECK(runs == 1);
  CHECK_FALSE(rounded(x).node());  // not recording
  auto twice = grad([&](const tensor& t) {
    return sum(grad([&](const tensor& u) { return sum(rounded(u)); })(t));
  });
  CHECK(numbers(twice(tensor({1.2, 2.7}))) == list{1, 1});
}

TEST_CASE("a user's own gradients that do not fit are refused") {
  test_engine e;
  const auto x = variable({1, 2});
  const recording on;
  const auto with = [&](std::vector<tensor> given) {
    return sum(custom_gradient(
        {x}, [](const auto& in) { return in[0] * 2.; },
        [=](const auto&, const auto&, const auto&) { return given; }));
  };
  const auto none = with({}), wrong = with({ones({3}, float64)}), nothing = with({tensor()});
  CHECK_THAT(TROUPE_ERROR_OF(none.backward()), Catch::EndsWith("gave 0 gradients for 1 inputs"));
  CHECK_THAT(TROUPE_ERROR_OF(wrong.backward()),
             Catch::EndsWith("gave float64[3] as the gradient of float64[2]"));
  nothing.backward();
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("a checkpoint gives the same gradients, keeps nothing, and draws the same numbers") {
  test_engine e;
  const auto x = variable({1, 2, 3}), w = variable({0.5, -1, 2});
  int runs = 0;
  const auto block = [&](const std::vector<tensor>& in) {
    ++runs;
    return exp(in[0] * w) * uniform({3}, 0, 1, float64);
  };
  const auto run = [&](bool checkpointed) {
    seed(7);
    x.zero_grad(), w.zero_grad();
    tensor y;
    {
      const recording on;
      const auto in = x * 2.;
      y = sum(checkpointed ? checkpoint(block, {in}) : block({in}));
    }
    y.backward();
    return std::pair(numbers(x.grad()), numbers(w.grad()));
  };
  const auto plain = run(false);
  CHECK(runs == 1);
  const auto again = run(true);
  CHECK(runs == 3);
  CHECK(again == plain);
  // Gradients with respect to a tensor that only the block knows.
  const recording on;
  const auto y = sum(checkpoint(block, {x}));
  const std::vector<tensor> about{w};
  CHECK(numbers(gradients(y, about)[0]).size() == 3);
}

TEST_CASE("consecutive and nested checkpoints give the gradients of the whole") {
  test_engine e;
  const tensor x = {0.3, -0.7};
  const auto step = [](const std::vector<tensor>& in) { return sin(in[0]) * in[0] + in[0]; };
  const auto plain = [&](const tensor& t) {
    auto y = t;
    for (int i = 0; i < 6; ++i) y = step({y});
    return sum(y);
  };
  const auto in_a_row = [&](const tensor& t) {
    auto y = t;
    for (int i = 0; i < 6; ++i) y = checkpoint(step, {y});
    return sum(y);
  };
  const auto nested = [&](const tensor& t) {
    const auto half = [&](const std::vector<tensor>& in) {
      auto y = in[0];
      for (int i = 0; i < 3; ++i) y = checkpoint(step, {y});
      return y;
    };
    return sum(checkpoint(half, {checkpoint(half, {t})}));
  };
  CHECK(numbers(grad(in_a_row)(x)) == numbers(grad(plain)(x)));
  CHECK(numbers(grad(nested)(x)) == numbers(grad(plain)(x)));
}

TEST_CASE(
    "gradients of gradients agree with finite differences for every smooth operation of a "
    "network") {
  test_engine e;
  const tensor w = arange(12, float64).reshape({3, 4}) * 0.1 - 0.5;
  const auto loss = [&](const tensor& x) {
    const auto h = tanh(matmul(x.reshape({2, 3}), w));
    return sum(log_softmax(h, 1)[0] * 0.3) + mean(square(h)) + logsumexp(h) + norm(h) +
           sum(exp(h(every, range{1, 3})));
  };
  auto slope = grad(loss);
  auto curvature = grad([&](const tensor& x) { return sum(slope(x) * arange(6, float64)); });
  const tensor x = {0.1, -0.4, 0.3, 0.8, -0.2, 0.5};
  const auto found = numbers(curvature(x));
  for (std::int64_t i = 0; i < 6; ++i) {
    constexpr double step = 1e-5;
    const auto at = [&](double by) {
      return numbers(
          sum(slope(x + by * astype(equal(arange(6), i), float64)) * arange(6, float64)))[0];
    };
    const auto want = (at(step) - at(-step)) / (2 * step);
    CHECK(found[static_cast<std::size_t>(i)] == Approx(want).epsilon(1e-6).margin(1e-8));
  }
}

}  // namespace troupe::testing
