// SPDX-License-Identifier: MIT
#include "troupe/nn/clone.hpp"

#include <memory>
#include <vector>

#include "troupe/nn/batch_norm.hpp"
#include "troupe/nn/dense.hpp"
#include "troupe/nn/module.hpp"
#include "troupe/nn/optimisers.hpp"
#include "troupe/nn/sequential.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

struct tied {
  nn::parameter shared{ones({2, 2})};
  nn::parameter again = shared;
  nn::batch_norm norm;
};

struct pointed {
  std::shared_ptr<nn::dense> layer = std::make_shared<nn::dense>(2);
};

}  // namespace

TEST_CASE("a clone of a network has the same numbers, and changes by itself") {
  test_engine e;
  nn::sequential net(nn::dense(3), nn::batch_norm(), nn::dense(2));
  const auto x = ones({4, 5});
  const auto before = numbers(net(x));
  auto copy = nn::clone(net);
  const auto mine = nn::parameters(net), others = nn::parameters(copy);
  REQUIRE(mine.size() == others.size());
  for (std::size_t i = 0; i < mine.size(); ++i) {
    CHECK_FALSE(mine[i] == others[i]);
    CHECK(numbers(mine[i].value()) == numbers(others[i].value()));
  }
  nn::sgd optimiser(others, {.rate = 0.5});
  {
    const recording on;
    sum(copy(x) * arange(2)).backward();
  }
  optimiser.step();
  CHECK(numbers(net(x)) == before);
  CHECK(numbers(others.back().value()) != numbers(mine.back().value()));
}

TEST_CASE("what layers share, those of a clone share among themselves") {
  test_engine e;
  tied net;
  auto copy = nn::clone(net);
  CHECK(copy.shared == copy.again);
  CHECK_FALSE(copy.shared == net.shared);
  CHECK(nn::parameters(copy).size() == nn::parameters(net).size());
  copy.shared.assign(zeros({2, 2}));
  CHECK(numbers(net.again.value()) == std::vector<double>(4, 1));
}

TEST_CASE("frozen parameters stay frozen in a clone, and those without an array have none") {
  test_engine e;
  nn::dense layer(2);
  auto copy = nn::clone(layer);
  CHECK(type_text(copy(ones({1, 3}))) == "float32[1,2]");
  CHECK_FALSE(nn::parameters(layer)[0].defined());
  for (auto p : nn::parameters(copy)) p.freeze();
  auto frozen = nn::clone(copy);
  for (const auto& p : nn::parameters(frozen)) CHECK_FALSE(p.trained());
}

TEST_CASE("layers behind pointers cannot be cloned, and stay as they are") {
  test_engine e;
  pointed net;
  const auto before = nn::parameters(net);
  CHECK(TROUPE_ERROR_OF(nn::clone(net)) ==
        "clone: a pointer leads to 0.weight, which a copy shares");
  CHECK(nn::parameters(net)[0] == before[0]);
}

}  // namespace troupe::testing
