// SPDX-License-Identifier: MIT
#include "troupe/nn/checkpoint.hpp"

#include "troupe/nn/nn.hpp"
#include "troupe/tests/nn/trained.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/tests/tensor/test_engine.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

namespace {

struct checkpoints : test_engine {
  temporary_folder folder;
  std::string file = folder / "net.safetensors";
};

nn::sequential small_net() {
  return nn::sequential{nn::dense(4, relu), nn::batch_norm(), nn::dense(2)};
}

/// Training with all kinds of state: dropout draws random numbers, the rate follows a schedule,
/// adam has states.
struct training {
  nn::sequential net{nn::dense(8, tanh), nn::dropout(0.3), nn::batch_norm(), nn::dense(1)};
  nn::adamw optimiser;
  nn::variable best{full({}, 1e9)};

  training()
      : optimiser((net(zeros({2, 3})), nn::parameters(net)), {.rate = nn::cosine(0.05, 40)}) {}

  void run(int first, int last) {
    for (int i = first; i < last; ++i) {
      const auto x = sin(arange(48).astype(float32) * (i + 1.f)).reshape({16, 3});
      const auto loss =
          optimiser.minimise([&] { return nn::mse_loss(net(x), sum(x, 1, keepdims)); });
      best.assign(minimum(best.value(), loss));
    }
  }
  std::vector<nn::checkpoint_part> parts() {
    return {{"net", net}, {"optimiser", optimiser}, {"best", best}};
  }
  std::vector<float> everything() {
    numbers_seen found;
    for (const auto& p : parts()) p.visit(found);
    return found.numbers;
  }
};

}  // namespace

TEST_CASE("training resumed from a checkpoint is bit-equal to an uninterrupted run") {
  const temporary_folder folder;
  const auto file = folder / "run.safetensors";
  std::vector<float> whole;
  {
    runtime rt({.lanes = 2});
    seed(11);
    training t;
    t.run(0, 7);
    nn::save_checkpoint(file, t.parts());
    t.run(7, 15);
    whole = t.everything();
  }
  for (const bool stepped :
       {false, true}) {  // into new objects, and over objects with a state of their own
    CAPTURE(stepped);
    runtime rt({.lanes = 2});
    seed(99);
    training t;
    if (stepped) t.run(0, 3);
    nn::load_checkpoint(file, t.parts());
    CHECK(t.optimiser.steps() == 7);
    t.run(7, 15);
    CHECK(t.everything() == whole);
  }
}

TEST_CASE_METHOD(checkpoints, "a network is saved and loaded, before its first call or after it") {
  auto net = small_net();
  const auto x = normal({5, 3});
  net(x);
  nn::eval(net);
  nn::save(file, net);
  const auto want = numbers(net(x));
  auto fresh = small_net(), used = small_net();
  used(x);
  for (auto* other : {&fresh, &used}) {
    nn::load(file, *other);
    nn::eval(*other);
    CHECK(numbers((*other)(x)) == want);
  }
  CHECK(nn::parameters(fresh)[0].trained());
}

TEST_CASE_METHOD(checkpoints, "a layer refuses arrays of other sizes that were loaded into it") {
  const auto refusal = [&](auto layer, const shape& x, const shape& weight, const shape& bias) {
    save_safetensors(file, {{"weight", ones(weight)}, {"bias", ones(bias)}});
    nn::load(file, layer);
    return TROUPE_ERROR_OF(layer(ones(x)));
  };
  CHECK(refusal(nn::conv1d(2, 5), {1, 1, 9}, {5, 1, 3}, {5}) ==
        "conv1d: weight is float32[5,1,3], but the layer needs [2,1,5]");
  CHECK(refusal(nn::conv2d(2, 5), {1, 1, 7, 7}, {5, 1, 3, 3}, {5}) ==
        "conv2d: weight is float32[5,1,3,3], but the layer needs [2,1,5,5]");
  CHECK(refusal(nn::conv2d(2, 3), {1, 1, 7, 7}, {2, 1, 3, 3}, {5}) ==
        "conv2d: bias is float32[5], but the layer needs [2]");
  CHECK(refusal(nn::conv3d(2, 3), {1, 1, 7, 7, 7}, {2, 1, 3}, {2}) ==
        "conv3d: weight is float32[2,1,3], but the layer needs [2,1,3,3,3]");
  CHECK(refusal(nn::conv_transpose2d(2, 3), {1, 1, 7, 7}, {1, 2, 3, 3}, {}) ==
        "conv_transpose2d: bias is float32[], but the layer needs [2]");
  CHECK(refusal(nn::group_norm(2), {1, 4, 7}, {}, {4}) ==
        "group_norm: weight is float32[], but the layer needs [4]");
  CHECK(refusal(nn::dense(3), {1, 4}, {4, 3}, {4}) ==
        "dense: bias is float32[4], but the layer needs [3]");
  save_safetensors(file, {{"weight", ones({5, 4})}});
  nn::embedding words(10, 7);
  nn::load(file, words);
  CHECK(TROUPE_ERROR_OF(words(tensor{1, 2})) ==
        "embedding: weight is float32[5,4], but the layer needs [10,7]");
  nn::lstm four(4), three(3);
  four(ones({2, 3, 1}));
  nn::save(file, four);
  nn::load(file, three);
  CHECK(TROUPE_ERROR_OF(three(ones({2, 3, 1}))) ==
        "lstm: input_weight is float32[1,16], but the layer needs [1,12]");
}

TEST_CASE_METHOD(checkpoints, "loading clears gradients and leaves arrays on their devices") {
  nn::dense layer(2);
  layer(ones({1, 3}).to(cpu(1)));
  nn::save(file, layer);
  {
    const recording on;
    sum(layer(ones({1, 3}).to(cpu(1)))).backward();
  }
  REQUIRE(layer.weight.grad().defined());
  nn::load(file, layer);
  CHECK_FALSE(layer.weight.grad().defined());
  CHECK(layer.weight.value().device() == cpu(1));
}

TEST_CASE("the state of a network is kept without a file, and given back to it or to another one") {
  test_engine e;
  auto net = small_net(), other = small_net();
  const auto x = normal({8, 3});
  CHECK_THAT(TROUPE_ERROR_OF(nn::state_of(net)), Catch::Contains("\"0.weight\" has no array yet"));
  nn::sgd optimiser((net(x), nn::parameters(net)), {.rate = 0.1});
  const auto step = [&] {
    optimiser.minimise([&] { return nn::l2_loss(net(x), x(every, range{1})); });
  };
  step();
  const auto best = nn::state_of(net);
  CHECK(best.size() == 8);
  const auto weight = numbers(best.at("0.weight")), mean = numbers(best.at("1.running_mean"));
  step();
  CHECK(numbers(nn::state_of(net).at("0.weight")) != weight);
  CHECK(numbers(nn::state_of(net).at("1.running_mean")) != mean);
  CHECK(numbers(best.at("0.weight")) == weight);
  nn::restore(net, best);
  nn::restore(other, best);
  nn::eval(net);
  nn::eval(other);
  CHECK(numbers(net(x)) == numbers(other(x)));
  CHECK(numbers(nn::state_of(other).at("1.running_mean")) == mean);
  nn::train(net);
  step();  // gradients flow as before
  CHECK(numbers(nn::state_of(net).at("0.weight")) != weight);
  CHECK_THAT(TROUPE_ERROR_OF(nn::restore(net, named_tensors{{"0.weight", ones({3, 4})}})),
             Catch::Contains("\"0.bias\" is missing"));
  nn::sequential wider{nn::dense(5)};
  wider(x);
  CHECK_THAT(TROUPE_ERROR_OF(nn::restore(wider, best)),
             Catch::Contains("\"0.weight\" is float32[3,4]"));
}

TEST_CASE_METHOD(checkpoints, "an array that two layers share is stored once") {
  struct tied {
    nn::parameter a{ones({2})}, b{a};
  } net;
  nn::save(file, net);
  const auto arrays = load_safetensors(file).tensors;
  CHECK(arrays.size() == 1);
  CHECK(arrays.find("0") != nullptr);
}

TEST_CASE_METHOD(checkpoints,
                 "an array that does not fit is refused by name, and nothing changes") {
  nn::dense layer(2), other(3), unused(2), plain(2, {.bias = false});
  layer(ones({1, 3}));
  plain(ones({1, 3}));
  nn::save(file, layer);
  const auto refused = [&](const std::string& why, const std::string& what = "load") {
    return what + ": " + file + ": " + why;
  };
  other(ones({1, 3}));
  const auto before = numbers(other.weight);
  CHECK(TROUPE_ERROR_OF(nn::load(file, other)) ==
        refused("\"weight\" is float32[3,2], but here float32[3,3]"));
  CHECK(numbers(other.weight) == before);
  CHECK(TROUPE_ERROR_OF(nn::load(file, plain)) ==
        refused("\"bias\", float32[2], is there, but nothing of that name here"));
  nn::sequential inner{nn::dense(2)};
  CHECK(TROUPE_ERROR_OF(nn::load(file, inner)) == refused("\"0.weight\" is missing"));
  CHECK(TROUPE_ERROR_OF(nn::save(file, unused)) ==
        refused("\"weight\" has no array yet: its layer learns its shape when it is first called",
                "save"));
  CHECK(TROUPE_ERROR_OF(nn::load_checkpoint(file, {{"", layer}})) ==
        refused("is no checkpoint: it does not say the random key", "load_checkpoint"));
  nn::flatten nothing;
  CHECK(TROUPE_ERROR_OF(nn::save(file, nothing)) ==
        refused("the network has no parameters and no variables", "save"));
  CHECK(TROUPE_ERROR_OF(nn::save_checkpoint(file, {{"a", layer}, {"b", layer}})) ==
        refused("\"b\" has no parameters and no variables that are not in a part before it",
                "save_checkpoint"));
  CHECK(TROUPE_ERROR_OF(nn::save_checkpoint(file, {{"a", layer}, {"a", other}})) ==
        refused("two arrays have the name \"a.weight\"", "save_checkpoint"));
  nn::load(file, layer);  // after all of that the file is unchanged
}

TEST_CASE_METHOD(checkpoints, "a file truncated anywhere is refused, and nothing changes") {
  nn::dense layer(2);
  layer(ones({1, 3}));
  nn::save_checkpoint(file, {{"net", layer}});
  const auto bytes = bytes_in(file);
  const auto before = numbers(layer.weight);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    put_bytes(file, bytes.substr(0, length));
    REQUIRE_THROWS_AS(nn::load_checkpoint(file, {{"net", layer}}), error);
    REQUIRE(numbers(layer.weight) == before);
  }
}

TEST_CASE_METHOD(checkpoints,
                 "a weight that could not be computed leaves the older file in place") {
  nn::dense layer(2);
  layer(ones({1, 3}));
  nn::save(file, layer);
  const auto bytes = bytes_in(file);
  layer.bias.assign(call("broken", {}, {float32, {2}},
                         [](const inputs&, outputs&) { throw std::runtime_error("no luck"); }));
  CHECK_THROWS_WITH(nn::save(file, layer), Catch::Contains("no luck"));
  CHECK(bytes_in(file) == bytes);
  CHECK(folder.names() == "net.safetensors ");
}

TEST_CASE_METHOD(checkpoints, "a network is loaded in the runtime where it lives") {
  nn::dense layer(2);
  layer(ones({1, 3}));
  {
    const synchronous_engine other(two_devices());  // from now on the engine of this thread
    nn::save(file, layer);
    nn::load(file, layer);
  }
  CHECK(numbers(layer(ones({1, 3}))).size() == 2);
}

}  // namespace troupe::testing
