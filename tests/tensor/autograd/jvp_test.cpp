// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/jvp.hpp"

#include <cmath>

#include "troupe/tensor/autograd/checkpoint.hpp"
#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/tangents.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/sample_inputs.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using all_numbers = std::vector<double>;

/// Sample of an operation as a function of its inputs of float64, with a change for each.
struct changed_sample {
  const sample& of;
  std::vector<tensor> inputs, xs, changes;
  std::vector<std::vector<double>> values, directions;

  changed_sample(const operation& op, const sample& s) : of(s) {
    auto made = inputs_for(op, s);
    for (std::size_t i = 0; i < made.inputs.size(); ++i) {
      const auto& x = made.inputs[i];
      inputs.push_back(x);
      if (x.dtype() != float64) continue;
      xs.push_back(x);
      values.push_back(std::move(made.values[i]));
      directions.push_back(spread_numbers(x.size(), {-1, 1.25}, static_cast<int>(i) + 3));
      changes.push_back(from_data(directions.back(), x.shape()));
    }
  }

  tensor operator()(const std::vector<tensor>& variables) const {
    auto in = inputs;
    auto next = variables.begin();
    for (auto& x : in) {
      if (x.dtype() == float64) x = *next++;
    }
    return of.call(in);
  }

  /// Returns true if gradients flow to the inputs of float64 from a result that is, too.
  bool differentiable() const {
    auto variables = xs;
    for (auto& x : variables) x.attach_grad();
    const recording on;
    const auto out = (*this)(variables);
    return out.dtype() == float64 && out.node();
  }

  /// Returns the inputs moved along their changes.
  std::vector<tensor> moved(double by) const {
    std::vector<tensor> out;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      auto v = values[i];
      for (std::size_t k = 0; k < v.size(); ++k) v[k] += by * directions[i][k];
      out.push_back(from_data(v, xs[i].shape()));
    }
    return out;
  }
};

/// Calls `check` with each sample of a differentiable operation whose result is of float64.
template <class Check>
void each_changed_sample(Check&& check) {
  for (const auto* op : all_operations()) {
    if (!smooth_enough(*op)) continue;
    int position = -1, of_this = 0;
    for (const auto& s : op->samples()) {
      CAPTURE(op->name, ++position);
      const changed_sample c(*op, s);
      if (!c.differentiable()) continue;
      check(*op, c);
      ++of_this;
    }
    CAPTURE(op->name);
    CHECK(of_this > 0);
  }
}

double product_of(const tensor& a, const tensor& b) { return sum(a * b).item<double>(); }

}  // namespace

TEST_CASE("the tangents of every operation agree with finite differences in float64") {
  test_engine e;
  int checked = 0;
  each_changed_sample([&](const operation&, const changed_sample& c) {
    const auto [value, tangent] = jvp(c, c.xs, c.changes);
    CHECK(numbers(value) == numbers(c(c.xs)));
    REQUIRE(tangent.type() == value.type());
    const auto found = numbers(tangent);
    constexpr double step = 1e-5;
    std::vector<std::vector<double>> at;
    for (const double times : {1., -1., 2., -2.}) at.push_back(numbers(c(c.moved(times * step))));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double want = (8 * (at[0][i] - at[1][i]) - (at[2][i] - at[3][i])) / (12 * step);
      CAPTURE(i, found[i], want);
      REQUIRE(std::abs(found[i] - want) <= 2e-6 * std::max(1., std::abs(want)));
      ++checked;
    }
  });
  CHECK(checked > 1000);
}

TEST_CASE("forward and reverse mode of every operation are each other's transposes") {
  test_engine e;
  int checked = 0;
  each_changed_sample([&](const operation&, const changed_sample& c) {
    const auto [value, tangent] = jvp(c, c.xs, c.changes);
    const auto u = from_data(spread_numbers(value.size(), {-1.5, 1}, 5), value.shape(),
                             {.device = value.device()});
    double sums = 0;
    const auto products = vjp(c, c.xs, u).second;
    for (std::size_t i = 0; i < products.size(); ++i) sums += product_of(products[i], c.changes[i]);
    CHECK(product_of(u, tangent) == Approx(sums).epsilon(1e-9).margin(1e-9));
    ++checked;
  });
  CHECK(checked > 200);
}

TEST_CASE("the gradients of every operation's tangents agree with finite differences") {
  test_engine e;
  int checked = 0;
  each_changed_sample([&](const operation& op, const changed_sample& c) {
    if (op.name == "digamma") return;  // no rule for trigamma
    std::int64_t size = 0;
    for (const auto& x : c.xs) size += x.size();
    if (size > 100) return;
    const auto along = [&](const std::vector<tensor>& xs) {
      const auto tangent = jvp(c, xs, c.changes).second;
      auto total = sum(to(tangent * tangent, cpu(0)));
      for (const auto& x : xs) total = total + sum(x * 0.5);
      return total;
    };
    const auto slopes = grad(along)(c.xs);
    double found = 0;
    for (std::size_t i = 0; i < slopes.size(); ++i) found += product_of(slopes[i], c.changes[i]);
    const double want = slope([&](double by) { return along(c.moved(by)).item<double>(); }, 1e-4);
    CHECK(found == Approx(want).epsilon(3e-6).margin(3e-6));
    ++checked;
  });
  CHECK(checked > 200);
}

TEST_CASE("a tangent is the derivative in a direction") {
  test_engine e;
  const tensor x = {1., 2., 3.}, t = {1., 0., -2.};
  const auto [y, change] = jvp([](const tensor& v) { return v * v * v; }, x, t);
  CHECK(numbers(y) == all_numbers{1, 8, 27});
  CHECK(numbers(change) == all_numbers{3, 0, -54});
  CHECK_FALSE(y.node());
  CHECK_FALSE(change.node());
}

TEST_CASE("functions of several tensors change with all of them") {
  test_engine e;
  const tensor a = {{1., 2.}, {3., 4.}}, b = {{5., 6.}, {7., 8.}};
  const tensor da = {{1., 0.}, {0., 0.}}, db = {{0., 0.}, {0., 1.}};
  const auto f = [](const std::vector<tensor>& in) {
    return std::vector<tensor>{matmul(in[0], in[1]), sum(in[0]), in[1].T()};
  };
  const auto [values, changes] = jvp(f, {a, b}, {da, db});
  REQUIRE(values.size() == 3);
  CHECK(numbers(values[0]) == all_numbers{19, 22, 43, 50});
  CHECK(numbers(changes[0]) == all_numbers{5, 8, 0, 4});
  CHECK(numbers(changes[1]) == all_numbers{1});
  CHECK(numbers(changes[2]) == all_numbers{0, 0, 0, 1});
  const auto only_a = jvp(f, {a, b}, {da, tensor()}).second;
  CHECK(numbers(only_a[0]) == all_numbers{5, 6, 0, 0});
  CHECK(numbers(only_a[2]) == all_numbers(4, 0.));
}

TEST_CASE("tangents flow through views, casts and narrow floats") {
  test_engine e;
  const tensor x = arange(6, float64).reshape({2, 3}), t = x * 10. + 1.;
  const auto along = [&](auto f) { return numbers(jvp(f, x, t).second); };
  CHECK(along([](const tensor& v) { return v.T(); }) == numbers(t.T()));
  CHECK(along([](const tensor& v) {
          return v(every, range{2, 0, -1});
        }) == numbers(t(every, range{2, 0, -1})));
  CHECK(along([](const tensor& v) { return v[1].T() * v[0]; }) ==
        numbers(t[1] * x[0] + x[1] * t[0]));
  CHECK(along([](const tensor& v) {
          return broadcast_to(v[0], {4, 3}) + v[1];
        }) == numbers(broadcast_to(t[0] + t[1], {4, 3})));
  const auto narrow = jvp([](const tensor& v) { return v.astype(bfloat16) * 2.; }, x, t).second;
  CHECK(narrow.dtype() == bfloat16);
  CHECK(numbers(narrow) == all_numbers{2, 22, 42, 62, 82, 102});
  const auto mixed =
      jvp([&](const tensor& v) { return v + x; }, x.astype(float32), t.astype(float32));
  CHECK(type_text(mixed.second) == "float64[2,3]");
  CHECK(numbers(mixed.second) == numbers(t));
  CHECK(numbers(jvp([](const tensor& v) { return v * 2.; }, x.T(), t.T()).second) ==
        numbers(t.T() * 2.));
}

TEST_CASE("what does not depend on the argument has the tangent 0") {
  test_engine e;
  const tensor x = {1., 2.};
  const auto constant = jvp([](const tensor&) { return ones({3}, float32); }, x, x).second;
  CHECK(type_text(constant) == "float32[3]");
  CHECK(numbers(constant) == all_numbers{0, 0, 0});
  CHECK(numbers(jvp([](const tensor& v) { return floor(v) * v; }, x, x).second) ==
        all_numbers{1, 4});
  tensor other = {3., 4.};
  other.attach_grad();
  CHECK(numbers(jvp([&](const tensor&) { return other * other; }, x, x).second) ==
        all_numbers{0, 0});
}

TEST_CASE("tangents of tangents and of gradients are not confused") {
  test_engine e;
  const tensor x = {0.5, 1.5}, one = ones({2}, float64);
  const auto cube = [](const tensor& v) { return v * v * v; };
  const auto slope_of = [&](const tensor& v) { return jvp(cube, v, one).second; };
  CHECK(numbers(jvp(slope_of, x, one).second) == numbers(6. * x));
  const auto third = [&](const tensor& v) { return jvp(slope_of, v, one).second; };
  CHECK(numbers(jvp(third, x, one).second) == all_numbers{6, 6});
  // The inner derivative is with respect to y alone: d/dx (x * d(x y)/dy) = 2 x.
  const auto outer = [&](const tensor& v) {
    return v * jvp([&](const tensor& y) { return v * y; }, v, one).second;
  };
  CHECK(numbers(jvp(outer, x, one).second) == numbers(2. * x));
  CHECK(numbers(grad([&](const tensor& v) { return sum(outer(v)); })(x)) == numbers(2. * x));
}

TEST_CASE("a tangent of a gradient is the product of the Hessian with a vector") {
  test_engine e;
  const tensor a = {{2., 1.}, {1., 3.}}, x = {1., -1.}, v = {0.5, 2.};
  const auto f = [&](const tensor& p) { return sum(matmul(p, matmul(a, p))) / 2.; };
  CHECK(numbers(jvp(grad(f), x, v).second) == numbers(matmul(a, v)));
  const auto g = [](const tensor& p) { return sum(exp(sin(p)) * p); };
  const auto forward = numbers(jvp(grad(g), x, v).second);
  const auto reverse = numbers(grad([&](const tensor& p) { return sum(grad(g)(p) * v); })(x));
  for (std::size_t i = 0; i < 2; ++i) CHECK(forward[i] == Approx(reverse[i]));
}

TEST_CASE("the change of a tangent with its direction is recorded") {
  test_engine e;
  const tensor x = {1., 2.};
  const auto f = [&](const tensor& t) {
    return sum(jvp([](const tensor& v) { return v * v; }, x, t).second);
  };
  CHECK(numbers(grad(f)(tensor({5., 5.}))) == all_numbers{2, 4});
}

TEST_CASE("tangents flow through checkpoints and gradients of the user's own") {
  test_engine e;
  const tensor x = {0.5, 1.}, t = {2., -1.};
  tensor scale = {3., 4.};
  const auto saved = [&](const tensor& v) {
    const auto square = v * v;
    return checkpoint([=](const std::vector<tensor>& in) { return sin(in[0]) * scale * square; },
                      {v});
  };
  const auto plain = [&](const tensor& v) { return sin(v) * scale * v * v; };
  const auto close = [](const tensor& a, const tensor& b) {
    return sum(abs(a - b)).item<double>() < 1e-12;
  };
  CHECK(close(jvp(saved, x, t).second, jvp(plain, x, t).second));
  const auto doubled = [](const tensor& v) {  // whose gradient is said to be 5 v, and not 2
    return custom_gradient(
        {v}, [](const std::vector<tensor>& in) { return in[0] * 2.; },
        [](const std::vector<tensor>& in, const tensor&, const tensor& g) {
          return std::vector<tensor>{g * in[0] * 5.};
        });
  };
  CHECK(close(jvp(doubled, x, t).second, 5. * x * t));
  const auto slope_along = [&](const tensor& v) { return sum(jvp(doubled, v, t).second); };
  CHECK(close(grad(slope_along)(x), 5. * t));
  CHECK(close(jvp([&](const tensor& v) { return jvp(saved, v, t).second; }, x, t).second,
              jvp([&](const tensor& v) { return jvp(plain, v, t).second; }, x, t).second));
}

TEST_CASE("tangents are computed in compiled functions") {
  test_engine e;
  const tensor x = {{0.5, 1.}, {2., -1.}}, t = {{1., 2.}, {3., 4.}};
  const auto f = [](const tensor& v) { return softmax(matmul(v, v), 1) * tanh(v); };
  const auto along = [&](const tensor& v, const tensor& d) { return jvp(f, v, d); };
  const auto compiled = compile(along);
  const auto want = along(x, t);
  for (int call = 0; call < 4; ++call) {
    const auto [value, tangent] = compiled(x, t);
    CHECK(numbers(value) == numbers(want.first));
    CHECK(numbers(tangent) == numbers(want.second));
  }
  const auto of_compiled = jvp(compile(f), x, t);
  CHECK(numbers(of_compiled.second) == numbers(want.second));
}

TEST_CASE("jvp names tangents and arguments that do not fit") {
  test_engine e;
  const tensor x = {1., 2.}, three = {1., 2., 3.}, single = {1.f, 2.f}, whole = {1, 2};
  const auto f = [](const tensor& v) { return v * 2.; };
  CHECK(TROUPE_ERROR_OF(jvp(f, x, three)) ==
        "jvp: the tangent of argument 0 is float64[3] on cpu:0 and not float64[2] on cpu:0");
  CHECK(TROUPE_ERROR_OF(jvp(f, x, single)) ==
        "jvp: the tangent of argument 0 is float32[2] on cpu:0 and not float64[2] on cpu:0");
  CHECK(TROUPE_ERROR_OF(jvp(f, x, to(x, cpu(1)))) ==
        "jvp: the tangent of argument 0 is float64[2] on cpu:1 and not float64[2] on cpu:0");
  CHECK(TROUPE_ERROR_OF(jvp(f, whole, whole)) ==
        "jvp: argument 0 is int64[2]: only floats have tangents");
  CHECK(TROUPE_ERROR_OF(jvp(f, tensor(), x)) == "jvp: argument 0 names no array yet");
  const auto several = [](const std::vector<tensor>& in) { return in[0] * 2.; };
  CHECK(TROUPE_ERROR_OF(jvp(several, {x, x}, {x})) == "jvp: 2 arguments and 1 tangents");
  CHECK(TROUPE_ERROR_OF(jvp([](const tensor& v) { return argmax(v); }, x, x)) ==
        "jvp: the function gives int64[]: only floats have tangents");
  CHECK(TROUPE_ERROR_OF(jvp([](const tensor&) { return tensor(); }, x, x)) ==
        "jvp: the function gives a tensor that names no array");
}

TEST_CASE("tangents of one recording can be computed in several directions") {
  test_engine e;
  tensor x = {1., 2.}, w = {3., 4.};
  x.attach_grad();
  w.attach_grad();
  tensor y;
  {
    const recording on;
    y = x * x * w;
  }
  const tensor in[] = {x, w}, of[] = {y, y.reshape({2, 1})};
  const tensor right[] = {tensor({1., 0.}), tensor()}, up[] = {tensor(), tensor({1., 1.})};
  const auto first = tangents(of, in, right);
  CHECK(numbers(first[0]) == all_numbers{6, 0});
  CHECK(type_text(first[1]) == "float64[2,1]");
  CHECK(numbers(tangents(of, in, up)[0]) == all_numbers{1, 4});
  backward(y, {.seed = ones({2}, float64)});
  CHECK(numbers(x.grad()) == all_numbers{6, 16});
  CHECK(TROUPE_ERROR_OF(tangents(of, in, right)) ==
        "jvp: what multiply (jvp_test.cpp:" + std::to_string(__LINE__ - 11) +
            ") kept is gone since an earlier backward pass, which can be told to keep it");
  const tensor constant[] = {x.detach(), w}, view[] = {x.T(), w};
  CHECK(TROUPE_ERROR_OF(tangents(of, constant, right)) ==
        "tangents: float64[2] is a constant: it has no attach_grad");
  CHECK(TROUPE_ERROR_OF(tangents(of, view, right)) ==
        "tangents: float64[2] is a view: change what it is a view of");
  const tensor wrong[] = {ones({3}, float64), tensor()};
  CHECK(TROUPE_ERROR_OF(tangents(of, in, wrong)) ==
        "tangents: float64[3] as the change of float64[2]");
  CHECK(TROUPE_ERROR_OF(tangents(of, {in, 1}, right)) == "tangents: 1 tensors and 2 changes");
}

TEST_CASE("jvp names the line of an operation without a gradient") {
  test_engine e;
  const tensor x = {1., 2.};
  const auto line = __LINE__ + 2;
  const auto f = [](const tensor& v) {
    return digamma(grad([](const tensor& p) { return sum(digamma(p)); })(v));
  };
  const auto text = TROUPE_ERROR_OF(jvp(f, x, x));
  CHECK(text == "jvp: trigamma (jvp_test.cpp:" + std::to_string(line) + ") has no gradient");
}

}  // namespace troupe::testing
