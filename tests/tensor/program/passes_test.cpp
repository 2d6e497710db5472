// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <limits>

#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/checkpoint.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// Returns what `explain` says of a function that was called with `in`; its result is checked.
template <class F, class... In>
std::string explained(const F& f, const In&... in) {
  const auto compiled = compile(f);
  CHECK(same_bits(compiled(in...), f(in...)));
  return compiled.explain();
}

}  // namespace

TEST_CASE("what is computed twice is computed once") {
  test_engine e;
  const auto x = normal({3, 4});
  const auto text = explained([](const tensor& y) { return exp(y) * 2 + exp(y) * 2; }, x);
  CHECK_THAT(text, Catch::Contains("merged exp (passes_test.cpp:"));
  CHECK_THAT(text, Catch::Contains("merged multiply (passes_test.cpp:"));
  CHECK_THAT(text, Catch::Contains("3 operations packed"));
}

TEST_CASE("operations on other views, with other parameters or other results stay apart") {
  test_engine e;
  const auto x = normal({4, 4});
  const auto differs = [&](auto f) { return explained(f, x).find("merged") == std::string::npos; };
  CHECK(differs([](const tensor& y) { return exp(y) + exp(y.T()); }));
  CHECK(differs([](const tensor& y) { return sum(y, 0) + sum(y, 1); }));
  CHECK(differs([](const tensor& y) { return y * 2 + y * 3; }));
  CHECK(differs([](const tensor& y) { return full({4}, 0.) + y * full({4}, -0.); }));
  CHECK(differs([](const tensor& y) { return y * full({4}, 2.) + sum(full({1}, 2.)); }));
  CHECK(differs([](const tensor& y) { return astype(y, int32) * 2 + astype(y, int64) * 2; }));
}

TEST_CASE("capturing takes no longer for each operation where many are alike") {
  test_engine e;
  const auto x = normal({70, 64});  // too large to be packed
  const auto time_of = [&](int count) {
    auto least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 3; ++round) {  // others may have the core in one of them
      const auto f = compile([count](const tensor& y) {
        tensor sum = y;
        for (int i = 0; i < count; ++i) sum = sum + y * static_cast<float>(i);
        return sum;
      });
      const auto begin = std::chrono::steady_clock::now();
      f(x);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
      least = std::min(least, taken.count() / count);
    }
    return least;
  };
  const auto few = time_of(300);
  CHECK(time_of(6'000) < 5 * few);
}

TEST_CASE("random numbers are never merged") {
  test_engine e;
  const auto f = compile([](const tensor& y) { return y + uniform({3}) - uniform({3}); });
  const auto y = f(zeros({3}));
  CHECK(y[0].item<double>() != 0);
  CHECK(f.explain().find("merged") == std::string::npos);
}

TEST_CASE("results that are merged are all there") {
  test_engine e;
  const auto f = compile([](const tensor& y) { return std::pair{exp(y), exp(y).T()}; });
  const auto [a, b] = f(zeros({2, 1}));
  CHECK(numbers(a) == std::vector<double>{1, 1});
  CHECK(b.shape() == shape{1, 2});
  CHECK_THAT(f.explain(), Catch::Contains("1 task"));
}

TEST_CASE("a checkpoint's second run is not merged with its first") {
  test_engine e;
  const auto slope = [](const tensor& y) {
    return grad([](const tensor& z) {
      return sum(checkpoint([](const std::vector<tensor>& in) { return sin(exp(in[0])); }, {z}));
    })(y);
  };
  CHECK(explained(slope, normal({3})).find("merged exp") == std::string::npos);
}

TEST_CASE("what depends on constants alone is computed once") {
  test_engine e;
  const auto table = normal({4, 4});
  const auto f = compile([&](const tensor& y) {
    const auto weights = softmax(constant(table) * 2) + full({4, 4}, 1.f);
    return matmul(y, weights);
  });
  const auto x = normal({3, 4});
  const auto expected = matmul(x, softmax(table * 2) + full({4, 4}, 1.f));
  for (int call = 0; call < 4; ++call) CHECK(same_bits(f(x), expected));
  CHECK_THAT(f.explain(), Catch::Contains("computed once multiply (passes_test.cpp:"));
  CHECK_THAT(f.explain(), Catch::Contains("computed once softmax"));
  CHECK_THAT(f.explain(), Catch::Contains("computed once add"));
  CHECK_THAT(f.explain(), Catch::Contains("  1 task\n"));
}

TEST_CASE("constants may be all that a function returns") {
  test_engine e;
  const auto table = normal({4});
  const auto f = compile([&](const tensor& y) { return std::pair{exp(constant(table)), y}; });
  for (int call = 0; call < 3; ++call) CHECK(same_bits(f(ones({1})).first, exp(table)));
  CHECK_THAT(f.explain(), Catch::Contains("  0 tasks\n"));
}

TEST_CASE("arrays that are made of nothing, random or much larger than constants are not kept") {
  test_engine e;
  const auto table = normal({2000, 1});
  const auto folds = [&](auto f) {
    return explained(f, ones({1})).find("computed once") != std::string::npos;
  };
  CHECK_FALSE(folds([](const tensor& y) { return y + arange(4) * 2; }));
  CHECK_FALSE(
      folds([&](const tensor& y) { return y * sum(constant(table) + constant(table.T())); }));
  const auto f = compile([&](const tensor& y) { return y + constant(table) * uniform({1}); });
  f(ones({1}));
  CHECK(f.explain().find("computed once") == std::string::npos);
}

TEST_CASE("an operation on constants that fails does so at each call") {
  test_engine e;
  const auto table = normal({4}), at = astype(full({1}, 7), int64);
  const auto f =
      compile([&](const tensor& y) { return y + take(constant(table), constant(at), 0); });
  for (int call = 0; call < 3; ++call) {
    const auto y = f(ones({1}));
    REQUIRE(y.failed());
    CHECK_THAT(y.source()->why()->text, Catch::Contains("index 7 is out of bounds"));
  }
}

TEST_CASE("constants that failed for once are there at the next call") {
  test_engine e;
  const auto table = normal({4});
  const auto f = compile([&](const tensor& y) { return y * exp(constant(table)); });
  e.engine.inject_faults({.failing = {"exp"}});
  f(ones({4}));
  e.engine.inject_faults({});
  for (int call = 0; call < 3; ++call) CHECK(same_bits(f(ones({4})), exp(table)));
  CHECK(f.explain().find("computed once") == std::string::npos);
}

TEST_CASE("conversions there and back, and copies, are bypassed") {
  test_engine e;
  const auto x = normal({3, 4});
  CHECK_THAT(explained([](const tensor& y) { return copy(y) * 2; }, x),
             Catch::Contains("bypassed copy (passes_test.cpp:"));
  CHECK_THAT(
      explained([](const tensor& y) { return astype(astype(y * 2, float64), float32) + 1; }, x),
      Catch::Contains("bypassed astype (passes_test.cpp:"));
  CHECK_THAT(
      explained([](const tensor& y) { return astype(astype(y > 0, int64), boolean).T() == y.T(); },
                x),
      Catch::Contains("bypassed astype"));
}

TEST_CASE("copies that are returned, and conversions that round, stay") {
  test_engine e;
  const auto x = normal({3, 4});
  const auto bypasses = [&](auto f) {
    return explained(f, x).find("bypassed") != std::string::npos;
  };
  CHECK_FALSE(bypasses([](const tensor& y) { return copy(y); }));
  CHECK_FALSE(bypasses([](const tensor& y) { return copy(y.T()) * 2; }));
  CHECK_FALSE(
      bypasses([](const tensor& y) { return astype(astype(y * 2, float16), float32) + 1; }));
  CHECK_FALSE(bypasses([](const tensor& y) { return astype(astype(y, float64), float32) + 1; }));
  CHECK_FALSE(bypasses([](const tensor& y) { return astype(astype(y, int32), float32) + 1; }));
}

}  // namespace troupe::testing
