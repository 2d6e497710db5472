// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/nn/nn.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

nn::sequential small_network() {
  return {nn::dense(16, relu), nn::batch_norm(), nn::dropout(0.5), nn::dense(4)};
}

}  // namespace

TEST_CASE("a hybridized network returns what it returns layer by layer") {
  test_engine e;
  auto net = small_network();
  nn::eval(net);
  const auto x = normal({8, 5});
  const auto expected = net(x);
  net.hybridize();
  for (int i = 0; i < 4; ++i) CHECK(same_bits(net(x), expected));
  CHECK_THAT(net.explain(), Catch::Contains("called 4 times"));
  net.hybridize(false);
  CHECK(same_bits(net(x), expected));
}

TEST_CASE("layers learn their sizes at the first call of a compiled function, too") {
  test_engine e;
  auto net = small_network();
  nn::eval(net);
  net.hybridize();
  const auto x = normal({8, 5});
  const auto first = net(x);
  for (int i = 0; i < 3; ++i) CHECK(same_bits(net(x), first));
  net.hybridize(false);
  CHECK(same_bits(net(x), first));
}

TEST_CASE("a compiled function sees what is assigned to variables between its calls") {
  test_engine e;
  nn::parameter weight(ones({3}));
  const auto f = compile([&](const tensor& x) { return x * weight; });
  const auto x = full({3}, 2.f);
  CHECK(numbers(f(x)) == std::vector<double>{2, 2, 2});
  weight.assign(full({3}, 5.f));
  CHECK(numbers(f(x)) == std::vector<double>{10, 10, 10});
  weight.freeze();
  CHECK(numbers(f(x)) == std::vector<double>{10, 10, 10});
}

TEST_CASE("a compiled function may assign variables") {
  test_engine e;
  nn::variable count(zeros({2}));
  const auto f = compile([&](const tensor& x) {
    count.assign(count.value() + x);
    return count.value() * 10;
  });
  const tensor x = {1.f, 2.f};
  CHECK(numbers(f(x)) == std::vector<double>{10, 20});
  CHECK(numbers(f(x)) == std::vector<double>{20, 40});
  CHECK(numbers(f(x)) == std::vector<double>{30, 60});
  CHECK(numbers(count.value()) == std::vector<double>{3, 6});
}

TEST_CASE("running statistics and dropout of a captured network are those of the network") {
  test_engine e;
  auto net = small_network();
  const auto x = normal({8, 5});
  net(x);  // learns its sizes
  auto state = [&] {
    std::vector<nn::variable> all;
    struct collect final : nn::visitor {
      void at(nn::variable& v) override { found->push_back(v); }
      std::vector<nn::variable>* found;
    } to;
    to.found = &all;
    nn::visit(net, to);
    return all;
  }();
  const auto numbers_before = e.engine.random_state();
  std::vector<tensor> before;
  for (const auto& v : state) before.push_back(v.value());
  std::vector<tensor> expected;
  for (int i = 0; i < 4; ++i) expected.push_back(net(x));
  std::vector<tensor> statistics;
  for (const auto& v : state) statistics.push_back(v.value());

  for (std::size_t i = 0; i < state.size(); ++i) state[i].assign(before[i]);
  e.engine.seed(numbers_before.key, numbers_before.counter);
  net.hybridize();
  for (const auto& y : expected) CHECK(same_bits(net(x), y));
  for (std::size_t i = 0; i < state.size(); ++i) CHECK(same_bits(state[i].value(), statistics[i]));
}

TEST_CASE("a captured network follows its mode, and layers that are replaced") {
  test_engine e;
  nn::sequential net{nn::dense(4), nn::dropout(0.5)};
  const auto x = normal({8, 5});
  net(x);
  net.hybridize();
  nn::eval(net);
  const auto evaluated = net(x);
  CHECK(same_bits(net(x), evaluated));
  nn::train(net);
  CHECK_FALSE(same_bits(net(x), evaluated));
  nn::eval(net);
  CHECK(same_bits(net(x), evaluated));
  net[0] = nn::dense(3);
  CHECK(net(x).shape() == shape{8, 3});
  net.add(nn::dense(2));
  CHECK(net(x).shape() == shape{8, 2});
}

TEST_CASE("a compiled function notices that its layers are replaced, however they are") {
  test_engine e;
  const auto x = normal({8, 5});
  nn::sequential net{nn::dense(3)};
  const auto through_net = compile([&](const tensor& in) { return net(in); });
  const auto calls = [&](const auto& f) {
    for (int i = 0; i < 3; ++i) f(x);
    return f(x).shape()[1];
  };
  CHECK(calls(through_net) == 3);
  nn::sequential another{nn::dense(2)};
  another(x);
  net = std::move(another);
  CHECK(calls(through_net) == 2);
  net = nn::sequential{nn::dense(7)};  // without sizes yet
  CHECK(calls(through_net) == 7);
  net.add(nn::dense(4));
  CHECK(calls(through_net) == 4);
  nn::sequential narrow{nn::dense(1)};
  narrow(x);
  std::swap(net, narrow);
  CHECK(calls(through_net) == 1);

  std::vector<nn::dense> chain{nn::dense(3)};
  const auto through_chain = compile([&](const tensor& in) {
    auto y = in;
    for (const auto& layer : chain) y = layer(y);
    return y;
  });
  CHECK(calls(through_chain) == 3);
  chain.push_back(nn::dense(6));
  CHECK(calls(through_chain) == 6);
  chain.pop_back();
  CHECK(calls(through_chain) == 3);

  auto held = std::make_unique<nn::dense>(4);
  const auto through_held = compile([&](const tensor& in) { return (*held)(in); });
  CHECK(calls(through_held) == 4);
  held = std::make_unique<nn::dense>(9);
  CHECK(calls(through_held) == 9);
}

TEST_CASE("training steps are compared with their programs a few times only") {
  test_engine e;
  nn::sequential net{nn::dense(4, relu), nn::dense(1)};
  const auto x = normal({8, 5});
  net(x);
  nn::adam optimiser(nn::parameters(net));
  int captured = 0;
  const auto step = compile([&](const tensor& in) {
    ++captured;
    return optimiser.minimise([&] { return mean(square(net(in))); });
  });
  for (int i = 0; i < 200; ++i) {
    step(x);
    for (auto& p : nn::parameters(net)) p.zero_grad();
  }
  CHECK(captured <= 12);
}

TEST_CASE("a copy of a hybridized network has its own mode") {
  test_engine e;
  nn::sequential net{nn::dense(4), nn::dropout(0.5)};
  const auto x = normal({8, 5});
  net(x);
  net.hybridize();
  auto copy = net;
  nn::eval(copy);
  const auto evaluated = copy(x);
  CHECK_FALSE(same_bits(net(x), evaluated));
  CHECK(same_bits(copy(x), evaluated));
}

TEST_CASE("a member of a struct that is replaced is seen by a compiled function") {
  test_engine e;
  struct two_layers {
    nn::dense first{4, relu}, second{2};
    tensor operator()(const tensor& x) const { return second(first(x)); }
  } net;
  const auto f = compile([&](const tensor& x) { return net(x); });
  const auto x = normal({8, 5});
  f(x);
  CHECK(f(x).shape() == shape{8, 2});
  net.second = nn::dense(7);
  CHECK(f(x).shape() == shape{8, 7});
}

TEST_CASE("gradients that are there before are not added to in a compiled function") {
  test_engine e;
  nn::parameter weight(ones({3}));
  const auto f = compile([&](const tensor& x) {
    tensor loss;
    {
      const recording on;
      loss = sum(x * weight);
    }
    loss.backward();
    return loss;
  });
  CHECK_THROWS_WITH(f(ones({3})), Catch::StartsWith("backward: a compiled function has to clear a "
                                                    "variable's gradients before it uses them"));
}

TEST_CASE("gradients that a compiled function leaves are those of the last call") {
  test_engine e;
  nn::parameter weight(ones({3}));
  const auto backward = [&](const tensor& x) {
    weight.zero_grad();
    tensor loss;
    {
      const recording on;
      loss = sum(x * weight);
    }
    loss.backward();
    return loss;
  };
  const auto f = compile(backward);
  f(ones({3}));
  CHECK(numbers(weight.grad()) == std::vector<double>{1, 1, 1});
  f(full({3}, 4.f));
  CHECK(numbers(weight.grad()) == std::vector<double>{4, 4, 4});
  const auto clear = compile([&](const tensor& x) {
    weight.zero_grad();
    return x + weight;
  });
  clear(ones({3}));
  CHECK_FALSE(weight.grad().defined());

  int count = 0;
  const auto now_and_then = compile([&](const tensor& x) {
    const auto loss = backward(x);
    if (++count > 1) weight.zero_grad();
    return loss;
  });
  now_and_then(ones({3}));
  CHECK_THROWS_WITH(now_and_then(ones({3})), Catch::Contains("other gradients are left"));
}

TEST_CASE("another optimiser in a captured training step is found out") {
  test_engine e;
  nn::parameter weight(ones({3}));
  nn::sgd up({weight}, {.rate = 0.5, .weight_decay = 0.1}), down({weight}, {.rate = 0.01});
  bool first = true;
  const auto step = [&](const tensor& x) {
    return (first ? up : down).minimise([&] { return sum(x * weight); });
  };
  const auto f = compile(step);
  f(ones({3}));
  first = false;
  CHECK_THROWS_WITH(f(ones({3})), Catch::Contains("does not do what it did"));
  CHECK(down.steps() == 0);
  up.set_rate(0.1);
  first = true;
  f(ones({3}));
  CHECK(up.steps() == 2);
}

TEST_CASE("a compiled function refuses variables of another runtime") {
  synchronous_engine second(two_devices());
  test_engine e;
  nn::parameter weight(ones({3}));
  const auto x = ones({3});
  const auto f = compile([&](const tensor& y) { return y * weight; });
  for (int i = 0; i < 3; ++i) f(x);
  {
    const use_engine there(second);
    weight.assign(ones({3}));
  }
  CHECK_THROWS_WITH(f(x), Catch::StartsWith("multiply: inputs of different runtimes"));
  const auto g = compile([&](const tensor& y) { return y + weight; });
  CHECK_THROWS_WITH(g(x), Catch::StartsWith("compile: a variable of another runtime"));
  weight.assign(ones({3}));
  CHECK(numbers(f(x)) == std::vector<double>{1, 1, 1});
}

namespace {

enum class way { eager, compiled, checked };

/// Returns the parameters, the losses and the optimiser's numbers after some steps, with the step
/// compiled or not.
template <class Optimiser, class Options>
std::vector<tensor> trained(way how, const Options& options, int steps_in_one = 1) {
  nn::sequential net{nn::dense(16, relu), nn::batch_norm(), nn::dropout(0.3), nn::dense(3)};
  const auto x = normal({32, 6});
  const auto labels = argmax(x.slice(1, 0, 3), 1);
  net(x);  // learns its sizes
  Optimiser optimiser(nn::parameters(net), options);
  const auto step = [&](const tensor& in, const tensor& out) {
    tensor loss;
    for (int i = 0; i < steps_in_one; ++i)
      loss = optimiser.minimise([&] { return nn::softmax_cross_entropy(net(in), out); });
    return loss;
  };
  const auto program = compile(step, {.check = how == way::checked});
  std::vector<tensor> out;
  for (int i = 0; i < 6; ++i)
    out.push_back(how == way::eager ? step(x, labels) : program(x, labels));
  for (const auto& p : nn::parameters(net)) out.push_back(p.value()), out.push_back(p.grad());
  CHECK(optimiser.steps() == 6 * steps_in_one);
  return out;
}

template <class Optimiser, class Options>
void check_training(const Options& options, int steps_in_one = 1) {
  test_engine e;
  CAPTURE(Catch::Detail::stringify(typeid(Optimiser).name()));
  e.engine.seed(5);
  const auto expected = trained<Optimiser>(way::eager, options, steps_in_one);
  for (const auto how : {way::compiled, way::checked}) {
    e.engine.seed(5);
    const auto got = trained<Optimiser>(how, options, steps_in_one);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      CAPTURE(static_cast<int>(how), i, steps_in_one, numbers(got[i]), numbers(expected[i]));
      CHECK(same_bits(got[i], expected[i]));
    }
  }
}

}  // namespace

TEST_CASE("whole training steps are captured: forward, backward, dropout, statistics, optimiser") {
  check_training<nn::sgd>(nn::sgd_options{.rate = 0.1});
  check_training<nn::sgd>(nn::sgd_options{.rate = 0.1, .momentum = 0.9});
  check_training<nn::adam>(nn::adam_options{.rate = 0.01});
  check_training<nn::adam>(nn::adam_options{.rate = 0.01, .clip_norm = 0.1});
  check_training<nn::rmsprop>(nn::rmsprop_options{.rate = 0.01});
  check_training<nn::adagrad>(nn::adagrad_options{.rate = 0.01});
  check_training<nn::lion>(nn::lion_options{.rate = 0.01});
}

TEST_CASE("several training steps are captured in one program") {
  check_training<nn::adam>(nn::adam_options{.rate = 0.01}, 3);
}

TEST_CASE("a captured training step follows the schedule and a changed rate") {
  const auto element = GENERATE(float32, float64, bfloat16, float16);
  const auto train = [&](bool as_program) {
    nn::parameter weight(ones({2}, element));
    nn::sgd optimiser({weight}, {.rate = nn::step_decay(1, 2, 0.5)});
    const auto step = [&](const tensor& x) {
      return optimiser.minimise([&] { return sum(x * weight); });
    };
    const auto program = compile(step);
    const auto x = ones({2}, element);
    std::vector<double> out;
    for (int i = 0; i < 8; ++i) {
      if (i == 5) optimiser.set_rate(0.125);
      if (as_program) program(x);
      else step(x);
      out.push_back(numbers(weight.value())[0]);
    }
    return out;
  };
  test_engine e;
  CHECK(train(true) == train(false));
}

TEST_CASE("captured steps of narrow parameters are those of the optimiser") {
  const auto element = GENERATE(bfloat16, float16);
  const auto train = [&](bool as_program) {
    nn::parameter weight(ones({7}, element));
    nn::adam optimiser({weight}, {.rate = nn::exponential(0.25, 0.9), .clip_norm = 1});
    const auto step = [&](const tensor& x) {
      return optimiser.minimise([&] { return sum(x * square(weight.value())); });
    };
    const auto program = compile(step);
    for (int i = 0; i < 9; ++i)
      (as_program ? program(ones({7}, element)) : step(ones({7}, element))).wait();
    return numbers(weight.value());
  };
  test_engine e;
  CHECK(train(true) == train(false));
}

TEST_CASE("a parameter is overwritten in place by a captured training step") {
  test_engine e;
  nn::parameter weight(ones({1000, 100}));
  nn::sgd optimiser({weight}, {.rate = 0.1});
  const auto program =
      compile([&](const tensor& x) { return optimiser.minimise([&] { return sum(x * weight); }); });
  const auto x = ones({1000, 100});
  program(x);
  const auto* const at = weight.value().source()->data();
  for (int i = 0; i < 5; ++i) program(x);
  CHECK(weight.value().source()->data() == at);
}

TEST_CASE("a hybridized network is trained as before") {
  test_engine e;
  const auto trained = [&](bool hybrid) {
    e.engine.seed(3);
    nn::sequential net{nn::dense(8, relu), nn::dense(1)};
    if (hybrid) net.hybridize();
    const auto x = normal({16, 4}), y = sum(x, 1, keepdims);
    net(x);
    nn::sgd optimiser(nn::parameters(net), {.rate = 0.05});
    for (int i = 0; i < 5; ++i) optimiser.minimise([&] { return mean(square(net(x) - y)); });
    return net(x);
  };
  CHECK(same_bits(trained(false), trained(true)));
}

}  // namespace troupe::testing
