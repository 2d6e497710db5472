// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/checkpoint.hpp"
#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jacobian.hpp"
#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/batching/vmap.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

tensor pass_variable(const list& values) {
  tensor x = from_data(values, {static_cast<std::int64_t>(values.size())}, {.dtype = float64});
  return x.attach_grad();
}

/// Runs a pass of its own on tensors of another recording, then that recording's own pass twice.
template <class Pass>
void check_that_graph_stays(Pass inner) {
  const auto w = pass_variable({0.5, 1.5});
  tensor c, loss;
  {
    const recording on;
    c = checkpoint([](const std::vector<tensor>& in) { return sin(in[0]) * exp(in[0]); }, {w * w});
    c = custom_gradient(
        {c * 1}, [](const std::vector<tensor>& in) { return 2 * in[0]; },
        [](const std::vector<tensor>&, const tensor&, const tensor& g) {
          return std::vector<tensor>{2 * g};
        });
    loss = sum(c * c);
  }
  backward(loss, {.keep = true});
  const auto expected = numbers(w.grad());
  w.zero_grad();
  inner(c);
  CHECK_FALSE(w.grad().defined());
  loss.backward();
  CHECK(numbers(w.grad()) == expected);
  CHECK_THROWS_AS(loss.backward(), error);
}

/// Equal up to rounding: passes add powers up in another order.
bool equal_but_for_rounding(const list& a, const list& b) {
  return std::ranges::equal(a, b, [](double p, double q) { return near(p, q, 1e-12); });
}

tensor cubes(const tensor& x) { return sum(x * x * x); }

}  // namespace

TEST_CASE("a pass spends no nodes of a recording that its function uses") {
  test_engine e;
  const auto x = from_data(list{2, 3}, {2});
  SECTION("as its argument") {
    check_that_graph_stays([](const tensor& c) {
      CHECK(equal_but_for_rounding(numbers(grad(cubes)(c)), numbers(3 * c * c)));
      CHECK(equal_but_for_rounding(numbers(vjp(cubes, c, ones({}, float64)).second),
                                   numbers(3 * c * c)));
      CHECK(equal_but_for_rounding(numbers(jvp(cubes, c, ones({2}, float64)).second),
                                   numbers(sum(3 * c * c))));
      CHECK(equal_but_for_rounding(numbers(hessian(cubes)(c)[0][0]), numbers(6 * c[0])));
      CHECK(equal_but_for_rounding(
          numbers(jacobian([](const tensor& y) { return y * y; })(c)[1][1]), numbers(2 * c[1])));
    });
  }
  SECTION("as a view that is its argument") {
    check_that_graph_stays([](const tensor& c) {
      CHECK(
          equal_but_for_rounding(numbers(grad(cubes)(c(range{1, {}}))), numbers(3 * c[1] * c[1])));
    });
  }
  SECTION("beside its argument") {
    check_that_graph_stays([&](const tensor& c) {
      CHECK(equal_but_for_rounding(
          numbers(grad([&](const tensor& y) { return sum(y * c * c); })(x)), numbers(c * c)));
      CHECK(
          numbers(jvp([&](const tensor& y) { return sum(y * c); }, x, ones({2}, float64)).second) ==
          numbers(sum(c)));
    });
  }
  SECTION("as what it returns") {
    check_that_graph_stays([&](const tensor& c) {
      CHECK(numbers(grad([&](const tensor&) { return c[0]; })(x)) == list{0, 0});
      CHECK(numbers(grad([&](const tensor& y) { return c[0] + 0 * y[0]; })(x)) == list{0, 0});
    });
  }
  SECTION("in nested passes") {
    check_that_graph_stays([&](const tensor& c) {
      const auto slope = [&](const tensor& y) {
        return sum(grad([&](const tensor& z) { return sum(z * z * c) + cubes(c); })(y) * c);
      };
      CHECK(equal_but_for_rounding(numbers(grad(slope)(x)), numbers(2 * c * c)));
      CHECK(equal_but_for_rounding(
          numbers(grad([&](const tensor& y) { return sum(grad(cubes)(c) * y); })(x)),
          numbers(3 * c * c)));
    });
  }
  SECTION("in a function that is mapped") {
    check_that_graph_stays([&](const tensor& c) {
      const auto each = vmap([&](const tensor& y) { return grad(cubes)(c) * y; })(x);
      CHECK(equal_but_for_rounding(numbers(each[0]), numbers(6 * c * c)));
      const auto by_element = vmap([](const tensor& y) { return grad(cubes)(y); })(c);
      CHECK(equal_but_for_rounding(numbers(by_element), numbers(3 * c * c)));
    });
  }
  SECTION("in a checkpoint") {
    check_that_graph_stays([&](const tensor& c) {
      const auto f = [&](const tensor& y) {
        return sum(checkpoint([&](const std::vector<tensor>& in) { return in[0] * c + c; }, {y}));
      };
      CHECK(equal_but_for_rounding(numbers(grad(f)(x)), numbers(c)));
    });
  }
  SECTION("in a function that is compiled") {
    check_that_graph_stays([&](const tensor& c) {
      const auto f = compile([](const tensor& y) { return grad(cubes)(y); });
      CHECK(equal_but_for_rounding(numbers(f(c)), numbers(3 * c * c)));
      const auto g = compile([&](const tensor& y) {
        return grad([&](const tensor& z) { return sum(z * constant(c) * y); })(y);
      });
      CHECK(equal_but_for_rounding(numbers(g(x)), numbers(c * x)));
    });
  }
}

TEST_CASE("a gradient of the user's own may differentiate its inputs and its result") {
  test_engine e;
  const auto w = pass_variable({0.5, 1.5});
  const auto f = [](const tensor& x) {
    return custom_gradient(
        {x}, [](const std::vector<tensor>& in) { return in[0] * in[0]; },
        [](const std::vector<tensor>& in, const tensor& result, const tensor& arriving) {
          // d/dx (x^2) = 2 x, written as the gradient of sum(x^2), and 0 from the result's cube
          return std::vector<tensor>{arriving *
                                         grad([](const tensor& y) { return sum(y * y); })(in[0]) +
                                     0 * grad(cubes)(result)};
        });
  };
  {
    const recording on;
    sum(f(sin(w))).backward();
  }
  const auto expected = numbers(2 * sin(w) * cos(w));
  for (int i = 0; i < 2; ++i) CHECK(near(numbers(w.grad())[i], expected[i], 1e-12));
  const auto curvature = numbers(grad([&](const tensor& x) {
    return sum(grad([&](const tensor& y) { return sum(f(y)); })(x));
  })(w));
  for (const auto one : curvature) CHECK(near(one, 2, 1e-12));
}

TEST_CASE("vjp of a function with several results adds what comes from each of them") {
  test_engine e;
  const auto x = from_data(list{1, 2}, {2}), y = from_data(list{3, 4}, {2});
  const auto both = [](const std::vector<tensor>& in) {
    return std::vector<tensor>{in[0] * in[1], sum(in[0] * in[0]), ones({3})};
  };
  const auto first = from_data(list{10, 20}, {2});
  const auto second = from_data(list{5}, {1}).reshape(shape{});
  const auto [values, found] = vjp(both, {x, y}, {first, second, ones({3})});
  REQUIRE(values.size() == 3);
  CHECK(numbers(values[1]) == list{5});
  CHECK_FALSE(values[0].node());
  REQUIRE(found.size() == 2);
  CHECK(numbers(found[0]) == list{10 * 3 + 5 * 2, 20 * 4 + 5 * 4});
  CHECK(numbers(found[1]) == list{10, 40});
  CHECK(numbers(vjp(both, {x, y}, {tensor{}, second, tensor{}}).second[1]) == list{0, 0});
  const auto of_one = [](const tensor& v) { return std::vector<tensor>{v * v, v[0]}; };
  CHECK(numbers(vjp(of_one, x, {first, second}).second) == list{20 + 5, 80});
  // Of gradients, too.
  const auto slope = [&](const tensor& v) { return sum(vjp(of_one, v, {v, second}).second); };
  CHECK(numbers(grad(slope)(x)) == list{4, 8});
  const auto message = [&](const std::vector<tensor>& seeds) {
    return TROUPE_ERROR_OF(vjp(of_one, x, seeds));
  };
  CHECK(message({first}) == "vjp: the function gives 2 tensors, not 1 as there are seeds");
  CHECK(message({first, first}) ==
        "gradients: the seed is float64[2] on cpu:0 and not float64[] on cpu:0");
}

}  // namespace troupe::testing
