// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "troupe/nn/nn.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tests/nodes/pair_of_machines.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using troupe::testing::pair_of_machines;

namespace {

tensor numbers_for(const tensor_type& t, std::size_t input) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < t.dims.size(); ++i)
    out.push_back(static_cast<double>((i * 5 + static_cast<std::int64_t>(input) * 3) % 7 - 3));
  return copy(from_data(out, t.dims, {.dtype = t.element}));
}

std::string bits_of(const tensor& x) {
  const auto here = copy(x.to(cpu()));
  std::string out = to_string(here.type()) + ' ';
  here.wait();
  out.append(static_cast<const char*>(here.source()->data()),
             static_cast<std::size_t>(here.size()) * size_of(here.dtype()));
  return out;
}

}  // namespace

TEST_CASE("every operation gives on a node the bits that it gives here") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto results_on = [&](device where) {
    rt.seed(7);
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto* op : all_operations()) {
      if (op->transfer) continue;  // its samples are copied to cpu:1
      for (const auto& s : op->samples()) {
        std::vector<tensor> in;
        for (const auto& t : s.inputs) in.push_back(numbers_for(t, in.size()).to(where));
        const on_device here(where);
        std::string bits;
        try {
          bits = bits_of(s.call(in));
        } catch (const error& e) { bits = std::string("error: ") + e.what(); }
        out.emplace_back(std::string(op->name), bits);
      }
    }
    return out;
  };
  const auto here = results_on(cpu()), there = results_on(cpu(1, node(1)));
  REQUIRE(here.size() == there.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    INFO(here[i].first);
    if (here[i].second.starts_with("error: ")) CHECK(there[i].second.starts_with("error: "));
    else CHECK(here[i].second == there[i].second);
  }
}

TEST_CASE("a compiled function makes arrays on the device that is the default when it is called") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto f = compile([] { return ones({2}); });
  for (int i = 0; i < 2; ++i) {
    for (const auto place : {cpu(), cpu(0, node(1)), cpu(1, node(1))}) {
      const on_device here(place);
      CHECK(f().device() == place);
    }
  }
}

TEST_CASE("parts of arrays without elements are read from a node") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto none = zeros({0, 3}, {.device = cpu(0, node(1))});
  CHECK(none.slice(1, 1, 2).to(cpu()).shape() == shape{0, 1});
  CHECK_NOTHROW(none.slice(1, 1, 2).to(cpu()).wait());
  CHECK_NOTHROW((none.slice(1, 1, 2) + 1).to(cpu()).wait());
  CHECK(sum(ones({4}, {.device = cpu(0, node(1))}).slice(0, 4, 4)).item<float>() == 0);
}

TEST_CASE("arrays of every dtype and numbers give on a node the bits that they give here") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto results_on = [&](device place, dtype element, const scalar& number) {
    const auto x = numbers_for({{7}, element, {}}, 1).to(place);
    const std::function<tensor()> ways[] = {[&] { return x + number; },
                                            [&] { return number - x; },
                                            [&] { return x * number; },
                                            [&] { return x / number; },
                                            [&] { return x < number; },
                                            [&] { return x == number; },
                                            [&] { return maximum(x, number); },
                                            [&] { return pow(x, number); },
                                            [&] { return where(x == x, x, number); },
                                            [&] { return where(x == x, number, x); },
                                            [&] { return bitwise_and(x, number); }};
    std::vector<std::string> out;
    for (const auto& way : ways) {
      try {
        out.push_back(bits_of(way()));
      } catch (const error& e) { out.push_back("error"); }
    }
    return out;
  };
  for (const auto element : all_dtypes) {
    for (const auto& number : {scalar(true), scalar(2), scalar(1.5)}) {
      INFO(name(element) << " and a number");
      CHECK(results_on(cpu(1, node(1)), element, number) == results_on(cpu(), element, number));
    }
  }
  CHECK(all.node.owners() == 1);
}

TEST_CASE("random numbers of a distribution given by numbers are on a node what they are here") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto drawn_on = [&](device where) {
    rt.seed(7);
    std::vector<tensor> drawn;
    const random_options on{.device = where};
    for (const auto& x : {gamma({40}, 2.5, 2, on), poisson({40}, 3.5, on), exponential({40}, 2, on),
                          uniform({40}, 1, 2, on)})
      drawn.push_back(x.to(cpu()));
    return drawn;
  };
  const auto here = drawn_on(cpu()), there = drawn_on(cpu(1, node(1)));
  for (std::size_t i = 0; i < here.size(); ++i) CHECK(bits_of(here[i]) == bits_of(there[i]));
}

TEST_CASE("optimisers change parameters on a node as they do here") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto trained_on = [&](device where, const auto& make) {
    rt.seed(5);
    const on_device here(where);
    nn::dense layer(3);
    layer(normal({4, 5}));
    auto optimiser = make(nn::parameters(layer));
    for (int i = 0; i < 3; ++i)
      optimiser.minimise([&] { return mean(square(layer(normal({4, 5})))); });
    return bits_of(layer.weight.value()) + bits_of(layer.bias.value());
  };
  const auto check = [&](const auto& make) {
    CHECK(trained_on(cpu(1, node(1)), make) == trained_on(cpu(), make));
  };
  using all_of = std::vector<nn::parameter>;
  check([](all_of p) { return nn::sgd(std::move(p), {.rate = 0.1, .momentum = 0.9}); });
  check([](all_of p) { return nn::sgd(std::move(p), {.rate = 0.1, .clip_norm = 0.01}); });
  check([](all_of p) { return nn::adam(std::move(p), {.rate = 0.1}); });
  check([](all_of p) { return nn::adamw(std::move(p), {.rate = 0.1}); });
  check([](all_of p) { return nn::rmsprop(std::move(p), {.rate = 0.1}); });
  check([](all_of p) { return nn::adagrad(std::move(p), {.rate = 0.1}); });
  check([](all_of p) { return nn::lion(std::move(p), {.rate = 0.1}); });
}

TEST_CASE("training on a node gives the bits of training here") {
  pair_of_machines all;
  const auto train = [&](runtime& rt, device where) {
    rt.seed(3);
    const on_device here(where);
    auto w = (normal({20, 10}) * 0.1).to(where), b = zeros({10});
    const auto x = normal({64, 20}), y = normal({64, 10});
    for (int i = 0; i < 50; ++i) {
      const auto g = grad([&](const std::vector<tensor>& p) {
        return mean(square(tanh(matmul(x, p[0]) + p[1]) - y));
      })({w, b});
      w -= 0.1 * g[0];
      b -= 0.1 * g[1];
    }
    return bits_of(concatenate({w, b.reshape({1, 10})}, 0));
  };
  runtime rt(all.owner());
  CHECK(train(rt, cpu()) == train(rt, cpu(0, node(1))));
}

TEST_CASE("compiled functions, and work that is split among devices, run on nodes") {
  pair_of_machines all;
  runtime rt(all.owner());
  const auto x = normal({64, 32}), w = normal({32, 8});
  const auto f = compile(
      [](const tensor& a, const tensor& b) { return softmax(tanh(matmul(a, b)) * 2 + 1, 1); });
  const auto far = cpu(0, node(1));
  for (int i = 0; i < 3; ++i) CHECK(bits_of(f(x.to(far), w.to(far))) == bits_of(f(x, w)));

  const std::vector<device> devices{cpu(), far, cpu(1, node(1))};
  std::vector<tensor> parts;
  for (const auto& part : split(x, {20, 40}, 0)) parts.push_back(part.to(devices[parts.size()]));
  tensor total = zeros({8});
  for (const auto& part : parts)
    total = total + sum(matmul(part, w.to(part.device())), 0).to(cpu());
  CHECK(max(abs(total - sum(matmul(x, w), 0))).item<float>() < 1e-3F);
}

TEST_CASE("values go from node to node, and between devices of one") {
  pair_of_machines first, second;
  auto o = first.owner();
  o.nodes->push_back(second.owner().nodes->front());
  runtime rt(o);
  const auto x = normal({300, 1000});
  const auto there = x.to(cpu(0, node(1))) * 2, beside = there.to(cpu(1, node(1))) + 1;
  const auto far = beside.to(cpu(1, node(2))) * 3;
  CHECK(bits_of(far) == bits_of((x * 2 + 1) * 3));
  CHECK(bits_of(there.T().to(cpu(0, node(2)))) == bits_of((x * 2).T()));
}
