// SPDX-License-Identifier: MIT
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <thread>

#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/selection.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tensor/waiting.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

/// More ways to capture wrongly: by what is around a function, and by what its arguments are. Each
/// is refused, or returns what the function returns.

namespace troupe::testing {

namespace {

/// Returns the error of the first of five calls that throws.
template <class F>
std::string error_of_five_calls(const F& f) {
  try {
    for (int i = 0; i < 5; ++i) f(ones({3}));
  } catch (const error& e) { return e.what(); }
  return "nothing was thrown";
}

std::string at_line(int line) {
  return "(wrong_surroundings_test.cpp:" + std::to_string(line) + ")";
}

/// Checks that a compiled function returns what the function returns for each of these arguments,
/// called in turn several times.
template <class F, class... Arguments>
void check_in_turn(const F& f, const Arguments&... all) {
  const auto compiled = compile(f);
  const auto check = [&](const auto& in) {
    CHECK(same_bits(std::apply(compiled, in), std::apply(f, in)));
  };
  for (int i = 0; i < 4; ++i) (check(all), ...);
}

}  // namespace

TEST_CASE("seeding random numbers in a compiled function is refused") {
  test_engine e;
  const auto f = compile([](const tensor& x) {
    seed(5);
    return x + uniform({3});
  });
  const auto line = __LINE__ - 3;
  CHECK(error_of_five_calls(f) ==
        "seed: not possible in a compiled function, whose calls it would not seed; give its random "
        "numbers a key " +
            at_line(line));
  const auto g = compile([&](const tensor& x) {
    e.engine.seed(5);
    return x + uniform({3});
  });
  CHECK_THAT(error_of_five_calls(g),
             Catch::StartsWith("compile: random numbers were seeded while"));
}

TEST_CASE("numbers of other types are other arguments, even of the same bytes") {
  test_engine e;
  const auto scale = [](const tensor& x, auto by) { return x * by; };
  const tensor x = {1, 2, 3};
  check_in_turn(scale, std::make_tuple(x, 1.F), std::make_tuple(x, 0x3f800000),
                std::make_tuple(x, 1.), std::make_tuple(x, std::int64_t{0x3ff0000000000000}),
                std::make_tuple(x, 1), std::make_tuple(x, true), std::make_tuple(x, 1U));
}

TEST_CASE("zeros of other signs, and NaN, are other arguments") {
  test_engine e;
  const auto scale = [](const tensor& x, double by) { return x * by; };
  const auto x = ones({2});
  check_in_turn(scale, std::make_tuple(x, 0.), std::make_tuple(x, -0.),
                std::make_tuple(x, std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("none is another argument than zero, an absent array than an empty one") {
  test_engine e;
  const auto add = [](const tensor& x, std::optional<int> n, const std::optional<tensor>& y) {
    auto out = n ? x + *n : x - 1;
    return y ? concatenate({out, *y}, 0) : out;
  };
  using number = std::optional<int>;
  using array = std::optional<tensor>;
  const auto x = ones({2});
  check_in_turn(add, std::make_tuple(x, number(0), array()), std::make_tuple(x, number(), array()),
                std::make_tuple(x, number(0), array(zeros({0}))),
                std::make_tuple(x, number(), array(ones({1}))));
}

TEST_CASE("containers of other sizes and keys are other arguments") {
  test_engine e;
  using map = std::map<std::string, tensor>;
  const auto f = [](const map& all, const std::vector<std::vector<int>>& sizes) {
    auto out = zeros({2});
    for (const auto& [name, x] : all) out = name < "c" ? out + x : out - x;
    for (const auto& row : sizes) {
      out = out * 2;
      for (const int n : row) out = out + n;
    }
    return out;
  };
  using rows = std::vector<std::vector<int>>;
  const auto x = ones({2}), y = full({2}, 3.F);
  check_in_turn(f, std::make_tuple(map{{"a", x}, {"b", y}}, rows{{1}, {2}}),
                std::make_tuple(map{{"a", x}, {"d", y}}, rows{{1, 2}}),
                std::make_tuple(map{{"a", y}}, rows{{1, 2}, {}}),
                std::make_tuple(map{{"ab", y}}, rows{{}, {1, 2}}), std::make_tuple(map{}, rows{}));
}

TEST_CASE("empty arrays, scalars and views of other strides are other arguments") {
  test_engine e;
  const auto f = [](const tensor& x) { return sum(exp(x) + 1) + static_cast<double>(x.rank()); };
  const tensor x = {{1., 2., 3.}, {4., 5., 6.}};
  check_in_turn(f, std::make_tuple(zeros({0, 3})), std::make_tuple(zeros({3, 0})),
                std::make_tuple(zeros({0})), std::make_tuple(zeros({})), std::make_tuple(x),
                std::make_tuple(x.T()), std::make_tuple(flip(x, 1)),
                std::make_tuple(x.slice(1, 0, 3, 2)), std::make_tuple(x.slice(1, 1, 3)),
                std::make_tuple(broadcast_to(x.slice(0, 0, 1), {2, 3})));
}

TEST_CASE("branches on shapes and dtypes go as in the function") {
  test_engine e;
  const auto f = [](const tensor& x) {
    if (x.shape()[0] > 2) return x * 2;
    return x.dtype() == float64 ? x + 1 : x - 1;
  };
  check_in_turn(f, std::make_tuple(ones({3})), std::make_tuple(ones({2})),
                std::make_tuple(ones({2}, float64)));
}

TEST_CASE("changed globals, the clock and hidden switches are found out") {
  test_engine e;
  static bool flag = false;
  const auto by_flag = compile([](const tensor& x) { return flag ? x * 2 : x; });
  by_flag(ones({3}));
  flag = true;
  CHECK_THAT(error_of_five_calls(by_flag), Catch::Contains("does not do what it did"));
  CHECK_THAT(error_of_five_calls(compile([](const tensor& x) {
               const auto now = std::chrono::steady_clock::now().time_since_epoch();
               return x * static_cast<double>(now.count() % 1'000'003);
             })),
             Catch::Contains("multiply (wrong_surroundings_test.cpp:"));
  std::vector<double> schedule{1};
  CHECK_THAT(error_of_five_calls(compile([&](const tensor& x) {
               schedule.push_back(2);
               auto y = x;
               for (const double one : schedule) y = y * one;
               return y;
             })),
             Catch::Contains("multiply (wrong_surroundings_test.cpp:"));
}

TEST_CASE("after a change was found out, a function does what it does now") {
  test_engine e;
  double factor = 3;
  const auto f = compile([&](const tensor& x) { return x * factor; });
  for (int i = 0; i < 3; ++i) f(ones({2}));
  factor = 5;
  int refused = 0, wrong = 0;
  for (int i = 0; i < 20; ++i) {
    try {
      wrong += f(ones({2}))[0].item<double>() != 5;
    } catch (const error&) { ++refused; }
    if (refused == 0) wrong = 0;  // it is not looked at before
  }
  CHECK(refused == 1);
  CHECK(wrong == 0);
}

TEST_CASE("state that a function keeps outside from call to call is refused") {
  test_engine e;
  tensor hidden = zeros({3});
  CHECK_THAT(error_of_five_calls(compile([&](const tensor& x) { return hidden = hidden + x; })),
             Catch::StartsWith("add: a tensor from outside the compiled function"));
  std::optional<tensor> last;
  CHECK_THAT(error_of_five_calls(compile([&](const tensor& x) {
               const auto y = last ? x + *last : x + 1;
               last = y;
               return y;
             })),
             Catch::Contains("(wrong_surroundings_test.cpp:"));
}

TEST_CASE("a placeholder of one function is refused in another one") {
  test_engine e;
  tensor escaped;
  compile([&](const tensor& x) { return escaped = x * 2; })(ones({3}));
  const auto f = compile([&](const tensor& x) { return x + escaped; });
  CHECK_THAT(error_of_five_calls(f), Catch::StartsWith("add: "));
  CHECK_THAT(error_of_five_calls(compile([&](const tensor&) { return escaped; })),
             Catch::StartsWith("compile: "));
  CHECK_THAT(error_of_five_calls(compile([&](const tensor& x) { return x + constant(escaped); })),
             Catch::StartsWith("constant: "));
}

TEST_CASE("changes of an argument within the function stay there") {
  test_engine e;
  const auto f = [](const tensor& x) {
    auto y = x;
    y.at(0) = 5;
    y += 1;
    return y * x;
  };
  const auto x = ones({3});
  check_in_turn(f, std::make_tuple(x));
  CHECK(numbers(x) == std::vector<double>{1, 1, 1});
}

TEST_CASE("effects are refused in compiled functions") {
  test_engine e;
  CHECK_THAT(error_of_five_calls(compile([](const tensor& x) {
               effect("mine", {x}, [](const inputs&) {});
               return x;
             })),
             Catch::StartsWith("mine: not possible in a compiled function") &&
                 Catch::Contains("(wrong_surroundings_test.cpp:"));
}

TEST_CASE("a function is called for two runtimes in turn, and none without its runtime") {
  const auto f = compile([](const tensor& x) { return exp(x) + 1; });
  tensor old;
  {
    test_engine first;
    const auto x = zeros({2});
    synchronous_engine second(two_devices());
    tensor y;
    {
      const use_engine there(second);
      y = zeros({2});
    }
    for (int i = 0; i < 4; ++i) {
      CHECK(f(x).source()->engine == first.engine.id());
      CHECK(f(y).source()->engine == second.id());
    }
    old = x;
  }
  CHECK_THROWS_AS(f(old), error);
  test_engine again;
  CHECK_THROWS_AS(f(old), error);
}

TEST_CASE("functions that call each other, maps and derivatives are captured as they are") {
  test_engine e;
  std::optional<compiled<std::function<tensor(const tensor&, int)>>> even, odd;
  even.emplace([&](const tensor& x, int n) { return n == 0 ? x : (*odd)(x * 2, n - 1); },
               caller::current());
  odd.emplace([&](const tensor& x, int n) { return n == 0 ? -x : (*even)(x + 1, n - 1); },
              caller::current());
  for (int i = 0; i < 3; ++i) {
    CHECK(numbers((*even)(ones({1}), 4)) == std::vector<double>{7});
    CHECK(numbers((*even)(ones({1}), 3)) == std::vector<double>{-6});
  }
  const auto cubes = [](const tensor& x) { return sum(x * x * x); };
  check_in_turn([&](const tensor& x) { return grad(cubes)(x); }, std::make_tuple(tensor{1., 2.}));
}

TEST_CASE("a computation without gradients within a function stays without them") {
  test_engine e;
  const auto f = compile([](const tensor& x) {
    const no_grad off;
    return x * 2;
  });
  const auto g = grad([&](const tensor& x) { return sum(x * f(x)); });
  for (int i = 0; i < 3; ++i) CHECK(numbers(g(ones({2}))) == std::vector<double>{2, 2});
}

}  // namespace troupe::testing
