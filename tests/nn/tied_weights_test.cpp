// SPDX-License-Identifier: MIT
#include "troupe/nn/nn.hpp"
#include "troupe/tensor/io/safetensors.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"
#include "troupe/tests/temporary_folder.hpp"

namespace troupe::testing {

namespace {

/// Language model without a context, whose table of tokens is its last layer, too.
struct tied_model {
  nn::embedding table{5, 3, {.dtype = float64}};
  nn::dense between{3, tanh};

  tensor operator()(const tensor& tokens) const { return table.scores(between(table(tokens))); }
};

}  // namespace

TEST_CASE("an embedding's scores are the products with its vectors") {
  test_engine e;
  nn::embedding table(4, 2, {.dtype = float64});
  table(tensor{0});
  table.weight.assign(spread({4, 2}));
  const auto w = numbers(table.weight);
  const auto y = table.scores(tensor{{1., 10.}});
  CHECK(type_text(y) == "float64[1,4]");
  check_near(y, {w[0] + 10 * w[1], w[2] + 10 * w[3], w[4] + 10 * w[5], w[6] + 10 * w[7]});
  CHECK(TROUPE_ERROR_OF(table.scores(ones({2, 3}))) ==
        "embedding: 2 features expected, but x is float32[2,3]");
}

TEST_CASE("a weight in two layers gets the gradients of both, and is saved once") {
  test_engine e;
  tied_model net;
  const auto tokens = tensor{0, 3, 3, 4};
  net(tokens);
  CHECK(nn::parameters(net).size() == 3);
  check_parameter_gradients(net, [&] { return net(tokens); });
  const temporary_folder folder;
  nn::save(folder / "tied", net);
  CHECK(load_safetensors(folder / "tied").tensors.size() == 3);
  tied_model same;
  nn::load(folder / "tied", same);
  CHECK(numbers(same(tokens)) == numbers(net(tokens)));
}

TEST_CASE("layers share a weight that is assigned from one to the other") {
  test_engine e;
  struct pair {
    nn::dense first{3}, second{3};
  } net;
  net.second.weight = net.first.weight;
  const auto x = spread({2, 3});
  net.second(net.first(x));
  CHECK(nn::parameters(net).size() == 3);
  const temporary_folder folder;
  nn::save(folder / "pair", net);
  CHECK(load_safetensors(folder / "pair").tensors.contains("0.weight"));
  CHECK_FALSE(load_safetensors(folder / "pair").tensors.contains("1.weight"));
  pair other;
  other.second.weight = other.first.weight;
  nn::load(folder / "pair", other);
  CHECK(numbers(other.second(x)) == numbers(net.second(x)));
  net.first.weight.assign(zeros({3, 3}, float64));
  CHECK(numbers(net.second(x)) == numbers(net.first(x)));
}

}  // namespace troupe::testing
