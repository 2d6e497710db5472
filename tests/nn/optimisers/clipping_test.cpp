// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers.hpp"
#include "troupe/tests/nn/set_gradients.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using testing::array_of;
using testing::list;
using testing::parameter_of;

/// Two parameters of different dtypes, whose gradients together have the norm 13.
struct two_parameters {
  nn::parameter p = parameter_of({0, 0}), q = parameter_of({0}, float32);
  two_parameters() {
    p.set_grad(array_of({3, 4}));
    q.set_grad(array_of({-12}, float32));
  }
  std::vector<nn::parameter> all() const { return {p, q, nn::parameter()}; }
};

}  // namespace

TEST_CASE("gradients are scaled down to a common norm") {
  const test_engine e;
  const two_parameters net;
  CHECK(nn::grad_norm(net.all()).item<double>() == 13);
  CHECK(nn::clip_by_norm(net.all(), 26).item<double>() == 13);
  CHECK(numbers(net.p.grad()) == list{3, 4});
  CHECK(numbers(net.q.grad()) == list{-12});
  CHECK(nn::clip_by_norm(net.all(), 6.5).item<double>() == 13);
  CHECK(numbers(net.p.grad())[0] == Approx(1.5));
  CHECK(numbers(net.p.grad())[1] == Approx(2));
  CHECK(numbers(net.q.grad())[0] == Approx(-6));
  CHECK(net.q.grad().dtype() == float32);
  CHECK(nn::grad_norm(net.all()).item<double>() == Approx(6.5));
}

TEST_CASE("gradients are clamped to limits") {
  const test_engine e;
  const two_parameters net;
  nn::clip_by_value(net.all(), 3.5);
  CHECK(numbers(net.p.grad()) == list{3, 3.5});
  CHECK(numbers(net.q.grad()) == list{-3.5});
}

TEST_CASE("an optimiser clips by a group's norm, after gradients are divided by the batch size") {
  const test_engine e;
  for (const bool in_batches : {false, true}) {
    two_parameters net;
    nn::sgd optimiser({net.p, net.q}, {.rate = 1, .clip_norm = 6.5});
    if (in_batches) {
      net.p.set_grad(array_of({3 * 8, 4 * 8}));
      net.q.set_grad(array_of({-12 * 8}, float32));
      optimiser.step(8);
    } else {
      optimiser.step();
    }
    CHECK(numbers(net.p)[0] == Approx(-1.5));
    CHECK(numbers(net.p)[1] == Approx(-2));
    CHECK(numbers(net.q)[0] == Approx(6));
  }
  two_parameters net;
  nn::sgd optimiser({net.p}, {.rate = 1, .clip_norm = 6.5});
  optimiser.add({net.q}, {.rate = 1, .clip_norm = 1});
  optimiser.step();
  CHECK(numbers(net.p) == list{-3, -4});  // its own norm is 5
  CHECK(numbers(net.q)[0] == Approx(1));
}

TEST_CASE("an optimiser clamps the gradients it uses and leaves the originals unchanged") {
  const test_engine e;
  two_parameters net;
  nn::sgd optimiser({net.p, net.q}, {.rate = 1, .clip_value = 3.5});
  optimiser.step();
  CHECK(numbers(net.p) == list{-3, -3.5});
  CHECK(numbers(net.q) == list{3.5});
  CHECK(numbers(net.p.grad()) == list{3, 4});
}

TEST_CASE("parameters on several devices are clipped by the norm of all their gradients") {
  const test_engine e;
  auto p = parameter_of({0});
  nn::parameter q(array_of({0}).to(cpu(1)));
  p.set_grad(array_of({3}));
  q.set_grad(array_of({4}).to(cpu(1)));
  nn::sgd optimiser({p, q}, {.rate = 1, .clip_norm = 1});
  optimiser.step();
  CHECK(numbers(p)[0] == Approx(-0.6));
  CHECK(numbers(q)[0] == Approx(-0.8));
  CHECK(nn::clip_by_norm({p, q}, 2.5).item<double>() == 5);
  CHECK(numbers(q.grad())[0] == Approx(2));
  CHECK(q.grad().device() == cpu(1));
}

TEST_CASE("mistakes in clipping are refused") {
  const test_engine e;
  const two_parameters net;
  CHECK(TROUPE_ERROR_OF(nn::clip_by_norm(net.all(), 0)) ==
        "clip_by_norm: the limit is 0.0 and must be above 0");
  CHECK(TROUPE_ERROR_OF(nn::clip_by_value(net.all(), -1)) ==
        "clip_by_value: the limit is -1.0 and must be above 0");
  CHECK(TROUPE_ERROR_OF(nn::grad_norm({nn::parameter()})) ==
        "grad_norm: none of the parameters has a gradient");
  CHECK_FALSE(nn::clip_by_norm({nn::parameter()}, 1).defined());
}

}  // namespace troupe::testing
