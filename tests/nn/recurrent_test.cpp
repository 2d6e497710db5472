// SPDX-License-Identifier: MIT
#include <cmath>

#include "troupe/actors/runtime.hpp"
#include "troupe/nn/gru.hpp"
#include "troupe/nn/lstm.hpp"
#include "troupe/nn/sequential.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"
#include "troupe/tests/nn/trained.hpp"

namespace troupe::testing {

namespace {

using doubles = std::vector<double>;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// Weights of one layer in one direction, and the sizes, for loops over single numbers.
struct plain_weights {
  std::size_t inputs, hidden, gates;
  doubles w, v, b, c;

  plain_weights(const nn::recurrent_weights& from, std::size_t gate_count)
      : inputs(static_cast<std::size_t>(from.input_weight.value().shape()[0])),
        hidden(static_cast<std::size_t>(from.state_weight.value().shape()[0])),
        gates(gate_count),
        w(numbers(from.input_weight)),
        v(numbers(from.state_weight)),
        b(from.has_bias ? numbers(from.input_bias) : doubles(gates * hidden)),
        c(from.has_bias ? numbers(from.state_bias) : doubles(gates * hidden)) {}

  double of_x(const double* x, std::size_t gate, std::size_t j) const {
    double sum = b[gate * hidden + j];
    for (std::size_t i = 0; i < inputs; ++i) sum += x[i] * w[(i * gates + gate) * hidden + j];
    return sum;
  }
  double of_h(const doubles& h, std::size_t gate, std::size_t j) const {
    double sum = c[gate * hidden + j];
    for (std::size_t i = 0; i < hidden; ++i) sum += h[i] * v[(i * gates + gate) * hidden + j];
    return sum;
  }
};

/// Computes a step of one sample, from PyTorch's formulas.
void lstm_step(const plain_weights& p, const double* x, doubles& h, doubles& cell) {
  const auto before = h;
  const auto z = [&](std::size_t gate, std::size_t j) {
    return p.of_x(x, gate, j) + p.of_h(before, gate, j);
  };
  for (std::size_t j = 0; j < p.hidden; ++j) {
    const double i = logistic(z(0, j)), f = logistic(z(1, j)), g = std::tanh(z(2, j)),
                 o = logistic(z(3, j));
    cell[j] = f * cell[j] + i * g;
    h[j] = o * std::tanh(cell[j]);
  }
}

void gru_step(const plain_weights& p, const double* x, doubles& h, doubles&) {
  const auto before = h;
  for (std::size_t j = 0; j < p.hidden; ++j) {
    const double r = logistic(p.of_x(x, 0, j) + p.of_h(before, 0, j)),
                 z = logistic(p.of_x(x, 1, j) + p.of_h(before, 1, j)),
                 n = std::tanh(p.of_x(x, 2, j) + r * p.of_h(before, 2, j));
    h[j] = (1 - z) * n + z * before[j];
  }
}

struct plain_result {
  doubles output, hidden, cell;
};

/// Runs all layers and directions over x [time, batch, inputs], from states [layers * directions,
/// batch, hidden].
template <class Net>
plain_result plain_run(Net& net, std::size_t gates, const nn::recurrent_options& o, doubles x,
                       std::size_t time, std::size_t batch, doubles h0, doubles c0) {
  plain_result out{{}, h0, c0};
  const std::size_t directions = o.bidirectional ? 2 : 1;
  for (int layer = 0; layer < o.layers; ++layer) {
    doubles y;
    std::size_t wide = 0;
    for (std::size_t d = 0; d < directions; ++d) {
      const plain_weights p(net.weights(layer, d == 1), gates);
      wide = p.hidden * directions;
      y.resize(time * batch * wide);
      for (std::size_t s = 0; s < batch; ++s) {
        const auto state =
            ((static_cast<std::size_t>(layer) * directions + d) * batch + s) * p.hidden;
        const auto part = [&](const doubles& from) {
          const auto begin = from.begin() + static_cast<std::ptrdiff_t>(state);
          return doubles(begin, begin + static_cast<std::ptrdiff_t>(p.hidden));
        };
        auto h = part(h0), cell = part(c0);
        for (std::size_t k = 0; k < time; ++k) {
          const auto t = d == 0 ? k : time - 1 - k;
          (gates == 4 ? lstm_step : gru_step)(p, &x[(t * batch + s) * p.inputs], h, cell);
          for (std::size_t j = 0; j < p.hidden; ++j)
            y[(t * batch + s) * wide + d * p.hidden + j] = h[j];
        }
        for (std::size_t j = 0; j < p.hidden; ++j)
          out.hidden[state + j] = h[j], out.cell[state + j] = cell[j];
      }
    }
    x = y;
  }
  out.output = x;
  return out;
}

const std::vector<nn::recurrent_options> variants = {
    {},
    {.bias = false},
    {.layers = 3},
    {.bidirectional = true},
    {.layers = 2, .bidirectional = true},
};

constexpr std::int64_t features = 4, hidden = 3;

}  // namespace

TEST_CASE("an lstm computes PyTorch's formulas, from any first state") {
  test_engine e;
  for (const auto& o : variants) {
    for (std::int64_t time : {1, 5}) {
      CAPTURE(o.layers, o.bidirectional, o.bias, time);
      nn::lstm net(hidden, o);
      const auto states = o.layers * (o.bidirectional ? 2 : 1);
      const auto x = spread({time, 2, features}), h = spread({states, 2, hidden}, 1),
                 c = spread({states, 2, hidden}, 2);
      const auto [y, state] = net.run(x, {h, c});
      const auto want = plain_run(net, 4, o, numbers(x), static_cast<std::size_t>(time), 2,
                                  numbers(h), numbers(c));
      CHECK(y.shape() == shape{time, 2, hidden * (o.bidirectional ? 2 : 1)});
      check_near(y, want.output);
      check_near(state.hidden, want.hidden);
      check_near(state.cell, want.cell);
      // Zeros if no state is given.
      const doubles none(static_cast<std::size_t>(states * 2 * hidden));
      check_near(
          net(x),
          plain_run(net, 4, o, numbers(x), static_cast<std::size_t>(time), 2, none, none).output);
    }
  }
}

TEST_CASE("a gru computes PyTorch's formulas, from any first state") {
  test_engine e;
  for (const auto& o : variants) {
    for (std::int64_t time : {1, 5}) {
      CAPTURE(o.layers, o.bidirectional, o.bias, time);
      nn::gru net(hidden, o);
      const auto states = o.layers * (o.bidirectional ? 2 : 1);
      const auto x = spread({time, 2, features}), h = spread({states, 2, hidden}, 1);
      const auto [y, state] = net.run(x, h);
      const auto want = plain_run(net, 3, o, numbers(x), static_cast<std::size_t>(time), 2,
                                  numbers(h), numbers(h));
      check_near(y, want.output);
      check_near(state, want.hidden);
    }
  }
}

TEST_CASE("with the batch first, x and the output are transposed and nothing else changes") {
  test_engine e;
  for (const bool both : {false, true}) {
    nn::lstm net(hidden, {.layers = 2, .bidirectional = both}),
        turned(hidden, {.layers = 2, .bidirectional = both, .batch_first = true});
    const auto x = spread({5, 2, features});
    const auto [y, state] = net.run(x);
    for (int layer : {0, 1}) {
      for (int d = 0; d <= int{both}; ++d)
        turned.weights(layer, d == 1) = net.weights(layer, d == 1);
    }
    const auto [z, last] = turned.run(copy(swapaxes(x, 0, 1)));
    CHECK(z.shape() == shape{2, 5, hidden * (both ? 2 : 1)});
    check_near(swapaxes(z, 0, 1), numbers(y));
    check_near(last.hidden, numbers(state.hidden));
    check_near(last.cell, numbers(state.cell));
  }
}

TEST_CASE("a run in two parts gives the result of one run") {
  test_engine e;
  const auto x = spread({7, 2, features});
  nn::lstm a(hidden, {.layers = 2});
  const auto [y, state] = a.run(x);
  const auto [y1, s1] = a.run(x[range{0, 3}]);
  const auto [y2, s2] = a.run(x[range{3, 7}], s1);
  check_near(concatenate({y1, y2}), numbers(y));
  check_near(s2.cell, numbers(state.cell));
  nn::gru b(hidden, {.layers = 2});
  const auto [u, last] = b.run(x);
  const auto [u1, l1] = b.run(x[range{0, 3}]);
  const auto [u2, l2] = b.run(x[range{3, 7}], l1);
  check_near(concatenate({u1, u2}), numbers(u));
  check_near(l2, numbers(last));
}

namespace {

/// Checks gradients; `run(net, x, state, state)` returns one tensor of all results.
template <class Net, class Run>
void check_recurrent_gradients(Run&& run) {
  for (const auto& o : variants) {
    for (std::int64_t time : {1, 3}) {
      CAPTURE(o.layers, o.bidirectional, o.bias, time);
      Net net(hidden, o);
      const auto states = o.layers * (o.bidirectional ? 2 : 1);
      const std::vector<tensor> in{spread({time, 2, features}), spread({states, 2, hidden}, 1),
                                   spread({states, 2, hidden}, 2)};
      check_gradients([&](const std::vector<tensor>& t) { return run(net, t[0], t[1], t[2]); }, in);
      check_parameter_gradients(net, [&] { return run(net, in[0], in[1], in[2]); });
    }
  }
}

}  // namespace

TEST_CASE("the gradients of an lstm agree with finite differences") {
  test_engine e;
  check_recurrent_gradients<nn::lstm>(
      [](nn::lstm& net, const tensor& x, const tensor& h, const tensor& c) {
        const auto [y, state] = net.run(x, {h, c});
        return concatenate({flatten(y), flatten(state.hidden), flatten(state.cell)});
      });
}

TEST_CASE("the gradients of a gru agree with finite differences") {
  test_engine e;
  check_recurrent_gradients<nn::gru>(
      [](nn::gru& net, const tensor& x, const tensor& h, const tensor& other) {
        const auto [y, state] = net.run(x, h);
        return concatenate({flatten(y), flatten(state), flatten(other)});
      });
}

namespace {

template <class Net>
void check_second_gradient(const nn::recurrent_options& o) {
  Net net(hidden, o);
  const auto x = spread({3, 2, features});
  net(x);
  const auto slope = [&](const tensor& t) {
    return grad([&](const tensor& u) { return sum(square(net(u))); })(t);
  };
  check_gradients([&](const std::vector<tensor>& t) { return slope(t[0]); }, {x});
  // Also checks the effect of x on the gradients of the parameters.
  check_gradients(
      [&](const std::vector<tensor>& t) {
        tensor total;
        {
          const recording on;
          total = sum(square(net(t[0])));
        }
        std::vector<tensor> all, flat;
        for (const auto& p : nn::parameters(net)) all.push_back(p.value());
        for (const auto& g : gradients(total, all, {.record = recording::active()}))
          flat.push_back(flatten(g));
        return concatenate(flat);
      },
      {x});
}

}  // namespace

TEST_CASE("the gradients of the gradients of recurrent layers agree with finite differences") {
  test_engine e;
  for (const bool both : {false, true}) {
    check_second_gradient<nn::lstm>({.layers = 2, .bidirectional = both});
    check_second_gradient<nn::gru>({.layers = 2, .bidirectional = both});
  }
}

TEST_CASE("a recorded run allows a second backward pass if the first keeps it") {
  test_engine e;
  nn::gru net(hidden);
  auto x = spread({3, 2, features});
  x.attach_grad();
  tensor loss;
  {
    const recording on;
    loss = sum(net(x));
  }
  backward(loss, {.keep = true});
  const auto once = numbers(x.grad());
  x.zero_grad();
  backward(loss);
  CHECK(numbers(x.grad()) == once);
  CHECK_THROWS_WITH(backward(loss), Catch::Contains("is gone since an earlier backward pass"));
}

TEST_CASE("an initial state can be detached, and no gradient flows back beyond it") {
  test_engine e;
  nn::lstm net(hidden);
  auto x = spread({3, 2, features}), next = spread({3, 2, features}, 1);
  x.attach_grad(), next.attach_grad();
  {
    const recording on;
    const auto [y, state] = net.run(x);
    sum(net.run(next, state.detach()).output).backward();
  }
  CHECK(next.grad().defined());
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("parameters of recurrent layers are named by layer number") {
  struct names final : nn::visitor {
    void at(nn::parameter&) override { all.push_back(path()); }
    std::vector<std::string> all;
  };
  nn::lstm net(hidden, {.layers = 2, .bidirectional = true});
  names to;
  nn::visit(net, to);
  REQUIRE(to.all.size() == 16);
  CHECK(to.all[0] == "0.input_weight");
  CHECK(to.all[5] == "0_reverse.state_weight");
  CHECK(to.all[15] == "1_reverse.state_bias");
  nn::gru bare(hidden, {.bias = false});
  CHECK(nn::parameters(bare).size() == 2);
}

TEST_CASE("a recurrent layer in a sequence learns") {
  test_engine e;
  nn::sequential net{nn::gru(8), nn::lstm(4)};
  const auto x = spread({6, 3, features}, 0, float32);
  const auto target = spread({6, 3, 4}, 1, float32) * 0.3;
  const auto loss = [&] {
    const recording on;
    return mean(square(net(x) - target));
  };
  const auto before = loss().item<double>();
  for (int i = 0; i < 100; ++i) {
    loss().backward();
    for (auto& p : nn::parameters(net)) {
      p.assign(p.value() - 2.0 * p.grad());
      p.zero_grad();
    }
  }
  CHECK(loss().item<double>() < 0.5 * before);
}

TEST_CASE("dropout between recurrent layers applies in training only, and not after the last one") {
  test_engine e;
  const auto x = spread({4, 2, features});
  nn::lstm one(hidden, {.dropout = 0.5}), two(hidden, {.layers = 2, .dropout = 0.5});
  CHECK(numbers(one(x)) == numbers(one(x)));
  CHECK(numbers(two(x)) != numbers(two(x)));
  nn::eval(two);
  CHECK(numbers(two(x)) == numbers(two(x)));
}

namespace {

/// Trains a network with both kinds of layers for some steps.
std::vector<float> trained_weights(const runtime_options& options) {
  runtime rt(options);
  rt.seed(7);
  nn::lstm first(24, {.layers = 2, .bidirectional = true, .dropout = 0.3});
  nn::gru second(16, {.batch_first = true});
  return descended(
      0.5,
      [&] {
        return mean(square(second(first(normal({6, 9, 10})))));
      },
      [&] {
        auto all = nn::parameters(first);
        for (const auto& p : nn::parameters(second)) all.push_back(p);
        return all;
      });
}

}  // namespace

TEST_CASE("training recurrent layers gives bit-equal weights on any number of lanes") {
  check_same_on_any_lanes(trained_weights);
}

TEST_CASE("inputs that do not fit a recurrent layer are refused in one line") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(nn::lstm(0)) == "lstm: 0 hidden units: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::gru(3, {.layers = 0})) == "gru: 0 layers: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::gru(3, {.dropout = 1.5})) ==
        "dropout: a rate of 1.5 is not between 0 and 1");
  nn::lstm net(hidden);
  nn::lstm batches(hidden, {.batch_first = true});
  const auto x = spread({5, 2, features});
  CHECK(TROUPE_ERROR_OF(net(tensor())) == "lstm: x is a tensor without an array");
  CHECK(TROUPE_ERROR_OF(net(ones({5, 2, 4}, int32))) ==
        "lstm: x is int32[5,2,4], but must have floats");
  CHECK(TROUPE_ERROR_OF(net(ones({2, 4}))) ==
        "lstm: x is float32[2,4], but must have at least 3 axes");
  CHECK(TROUPE_ERROR_OF(net(ones({1, 5, 2, 4}))) ==
        "lstm: x is float32[1,5,2,4], but must be [time, batch, features]");
  CHECK(TROUPE_ERROR_OF(batches(ones({2, 0, 4}))) ==
        "lstm: x is float32[2,0,4], [batch, time, features]: there is no step");
  net(x);
  CHECK(TROUPE_ERROR_OF(net(ones({5, 2, 7}))) ==
        "lstm: 4 features expected, but x is float32[5,2,7]");
  CHECK(TROUPE_ERROR_OF(net.run(x, {.hidden = ones({1, 3, 3}, float64), .cell = {}})) ==
        "lstm: the first hidden state is float64[1,3,3] on cpu:0, but must be float64[1,2,3] on "
        "cpu:0");
  CHECK(TROUPE_ERROR_OF(net.run(x, {.hidden = {}, .cell = ones({1, 2, 3})})) ==
        "lstm: the first cell state is float32[1,2,3] on cpu:0, but must be float64[1,2,3] on "
        "cpu:0");
  CHECK(TROUPE_ERROR_OF(net.weights(1)) == "lstm: there is no layer 1 among 1");
  CHECK(TROUPE_ERROR_OF(net.weights(0, true)) == "lstm: it is not bidirectional");
  CHECK_NOTHROW(net(zeros({5, 0, 4}, float64)).wait());  // an empty batch is no mistake
}

TEST_CASE("a recurrent layer runs where its input is") {
  test_engine e;
  nn::lstm net(hidden);
  const auto x = spread({5, 2, features});
  const auto y = net(x);
  const auto there = net(x.to(cpu(1)));
  CHECK(there.device() == cpu(1));
  CHECK(numbers(there) == numbers(y));
}

TEST_CASE("tasks of a recurrent layer have the user's line as call site") {
  runtime rt({.lanes = 1, .synchronous = false});
  nn::gru net(hidden);
  const auto x = ones({3, 2, features});
  net(x);
  rt.wait_all();
  const auto since = now();
  net(x);
  const auto line = __LINE__ - 1;
  rt.wait_all();
  const auto log = rt.trace(since);
  CHECK(log.events.size() > 10);
  for (const auto& event : log.events) CHECK(static_cast<int>(event.call_site.line()) == line);
}

}  // namespace troupe::testing
