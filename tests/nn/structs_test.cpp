// SPDX-License-Identifier: MIT
#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "troupe/nn/nn.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

namespace {

/// Returns the paths of all parameters, in order.
template <class Net>
std::vector<std::string> paths(Net& net) {
  struct noting final : nn::visitor {
    void at(nn::parameter&) override { found.push_back(path()); }
    std::vector<std::string> found;
  } all;
  nn::visit(net, all);
  return all.found;
}

/// Checks that all modes are as given, and returns their number.
template <class Net>
int modes(Net& net, bool training) {
  struct counting final : nn::visitor {
    void at(nn::mode& m) override {
      CHECK(m.training == wanted);
      ++count;
    }
    bool wanted = false;
    int count = 0;
  } all;
  all.wanted = training;
  nn::visit(net, all);
  return all.count;
}

using names = std::vector<std::string>;

struct residual {
  nn::dense first{3, relu}, second{3};
  tensor operator()(const tensor& x) const { return x + second(first(x)); }
};

struct noisy {
  nn::dropout drop{0.5};
  nn::flatten flat;
};

class with_private_members {
 public:
  void members(auto&& each) { each("scale", scale_, "block", block_); }
  tensor operator()(const tensor& x) const { return block_(x) * scale_; }

 private:
  nn::parameter scale_{ones({3})};
  residual block_;
  std::string name_ = "mine";
};

template <int N>
struct numbered {
  nn::parameter p;
};

struct of_1 {
  nn::parameter a;
};
struct of_2 {
  nn::parameter a, b;
};
struct of_3 {
  nn::parameter a, b, c;
};
struct of_4 {
  nn::parameter a, b, c, d;
};
struct of_5 {
  nn::parameter a, b, c, d, e;
};
struct of_6 {
  nn::parameter a, b, c, d, e, f;
};
struct of_7 {
  nn::parameter a, b, c, d, e, f, g;
};
struct of_8 {
  nn::parameter a, b, c, d, e, f, g, h;
};
struct of_9 {
  nn::parameter a, b, c, d, e, f, g, h, i;
};
struct of_10 {
  nn::parameter a, b, c, d, e, f, g, h, i, j;
};
struct of_11 {
  nn::parameter a, b, c, d, e, f, g, h, i, j, k;
};
struct of_12 {
  nn::parameter a, b, c, d, e, f, g, h, i, j, k, l;
};
struct of_13 {
  nn::parameter a, b, c, d, e, f, g, h, i, j, k, l, m;
};
struct of_14 {
  nn::parameter a, b, c, d, e, f, g, h, i, j, k, l, m, n;
};
struct of_15 {
  nn::parameter a, b, c, d, e, f, g, h, i, j, k, l, m, n, o;
};
struct of_16 {
  nn::parameter a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};

template <class Net>
std::size_t found_in() {
  Net net;
  const auto all = paths(net);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == std::to_string(i));
  CHECK(nn::parameters(net).size() == all.size());
  return all.size();
}

}  // namespace

TEST_CASE("the members of a plain struct are found, one or sixteen, in order") {
  test_engine e;
  CHECK(found_in<of_1>() == 1);
  CHECK(found_in<of_2>() == 2);
  CHECK(found_in<of_3>() == 3);
  CHECK(found_in<of_4>() == 4);
  CHECK(found_in<of_5>() == 5);
  CHECK(found_in<of_6>() == 6);
  CHECK(found_in<of_7>() == 7);
  CHECK(found_in<of_8>() == 8);
  CHECK(found_in<of_9>() == 9);
  CHECK(found_in<of_10>() == 10);
  CHECK(found_in<of_11>() == 11);
  CHECK(found_in<of_12>() == 12);
  CHECK(found_in<of_13>() == 13);
  CHECK(found_in<of_14>() == 14);
  CHECK(found_in<of_15>() == 15);
  CHECK(found_in<of_16>() == 16);
}

TEST_CASE("members of members are found, and those that a class with private ones lists") {
  test_engine e;
  residual net;
  CHECK(paths(net) == names{"0.weight", "0.bias", "1.weight", "1.bias"});
  with_private_members mine;
  CHECK(paths(mine) ==
        names{"scale", "block.0.weight", "block.0.bias", "block.1.weight", "block.1.bias"});
  CHECK(mine(ones({2, 3})).shape() == shape{2, 3});
}

TEST_CASE("parameters in containers, optionals, pointers, tuples and variants are found") {
  test_engine e;
  struct {
    std::vector<nn::dense> many{nn::dense(2, {.bias = false}), nn::dense(2, {.bias = false})};
    std::array<nn::parameter, 2> two;
    std::optional<nn::dense> maybe, none;
    std::unique_ptr<residual> owned = std::make_unique<residual>(), nothing;
    std::shared_ptr<nn::parameter> common = std::make_shared<nn::parameter>();
    std::tuple<nn::parameter, int, nn::parameter> three;
    std::variant<int, nn::parameter> one;
  } net;
  net.maybe.emplace(2);
  net.one = nn::parameter();
  CHECK(paths(net) == names{"0.0.weight", "0.1.weight", "1.0", "1.1", "2.weight", "2.bias",
                            "4.0.weight", "4.0.bias", "4.1.weight", "4.1.bias", "6", "7.0", "7.2",
                            "8"});
}

TEST_CASE("a map's parts are named by their keys") {
  test_engine e;
  struct {
    std::map<std::string, nn::parameter> by_name;
    std::map<int, nn::parameter> by_number;
    std::deque<std::pair<int, nn::parameter>> pairs;
  } net;
  net.by_name["left"], net.by_name["right"], net.by_number[7];
  net.pairs.emplace_back();
  CHECK(paths(net) == names{"0.left", "0.right", "1.7", "2.0.1"});
}

TEST_CASE("members without parameters do no harm") {
  test_engine e;
  struct {
    int number = 3;
    std::string text = "abc";
    nn::parameter p;
    tensor constant = ones({2});
    std::function<tensor(const tensor&)> function;
    std::vector<double> values{1, 2};
    std::filesystem::path file = "a/b";
    const nn::dense* elsewhere = nullptr;
    nn::dense_options options;
    tensor (*activation)(const tensor&, caller) = relu;
  } net;
  CHECK(paths(net) == names{"2"});
}

TEST_CASE("a parameter that occurs twice counts once") {
  test_engine e;
  residual net;
  net.second.weight = net.first.weight;
  CHECK(paths(net).size() == 4);
  CHECK(nn::parameters(net).size() == 3);
}

TEST_CASE("sequential accepts layers, functions, lambdas, structs and other sequentials") {
  test_engine e;
  nn::sequential net{nn::dense(3, relu), nn::sequential{nn::dense(3), tanh}, residual(),
                     [](const tensor& x) { return x * 2.; }, nn::flatten()};
  CHECK(net.size() == 5);
  CHECK(net(spread({4, 6})).shape() == shape{4, 3});
  CHECK(paths(net) == names{"0.weight", "0.bias", "1.0.weight", "1.0.bias", "2.0.weight",
                            "2.0.bias", "2.1.weight", "2.1.bias"});
  net.add(nn::dense(2));
  CHECK(net(spread({4, 6})).shape() == shape{4, 2});
  CHECK(nn::parameters(net[5]).size() == 2);
  CHECK(TROUPE_ERROR_OF(net[6]) == "sequential: no layer 6 among 6");
  CHECK(nn::sequential()(spread({2})).shape() == shape{2});
}

TEST_CASE("an error in a layer names the line that called the network") {
  test_engine e;
  nn::sequential net{nn::sequential{nn::dense(3), nn::batch_norm()}};
  net(spread({4, 6}));
  CHECK(TROUPE_ERROR_OF(net(spread({4, 5}))) ==
        "dense: weight is float64[6,3], but x is float64[4,5]");
}

TEST_CASE("a copy of a network shares the parameters, but has its own mode") {
  test_engine e;
  nn::sequential net{nn::dense(2), nn::dropout(0.5)};
  auto copy = net;
  const auto x = spread({3, 4});
  net(x);
  CHECK(nn::parameters(copy) == nn::parameters(net));
  nn::parameters(net)[1].assign(from_data(std::vector<double>{10, 20}, {2}));
  nn::eval(copy);
  nn::eval(net);
  CHECK(numbers(copy(x)) == numbers(net(x)));
  nn::train(net);
  CHECK(modes(copy, false) == 1);
  CHECK(modes(net, true) == 1);
}

TEST_CASE("a module whose layer was moved away throws when it is called") {
  test_engine e;
  nn::module from = nn::dense(2);
  const nn::module to = std::move(from);
  CHECK(TROUPE_ERROR_OF(from(ones({2}))) == "module: its layer has been moved away");
  auto copy = from;
  CHECK(nn::parameters(copy).empty());
  CHECK(to(ones({2})).shape() == shape{2});
}

TEST_CASE("train and eval reach layers at any depth") {
  test_engine e;
  struct {
    noisy plain;
    std::vector<nn::dropout> many{nn::dropout(0.1), nn::dropout(0.2)};
    nn::sequential net{noisy_function, nn::sequential{nn::dropout(0.5), nn::batch_norm()}};
    std::unique_ptr<nn::batch_norm> owned = std::make_unique<nn::batch_norm>();
    nn::module any = nn::dropout(0.3);

    static tensor noisy_function(const tensor& x) { return x; }
  } net;
  CHECK(modes(net, true) == 7);
  nn::eval(net);
  CHECK(modes(net, false) == 7);
  nn::train(net);
  CHECK(modes(net, true) == 7);
  nn::train(net, false);
  CHECK(modes(net, false) == 7);
}

TEST_CASE("parameters have the names that they are saved with, each once") {
  const test_engine e;
  const nn::dense shared(3);
  nn::sequential net{shared, relu, shared, nn::dense(2, {}, {.bias = false})};
  net(ones({1, 3}));
  std::vector<std::string> names;
  for (const auto& one : nn::named_parameters(net)) names.push_back(one.name);
  CHECK(names == std::vector<std::string>{"0.weight", "0.bias", "3.weight"});
  CHECK(nn::named_parameters(net)[1].value == nn::parameters(net)[1]);
}

}  // namespace troupe::testing
