// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe {

namespace {

/// Where an operation's inputs are drawn from: inside the domain, away from steps and ties.
std::pair<double, double> range_for(std::string_view name) {
  static const std::set<std::string_view> positive = {
      "sqrt",  "rsqrt",     "cbrt", "log",   "log2",   "log10",       "log1p",
      "power", "remainder", "fmod", "hypot", "divide", "floor_divide"};
  if (positive.count(name)) return {0.5, 2.5};
  if (name == "arccosh") return {1.5, 3.};
  if (name == "arcsin" || name == "arccos" || name == "arctanh") return {-0.8, 0.8};
  return {-2., 2.};
}

/// Numbers that are all different, scattered over the range.
std::vector<double> spread_numbers(std::int64_t count, std::pair<double, double> range, int seed) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = std::fmod(0.31 + 0.61803398875 * static_cast<double>(i + 17 * seed), 1.);
    out.push_back(range.first + (range.second - range.first) * share);
  }
  return out;
}

struct case_of_one {
  std::vector<tensor> inputs;
  std::vector<std::vector<double>> values;
};

case_of_one inputs_for(const operation& op, const sample& s) {
  case_of_one out;
  for (const auto& t : s.inputs) {
    const int seed = static_cast<int>(out.inputs.size());
    std::vector<double> v;
    if (is_floating(t.element)) v = spread_numbers(t.dims.size(), range_for(op.name), seed);
    else
      for (std::int64_t i = 0; i < t.dims.size(); ++i)
        v.push_back(static_cast<double>((i * 5 + seed) % 3));
    out.inputs.push_back(from_data(v, t.dims, {.dtype = t.element}));
    out.values.push_back(std::move(v));
  }
  return out;
}

/// The sum of all elements of f, each times a weight of its own.
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

/// Casts from float64 round too much for finite differences; see below.
bool smooth_enough(const operation& op) {
  return op.gradient == differentiability::available && op.name != "astype";
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
      for (auto& x : with)
        if (x.dtype() == float64) x.attach_grad();
      tensor out;
      {
        const recording on;
        out = s.call(with);
      }
      if (!is_floating(out.dtype()) || !out.made()) continue;
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
          // Of the fourth order, so that the error of the difference is below 1e-9.
          const double want =
              (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
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

TEST_CASE("the gradient of a cast is what arrives, in the dtype of the input") {
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

}  // namespace troupe
