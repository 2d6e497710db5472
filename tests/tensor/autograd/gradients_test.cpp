// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <optional>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/tensor/sample_inputs.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// Returns the sum of all elements of f with individual weights.
double weighted(const sample& s, const std::vector<tensor>& in) {
  const auto out = numbers(s.call(in));
  double total = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    total += out[i] * (1 + 0.25 * static_cast<double>(i % 5));
  return total;
}

tensor weights_for(const tensor& out) {
  std::vector<double> w;
  for (std::int64_t i = 0; i < out.size(); ++i) w.push_back(1 + 0.25 * static_cast<double>(i % 5));
  return from_data(w, out.shape(), {.dtype = out.dtype(), .device = out.device()});
}

}  // namespace

TEST_CASE("every gradient agrees with finite differences in float64") {
  test_engine e;
  int checked = 0;
  double worst = 0;
  for (const auto* op : all_operations()) {
    if (!smooth_enough(*op)) continue;
    int number = -1, of_this = 0;
    for (const auto& s : op->samples()) {
      CAPTURE(op->name, ++number);
      if (s.inputs.empty()) continue;
      bool doubles = false;
      for (const auto& t : s.inputs) doubles = doubles || t.element == float64;
      if (!doubles) continue;
      auto c = inputs_for(*op, s);
      std::vector<tensor> with = c.inputs;
      for (auto& x : with) {
        if (x.dtype() == float64) x.attach_grad();
      }
      tensor out;
      {
        const recording on;
        out = s.call(with);
      }
      if (!is_floating(out.dtype()) || !out.node()) continue;
      backward(out, {.seed = weights_for(out)});
      for (std::size_t k = 0; k < with.size(); ++k) {
        if (with[k].dtype() != float64) continue;
        const auto& g = with[k].grad();
        if (!g.defined()) continue;
        REQUIRE(g.shape() == with[k].shape());
        const auto found = numbers(g);
        for (std::size_t i = 0; i < found.size(); ++i) {
          constexpr double step = 1e-5;
          const auto at = [&](double shift) {
            auto moved = c.values[k];
            moved[i] += shift;
            auto in = c.inputs;
            in[k] = from_data(moved, in[k].shape(), {.dtype = float64});
            return weighted(s, in);
          };
          const double want = slope(at, step);
          CAPTURE(k, i, found[i], want, c.values[k][i]);
          REQUIRE(std::abs(found[i] - want) <= 1e-6 * std::max(1., std::abs(want)));
          worst = std::max(worst, std::abs(found[i] - want) / std::max(1., std::abs(want)));
          ++of_this;
        }
      }
    }
    CAPTURE(op->name);
    CHECK(of_this > 0);
    checked += of_this;
  }
  CHECK(checked > 1000);
  UNSCOPED_INFO("the greatest difference of " << checked << " derivatives: " << worst);
  CHECK(worst <= 1e-6);
}

namespace {

/// Memory layouts for the same elements.
enum class lie { offset, transposed, strided };
tensor relaid(const tensor& x, lie how) {
  const auto other = full({}, is_floating(x.dtype()) ? scalar(9e9) : scalar(1),
                          {.dtype = x.dtype(), .device = x.device()});
  switch (how) {
    case lie::offset:
      return concatenate({broadcast_to(other, {7}), reshape(x, {-1})})[range{7, {}}].reshape(
          x.shape());
    case lie::transposed: return copy(x.T()).T();
    case lie::strided: break;
  }
  return squeeze(slice(stack({x, broadcast_to(other, x.shape())}, x.rank()), x.rank(), 0, 1),
                 x.rank());
}

/// Returns the gradients of a sample's floating-point inputs if `seed` is that of its result; empty
/// if no gradient flows.
std::vector<std::vector<double>> arriving(const sample& s, std::vector<tensor> in, int how,
                                          const std::function<tensor(const tensor&)>& seed) {
  for (auto& x : in) {
    if (is_floating(x.dtype())) {
      x = x.detach();
      x.attach_grad();
    }
  }
  tensor out;
  {
    const recording on;
    auto with = in;
    if (how >= 0) {
      for (auto& x : with) x = relaid(x, static_cast<lie>(how));
    }
    out = s.call(with);
  }
  std::vector<std::vector<double>> found;
  if (!is_floating(out.dtype()) || !out.node()) return found;
  backward(out, {.seed = seed(out)});
  for (const auto& x : in) {
    if (is_floating(x.dtype()) && x.grad().defined()) found.push_back(numbers(x.grad()));
  }
  return found;
}

bool same(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      if (!(std::abs(a[k][i] - b[k][i]) <= 1e-4 * std::max(1., std::abs(a[k][i])))) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("gradients do not depend on the memory layout of inputs and arriving gradients") {
  test_engine e;
  int compared = 0;
  for (const auto* op : all_operations()) {
    if (op->gradient != differentiability::available) continue;
    int number = -1;
    for (const auto& s : op->samples()) {
      CAPTURE(op->name, ++number);
      const auto in = inputs_for(*op, s).inputs;
      const auto plain = [&](const tensor& out) { return weights_for(out); };
      const auto base = arriving(s, in, -1, plain);
      for (int how = 0; how < 3; ++how) {
        CAPTURE(how);
        CHECK(same(base, arriving(s, in, how, plain)));
        CHECK(same(base, arriving(s, in, -1, [&](const tensor& out) {
                     return relaid(weights_for(out), static_cast<lie>(how));
                   })));
        compared += 2;
      }
      const auto one = [](const tensor& out) {
        return broadcast_to(full({}, 1.5, {.dtype = out.dtype(), .device = out.device()}),
                            out.shape());
      };
      CHECK(same(arriving(s, in, -1, [&](const tensor& out) { return copy(one(out)); }),
                 arriving(s, in, -1, one)));
      ++compared;
    }
  }
  CHECK(compared > 1000);
}

namespace {

/// Number computed from the gradients of an operation's squares, and its own gradients if they are
/// wanted.
struct second_pass {
  double value = 0;
  std::vector<tensor> gradients;
};
std::optional<second_pass> gradient_twice(const sample& s, std::vector<tensor> in, bool wanted) {
  std::vector<tensor> targets;
  for (auto& x : in) {
    if (x.dtype() == float64) {
      x = x.detach();
      x.attach_grad();
      targets.push_back(x);
    }
  }
  tensor total, slopes;
  {
    const recording on;
    const auto out = s.call(in);
    if (out.dtype() != float64 || !out.node()) return {};
    total = sum(weights_for(out) * out * out);
  }
  const auto first = gradients(total, targets, {.record = wanted});
  {
    const recording on;
    double weight = 1;
    for (const auto& g : first) {
      const auto one = sum(weights_for(g) * g * weight);
      slopes = slopes.defined() ? slopes + one : one;
      weight += 0.3;
    }
  }
  second_pass found{slopes.item<double>(), {}};
  if (wanted) found.gradients = gradients(slopes, targets);
  return found;
}

}  // namespace

TEST_CASE("every second derivative agrees with finite differences in float64") {
  test_engine e;
  int checked = 0;
  for (const auto* op : all_operations()) {
    if (!smooth_enough(*op) || op->name == "digamma") continue;  // no rule for trigamma
    int number = -1;
    for (const auto& s : op->samples()) {
      CAPTURE(op->name, ++number);
      const auto c = inputs_for(*op, s);
      std::int64_t size = 0;
      for (const auto& x : c.inputs) size += x.size();
      if (size > 400 || size == 0) continue;
      const auto found = gradient_twice(s, c.inputs, true);
      if (!found) continue;
      auto g = found->gradients.begin();
      for (std::size_t k = 0; k < c.inputs.size(); ++k) {
        if (c.inputs[k].dtype() != float64) continue;
        const auto slopes = numbers(*g++);
        for (std::size_t i = 0; i < std::min<std::size_t>(slopes.size(), 8); ++i) {
          constexpr double step = 1e-4;
          const auto at = [&](double shift) {
            auto moved = c.values[k];
            moved[i] += shift;
            auto in = c.inputs;
            in[k] = from_data(moved, in[k].shape(), {.dtype = float64});
            return gradient_twice(s, in, false)->value;
          };
          const double want = slope(at, step);
          CAPTURE(k, i, slopes[i], want);
          CHECK(std::abs(slopes[i] - want) <= 1e-6 * std::max(1., std::abs(want)));
          ++checked;
        }
      }
    }
  }
  CHECK(checked > 1000);
}

TEST_CASE("the gradient of a cast is the arriving gradient in the dtype of the input") {
  test_engine e;
  const std::vector<double> weights{0.5, -2, 4};
  for (const auto& [from, into] : {std::pair(float64, float32), std::pair(float32, float64)}) {
    auto x = from_data(std::vector<double>{1, 2, 3}, {3}, {.dtype = from});
    x.attach_grad();
    tensor y;
    {
      const recording on;
      y = x.astype(into);
    }
    backward(y, {.seed = from_data(weights, {3}, {.dtype = into})});
    CHECK(x.grad().dtype() == from);
    CHECK(numbers(x.grad()) == weights);
  }
}

}  // namespace troupe::testing
