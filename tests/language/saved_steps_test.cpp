// SPDX-License-Identifier: MIT
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <functional>
#include <memory>

#include "troupe/devices/update.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/troupe.hpp"

/// Steps of training as programs: with the optimiser, its schedule and what it has counted.

namespace troupe::testing {

namespace {

using parameters = std::vector<nn::parameter>;
using maker = std::function<std::unique_ptr<nn::optimiser>(const parameters&)>;

template <class Optimiser, class Options>
maker with(Options options) {
  return [=](const parameters& all) { return std::make_unique<Optimiser>(all, options); };
}

struct trained_with {
  std::string rule;
  maker make;
};

std::vector<trained_with> all_optimisers() {
  const auto rate = nn::warm_up(3, nn::cosine(0.05, 20, 1e-3), 0.1);
  constexpr auto clipped = 0.5;
  return {
      {"sgd", with<nn::sgd>(nn::sgd_options{.rate = rate, .weight_decay = 0.01})},
      {"sgd_momentum", with<nn::sgd>(nn::sgd_options{
                           .rate = nn::step_decay(0.1, 2), .momentum = 0.9, .clip_norm = clipped})},
      {"sgd_nesterov",
       with<nn::sgd>(nn::sgd_options{
           .rate = nn::multi_step(0.1, {2, 5, 7}, 0.3), .momentum = 0.8, .nesterov = true})},
      {"adam", with<nn::adam>(nn::adam_options{.rate = rate, .weight_decay = 0.1})},
      {"adamw",
       with<nn::adamw>(nn::adamw_options{.rate = nn::one_cycle(0.1, 20), .clip_value = clipped})},
      {"adam_amsgrad", with<nn::adam>(nn::adam_options{.rate = rate, .amsgrad = true})},
      {"adamw_amsgrad", with<nn::adamw>(nn::adamw_options{.rate = rate, .amsgrad = true})},
      {"rmsprop", with<nn::rmsprop>(nn::rmsprop_options{.rate = nn::exponential(0.02, 0.9)})},
      {"rmsprop_momentum",
       with<nn::rmsprop>(nn::rmsprop_options{
           .rate = nn::in_turn(0.01, 4, nn::polynomial(0.02, 6, 2)), .momentum = 0.5})},
      {"rmsprop_centred", with<nn::rmsprop>(nn::rmsprop_options{
                              .rate = nn::cosine_restarts(0.02, 2, 2), .centred = true})},
      {"rmsprop_centred_momentum",
       with<nn::rmsprop>(nn::rmsprop_options{
           .rate = nn::by_epoch(2, nn::linear(0.02, 0.001, 4)), .momentum = 0.5, .centred = true})},
      {"adagrad", with<nn::adagrad>(nn::adagrad_options{.rate = 0.05, .rate_decay = 0.01})},
      {"lion", with<nn::lion>(nn::lion_options{.rate = rate, .weight_decay = 0.1})}};
}

/// Step of training a network with dropout and running statistics, and its data.
struct training {
  explicit training(const maker& make) {
    net(x);  // learns its sizes
    optimiser = make(nn::parameters(net));
  }
  tensor operator()(const tensor& in, const tensor& out) {
    return optimiser->minimise([&] { return nn::mse_loss(net(in), out); });
  }

  nn::sequential net{nn::dense(6, relu), nn::batch_norm(), nn::dropout(0.3), nn::dense(2)};
  tensor x = normal({8, 5}), y = normal({8, 2});
  std::unique_ptr<nn::optimiser> optimiser;
};

named_tensors arrays_of(const program& p) {
  auto out = p.variables();
  for (const auto& [name, x] : p.constants()) out.add(name, x, caller::current());
  return out;
}

void check_same(const named_tensors& a, const named_tensors& b) {
  REQUIRE(a.size() == b.size());
  for (const auto& [name, x] : a) {
    INFO(name);
    CHECK(same_bits(x, b.at(name)));
  }
}

}  // namespace

TEST_CASE("a step of training that is saved goes on elsewhere with the same bits") {
  const temporary_folder folder;
  std::vector<std::string> rules;
  for (const auto& [rule, make] : all_optimisers()) {
    INFO(rule);
    rules.push_back(rule);
    const auto path = folder / (rule + ".safetensors");
    std::string text;
    random_source numbers{};
    {
      runtime engine;
      engine.seed(7);
      training whole(make);
      const auto step = compile(std::ref(whole));
      for (int i = 0; i < 3; ++i) step(whole.x, whole.y);
      const auto p = step.program(whole.x, whole.y);
      text = p.text();
      CHECK_THAT(text, Catch::Contains("update(\"" + rule + "\", "));
      CHECK_THAT(text, Catch::Contains("count_up([n0"));
      save_program(path, p);
      save_safetensors(folder / "data", {{"x", whole.x}, {"y", whole.y}});
      numbers = troupe::engine::current("the test", caller::current()).random_state();
      named_tensors losses;
      for (int i = 0; i < 6; ++i)
        losses.add(std::to_string(i), step(whole.x, whole.y), caller::current());
      save_safetensors(folder / "losses", losses);
      save_safetensors(folder / "end", p.variables());
    }
    runtime engine;
    const auto data = load_safetensors(folder / "data").tensors;
    const auto p = load_program(path);
    INFO(p.text());
    CHECK(p.text() == text);
    const auto again = compile([&](const tensor& x, const tensor& y) { return p(x, y); });
    CHECK(again.program(data.at("x"), data.at("y")).text() == text);
    troupe::engine::current("the test", caller::current()).seed(numbers.key, numbers.counter);
    const auto losses = load_safetensors(folder / "losses").tensors;
    for (int i = 0; i < 6; ++i)
      CHECK(same_bits(p(data.at("x"), data.at("y")), losses.at(std::to_string(i))));
    check_same(p.variables(), load_safetensors(folder / "end").tensors);
  }
  std::vector<std::string> all;
  for (const auto& one : update_table) all.emplace_back(one.name);
  CHECK(rules == all);
}

TEST_CASE("a saved step goes on in another process, and what it saves does, too") {
  const temporary_folder folder;
  const auto path = folder / "step.safetensors", later = folder / "later.safetensors";
  const auto child = fork();
  if (child == 0) {  // trains three steps, saves, trains two more
    {
      runtime engine;
      training whole(with<nn::adam>(nn::adam_options{.rate = nn::cosine(0.1, 10)}));
      nn::eval(whole.net);  // no random numbers
      const auto step = compile(std::ref(whole));
      for (int i = 0; i < 3; ++i) step(whole.x, whole.y);
      const auto p = step.program(whole.x, whole.y);
      save_safetensors(folder / "data", {{"x", whole.x}, {"y", whole.y}});
      save_program(path, p);
      for (int i = 0; i < 4; ++i) step(whole.x, whole.y);
      save_safetensors(folder / "end", p.variables());
    }
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  runtime engine;
  const auto data = load_safetensors(folder / "data").tensors;
  const auto end = load_safetensors(folder / "end").tensors;
  const auto p = load_program(path);
  for (int i = 0; i < 2; ++i) p(data.at("x"), data.at("y"));
  save_program(later, p);
  const auto q = load_program(later);
  for (int i = 0; i < 2; ++i) {
    p(data.at("x"), data.at("y"));
    q(data.at("x"), data.at("y"));
  }
  check_same(p.variables(), end);
  check_same(q.variables(), end);
}

TEST_CASE("several steps and groups in one function are counted in their order") {
  runtime engine;
  training whole([](const parameters& all) {
    auto out = std::make_unique<nn::adam>(parameters{all[0], all[1]});
    const parameters rest(all.begin() + 2, all.end());
    out->add(rest, {.rate = nn::exponential(0.1, 0.5), .weight_decay = 0.1});
    return out;
  });
  const auto twice =
      compile([&](const tensor& x, const tensor& y) { return whole(x, y) + whole(x, y); });
  twice(whole.x, whole.y);
  const auto p = twice.program(whole.x, whole.y);
  const auto own = parse_program(p.text(), arrays_of(p));
  const auto in = [&](const tensor& x, const tensor& y) { return own(x, y); };
  CHECK(compile(in).program(whole.x, whole.y).text() == p.text());
  auto& home = troupe::engine::current("the test", caller::current());
  for (int i = 0; i < 5; ++i) {
    const auto numbers = home.random_state();
    const auto expected = twice(whole.x, whole.y);
    home.seed(numbers.key, numbers.counter);
    CHECK(same_bits(own(whole.x, whole.y), expected));
  }
  check_same(own.variables(), p.variables());
  CHECK(own.variables().at("n0").item<std::int64_t>() == 12);
}

TEST_CASE("the text of a step is run one by one where gradients are recorded") {
  runtime engine;
  training whole(with<nn::sgd>(nn::sgd_options{.rate = nn::linear(0.1, 0.01, 5), .momentum = 0.5}));
  nn::eval(whole.net);
  const auto step = compile(std::ref(whole));
  step(whole.x, whole.y);
  const auto p = step.program(whole.x, whole.y);
  const auto own = parse_program(p.text(), arrays_of(p));
  for (int i = 0; i < 3; ++i) {
    const auto expected = step(whole.x, whole.y);
    const recording on;
    CHECK(same_bits(own(whole.x, whole.y), expected));
  }
  check_same(own.variables(), p.variables());
}

TEST_CASE("a rate of one's own has no text") {
  runtime engine;
  const auto own = [](std::int64_t step) { return 1. / static_cast<double>(step + 1); };
  training whole(with<nn::sgd>(nn::sgd_options{.rate = nn::warm_up(3, own)}));
  const auto step = compile(std::ref(whole));
  step(whole.x, whole.y);
  CHECK_THAT(error_of([&] { step.program(whole.x, whole.y); }),
             Catch::StartsWith("sgd: its rate is a function of your own, so the program has no "
                               "text (saved_steps_test.cpp:"));
}

TEST_CASE("wrong counters and rates in a text are refused in one line") {
  runtime engine;
  const auto error_of_rate = [](const std::string& rate, std::int64_t steps = 0) {
    const auto text =
        "variable w: float32[2]\ncounter n: int64[]\ndef f(g) {\n  w = update(\"sgd\", w, "
        "[], g, 1.0, rate=" +
        rate + ", steps=n)\n  count_up(n)\n  w\n}";
    return error_of([&] {
      parse_program(text, {{"w", ones({2})}, {"n", tensor(steps)}})(ones({2})).wait();
    });
  };
  const std::tuple<std::string, std::int64_t, std::string> wrong[] = {
      {"[\"none\", 1]", 0, "no schedule is named none"},
      {"[\"cosine\", 1]", 0, "cosine: takes 3 arguments, not 1"},
      {"[\"cosine\", 1, 0.5, 0]", 0, "cosine: argument 2 is of another kind than it takes"},
      {"[\"cosine\", 1, 0, 0]", 0, "cosine: 0 steps"},
      {"[\"step_decay\", 1, -1, 0.5]", 0, "step_decay: -1 steps"},
      {"[1, 2]", 0, "update: a rate is a number, or a schedule"},
      {"w", 0, "update: a rate is a number, or a schedule"},
      {"-1.0", 0, "sgd: the rate of step 0 is -1.0 and must be 0 or more"},
      {"0.1", -1, "-1 steps are counted"},
      {"0.1", INT64_MAX, "steps are counted"}};
  for (const auto& [rate, steps, part] : wrong)
    CHECK_THAT(error_of_rate(rate, steps), Catch::Contains(part) && Catch::Contains("(program:4)"));
  CHECK_THAT(error_of_rate("0.1"), !Catch::Contains("program"));
  CHECK_THAT(error_of([] { parse_program("counter n: float32[]\ndef f(x) = x"); }),
             Catch::Contains("a counter is of type int64[]"));
  CHECK_THAT(error_of([] {
               parse_program("counter n: int64[]\ndef f(x) = x + n",
                             {{"n", tensor(std::int64_t{0})}})(ones({2}));
             }),
             Catch::Contains("a counter"));
  std::string deep = "0.1";
  for (int i = 0; i < 100; ++i) deep = "[\"by_epoch\", 1, " + deep + "]";
  CHECK_THAT(error_of_rate(deep), Catch::Contains("program"));
}

TEST_CASE("saved steps run on the device that they are loaded to, wherever they were captured") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  const temporary_folder folder;
  const auto file = folder / "step.safetensors";
  const auto train = [&](const program& step, device on) {
    const auto x = arange(24, float32).reshape({8, 3}).to(on), y = sum(x, 1, keepdims);
    for (int i = 0; i < 3; ++i) step(x, y);
    return step(x, y).item<float>();
  };
  const auto captured_on = [&](device d) {
    const on_device there(d);
    rt.seed(5);
    nn::dense net(1);
    const auto x = normal({8, 3}), y = sum(x, 1, keepdims);
    net(x);
    nn::sgd optimiser(nn::parameters(net), {.rate = 0.001});
    const auto step = compile([&](const tensor& in, const tensor& wanted) {
      return optimiser.minimise([&] { return nn::mse_loss(net(in), wanted); });
    });
    save_program(file, step.program(x, y));
  };
  std::vector<float> losses;
  for (const auto from : {cpu(0), cpu(1)}) {
    captured_on(from);
    losses.push_back(train(load_program(file), cpu(0)));
    losses.push_back(train(load_program(file, {.device = cpu(1)}), cpu(1)));
  }
  CHECK(losses == std::vector<float>(4, losses[0]));
}

TEST_CASE("saved programs move their constants to where they are used") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  const temporary_folder folder;
  const auto file = folder / "moved.safetensors";
  const auto x = ones({4}), k = arange(4, float32).to(cpu(1));
  const auto f = compile([&](const tensor& in) { return (in.to(cpu(1)) + constant(k)).to(cpu()); });
  save_program(file, f.program(x));
  CHECK(load_program(file)(x).to_vector<float>() == std::vector<float>{1, 2, 3, 4});
  const auto alone = compile([] { return full({2}, 3, {.device = cpu(1)}); });
  CHECK(parse_program(alone.program().text())().device() == cpu(1));
}

}  // namespace troupe::testing
