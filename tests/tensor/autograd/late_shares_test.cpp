// SPDX-License-Identifier: MIT
#include <random>
#include <vector>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/effort.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// Returns the numbers in program order of the gradients of three layers' weights, which lie on one
/// device while another one computes.
std::vector<std::uint64_t> order_of_gradients(device computes) {
  synchronous_engine engine(two_devices(), 100000);
  std::vector<tensor> weights;
  for (int layer = 0; layer < 3; ++layer) weights.push_back(ones({3, 3}).attach_grad());
  {
    const recording on;
    auto x = ones({2, 3}, {.device = computes});
    for (const auto& w : weights) x = matmul(x, to(w, computes));
    to(sum(x), cpu(0)).backward();
  }
  std::vector<std::uint64_t> out;
  for (const auto& w : weights) out.push_back(w.grad().source()->sequence);
  return out;
}

/// A program of products and sums on two devices, with weights on the first that several of them
/// read, each as a copy, as a float of half the size, as a part, or through the copy of another.
/// All numbers are small integers. Returns the gradients, by `backward` or by `gradients`.
std::vector<std::vector<double>> gradients_of_program(unsigned seed, bool several, bool collect) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  const auto somewhere = [&] {
    const bool second = below(2) == 1;  // the same draws for one device
    return cpu(second && several ? 1 : 0);
  };
  const auto matrix = [&](device at) {
    std::vector<double> all(9);
    for (auto& one : all) one = static_cast<double>(below(3)) - 1;
    return from_data(all, {3, 3}, {.dtype = float64, .device = at});
  };
  synchronous_engine engine(two_devices(), 0);
  std::vector<tensor> weights, states, copies;
  for (int i = 0; i < 3; ++i) weights.push_back(matrix(cpu(0)).attach_grad());
  const recording on;
  const auto weight = [&](device at) {
    const auto& w = weights[below(weights.size())];
    switch (below(5)) {
      case 0: return astype(to(astype(w, float32), at), float64);
      case 1: return to(w, at).T();
      case 2: return to(w.T(), at);
      case 3:
        if (!copies.empty()) return to(copies[below(copies.size())], at);
        [[fallthrough]];
      default: return copies.emplace_back(to(w, at));
    }
  };
  states.push_back(matrix(somewhere()));
  const auto steps = 2 + below(8);
  for (std::size_t i = 0; i < steps; ++i) {
    const auto at = somewhere();
    const auto x = to(states[below(states.size())], at);
    switch (below(4)) {
      case 0: states.push_back(x + weight(at)); break;
      case 1: states.push_back(matmul(weight(at), x) - weight(at)); break;
      case 2: states.push_back(x + to(states[below(states.size())], at)); break;
      default: states.push_back(matmul(x, weight(at))); break;
    }
  }
  tensor loss = zeros({}, float64);
  for (const auto& s : states) loss = loss + to(sum(s), cpu(0));
  std::vector<std::vector<double>> out;
  if (collect && loss.node()) loss.backward();
  const auto found = collect ? std::vector<tensor>() : gradients(loss, weights);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto g = collect ? weights[i].grad() : found[i];
    out.push_back(g.defined() ? numbers(g) : std::vector<double>(9));
  }
  return out;
}

}  // namespace

TEST_CASE("gradients that travel come first of the layer that is used first, all others by layer") {
  const auto local = order_of_gradients(cpu(0)), far = order_of_gradients(cpu(1));
  CHECK(local[2] < local[1]);
  CHECK(local[1] < local[0]);
  CHECK(far[2] < far[0]);
  CHECK(far[0] < far[1]);
}

TEST_CASE("gradients are the same when shares of them come later") {
  for (int seed = 0; seed < cases(400); ++seed) {
    CAPTURE(seed);
    const auto number = static_cast<unsigned>(seed);
    const auto expected = gradients_of_program(number, false, true);
    CHECK(gradients_of_program(number, true, true) == expected);
    CHECK(gradients_of_program(number, true, false) == expected);
  }
}

}  // namespace troupe::testing
