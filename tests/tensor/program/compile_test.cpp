// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/compile.hpp"

#include <complex>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/batching/vmap.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/print.hpp"
#include "troupe/tensor/waiting.hpp"
#include "troupe/tests/effort.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("compiled functions return what the functions return, to the bit") {
  test_engine e;
  int fused = 0, by_rows = 0, packed = 0;
  constexpr int functions = cases(1200);
  for (unsigned seed = 1; seed <= functions; ++seed) {
    CAPTURE(seed);
    const random_function f{seed};
    const auto compiled = compile(f);
    e.engine.seed(seed);
    const auto in = random_arguments(seed);
    const auto numbers = e.engine.random_state();
    const auto expected = f(in);
    const auto after = e.engine.random_state();
    for (int call = 0; call < 3; ++call) {
      e.engine.seed(numbers.key, numbers.counter);
      const auto got = compiled(in);
      CHECK(e.engine.random_state().counter == after.counter);
      REQUIRE(got.size() == expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(same_bits(got[i], expected[i]));
    }
    const auto told = compiled.explain();
    fused += told.find("fused") != std::string::npos;
    by_rows += told.find("fused by rows") != std::string::npos;
    packed += told.find("packed") != std::string::npos;
  }
  CHECK(fused > functions / 40);
  CHECK(by_rows > functions / 40);
  CHECK(packed > functions / 12);
}

TEST_CASE("a function is captured once for each kind of arguments") {
  test_engine e;
  int calls = 0;
  const auto f = compile([&](const tensor& x, double by) {
    ++calls;
    return x * by;
  });
  const auto x = ones({3});
  CHECK(numbers(f(x, 2.0)) == std::vector<double>{2, 2, 2});
  CHECK(calls == 1);
  CHECK(numbers(f(x, 3.0)) == std::vector<double>{3, 3, 3});
  CHECK(calls == 2);
  CHECK(numbers(f(ones({1}), 2.0)) == std::vector<double>{2});
  CHECK(calls == 3);
  CHECK(numbers(f(ones({3}, {.dtype = float64}), 2.0)) == std::vector<double>{2, 2, 2});
  CHECK(calls == 4);
  CHECK(numbers(f(ones({3}, {.device = cpu(1)}), 2.0)) == std::vector<double>{2, 2, 2});
  CHECK(calls == 5);
  CHECK(numbers(f(ones({6}).slice(0, 0, 6, 2), 2.0)) == std::vector<double>{2, 2, 2});
  CHECK(calls == 6);
}

TEST_CASE("a compiled function is captured again now and then, to see if it still does the same") {
  test_engine e;
  int calls = 0;
  const auto f = compile([&](const tensor& x) {
    ++calls;
    return x + 1;
  });
  const auto x = ones({3});
  for (int i = 0; i < 20; ++i) f(x);
  CHECK(calls == 6);  // calls 1, 2, 3, 5, 9 and 17
}

TEST_CASE("a function that fails where it is captured again never runs as it was before") {
  test_engine e;
  bool fails = false;
  const auto f = compile([&](const tensor& x) {
    if (fails) throw std::runtime_error("it fails");
    return x + 1;
  });
  const auto x = ones({3});
  CHECK(numbers(f(x)) == std::vector<double>{2, 2, 2});
  fails = true;
  for (int i = 0; i < 9; ++i) CHECK_THROWS_WITH(f(x), "it fails");
  fails = false;
  CHECK(numbers(f(x)) == std::vector<double>{2, 2, 2});
}

TEST_CASE("what a function returns may be an argument, a view, or the same array twice") {
  test_engine e;
  const auto f = compile([](const tensor& x, const tensor& y) {
    const auto sum = x + y;
    return std::tuple{x, sum.T(), sum, sum};
  });
  const tensor x = {{1., 2.}, {3., 4.}}, y = {{10., 10.}, {20., 20.}};
  for (int i = 0; i < 2; ++i) {
    const auto [a, b, c, d] = f(x, y);
    CHECK(a.source() == x.source());
    CHECK(numbers(b) == std::vector<double>{11, 23, 12, 24});
    CHECK(numbers(c) == std::vector<double>{11, 12, 23, 24});
    CHECK(c.source() == d.source());
  }
}

namespace {

enum class direction { there, back };

struct state {
  tensor h, c;
};

struct settings {
  double rate = 1;
  std::string name;
  std::optional<tensor> mask;
  std::map<std::string, std::vector<tensor>> groups;
  direction way = direction::there;
};

state step(const state& s, const settings& with) {
  auto h = s.h * with.rate;
  if (with.name == "twice") h = h * 2.;
  if (with.mask) h = h * *with.mask;
  for (const auto& [name, all] : with.groups) {
    for (const auto& x : all) h = name == "minus" ? h - x : h + x;
  }
  if (with.way == direction::back) return {s.c, h};
  return {h, s.c + h};
}

}  // namespace

TEST_CASE("arguments and results may be structures") {
  test_engine e;
  int captures = 0;
  const auto f = compile([&](const state& s, const settings& with) {
    ++captures;
    return step(s, with);
  });
  const tensor one = {1., 2.}, two = {3., 5.};
  std::vector<settings> all(6);
  all[1].rate = 0.5;
  all[2].name = "twice";
  all[3].mask = two;
  all[4].groups = {{"minus", {one, two}}, {"plus", {two}}};
  all[5].way = direction::back;
  for (int call = 0; call < 2; ++call) {
    for (const auto& with : all) {
      const auto got = f(state{one, two}, with), expected = step({one, two}, with);
      CHECK(same_bits(got.h, expected.h));
      CHECK(same_bits(got.c, expected.c));
    }
  }
  CHECK(captures == 12);  // each is captured again at its second call
  const auto counts = compile([](const tensor& x) { return std::pair(x, 3); });
  CHECK_THROWS_WITH(counts(one), Catch::Contains("and nothing else"));
  const auto text = f.program(state{one, two}, all[4]).text();
  CHECK(text.find("x4: float64[2]") != text.npos);
}

TEST_CASE("arguments may be literals, paths, complex numbers, flags, devices and axes") {
  test_engine e;
  int captures = 0;
  const auto count = [&captures](auto f) {
    return compile([&captures, f](const auto&... in) {
      ++captures;
      return f(in...);
    });
  };
  const tensor x = {1., 2.};
  const auto named = count([](const tensor& y, const char* how) {
    return how && std::string_view(how) == "twice" ? y * 2 : y;
  });
  CHECK(numbers(named(x, "twice")) == std::vector<double>{2, 4});
  CHECK(numbers(named(x, "once")) == std::vector<double>{1, 2});
  CHECK(numbers(named(x, static_cast<const char*>(nullptr))) == std::vector<double>{1, 2});
  CHECK(captures == 3);
  const auto flagged = count([](const tensor& y, const std::vector<bool>& twice) {
    return twice[0] && !twice[1] ? y * 2 : y;
  });
  CHECK(numbers(flagged(x, std::vector<bool>{true, false})) == std::vector<double>{2, 4});
  CHECK(numbers(flagged(x, std::vector<bool>{true, true})) == std::vector<double>{1, 2});
  CHECK(captures == 5);
  const auto at = count(
      [](const tensor& y, const std::filesystem::path& file) { return y * (file == "a" ? 2 : 1); });
  CHECK(numbers(at(x, std::filesystem::path("a"))) == std::vector<double>{2, 4});
  CHECK(numbers(at(x, std::filesystem::path("b"))) == std::vector<double>{1, 2});
  CHECK(captures == 7);
  const auto turned =
      count([](const tensor& y, std::complex<double> by) { return real(y * by * by); });
  CHECK(numbers(turned(x, std::complex<double>(0, 1))) == std::vector<double>{-1, -2});
  CHECK(numbers(turned(x, std::complex<double>(1, 0))) == std::vector<double>{1, 2});
  CHECK(captures == 9);
  const auto along = count([](const tensor& y, const axes& some, device where) {
    return sum(y, some) + full({}, where == cpu(1) ? 1. : 0.);
  });
  const auto square = ones({2, 2});
  CHECK(numbers(along(square, axes{0}, cpu(0))) == std::vector<double>{2, 2});
  CHECK(numbers(along(square, axes{0, 1}, cpu(0))) == std::vector<double>{4});
  CHECK(numbers(along(square, axes{0, 1}, cpu(1))) == std::vector<double>{5});
  CHECK(captures == 12);
}

TEST_CASE("the same tensor may be several arguments") {
  test_engine e;
  const auto f = compile([](const tensor& x, const tensor& y) { return x * 2 + y; });
  const auto x = ones({3});
  CHECK(numbers(f(x, x)) == std::vector<double>{3, 3, 3});
  CHECK(numbers(f(x, x + 1)) == std::vector<double>{4, 4, 4});
}

TEST_CASE("compiled functions call each other, and gradients go through them") {
  test_engine e;
  const auto inner = compile([](const tensor& x) { return x * x; });
  const auto outer = compile([&](const tensor& x) { return sum(inner(x) + 1); });
  const tensor x = {1., 2., 3.};
  CHECK(outer(x).item<double>() == 17);
  CHECK(numbers(grad(outer)(x)) == std::vector<double>{2, 4, 6});
  const auto slope = compile([&](const tensor& z) { return grad(outer)(z); });
  for (int i = 0; i < 3; ++i) CHECK(numbers(slope(x)) == std::vector<double>{2, 4, 6});
}

TEST_CASE("elementwise operations on large arrays are one task, small functions too") {
  test_engine e;
  const auto f = compile([](const tensor& x, const tensor& row) { return tanh(x * 2 + row) - x; });
  const auto tasks_of = [&](const tensor& x, const tensor& row) {
    f(x, row);
    const auto before = f(x, row).source()->sequence;
    return f(x, row).source()->sequence - before;
  };
  CHECK(tasks_of(ones({2000, 500}), ones({500})) == 1);
  CHECK(tasks_of(ones({2, 5}), ones({5})) == 1);
  CHECK_THAT(f.explain(), Catch::Contains("fused multiply, add, tanh, subtract"));
  CHECK_THAT(f.explain(), Catch::Contains("packed"));
}

TEST_CASE("operations that nobody needs are left out") {
  test_engine e;
  const auto f = compile([](const tensor& x) {
    exp(x);
    return x + 1;
  });
  f(ones({3}));
  CHECK_THAT(f.explain(), Catch::Contains("1 operation left out"));
}

TEST_CASE("failures in a program name their operation and its line") {
  test_engine e;
  const auto at = from_data(std::vector<std::int64_t>{7}, {1});
  const auto f = compile([](const tensor& x, const tensor& i) {
    const auto more = x + 1;
    return take(more, i, 0) * 2;
  });
  const auto line = __LINE__ - 2;
  for (int call = 0; call < 2; ++call) {
    const auto y = f(ones({3}), at);
    REQUIRE(y.failed());
    const auto& text = y.source()->why()->text;
    CHECK_THAT(text, Catch::Contains("take: index 7 is out of bounds"));
    CHECK_THAT(text, Catch::EndsWith("(compile_test.cpp:" + std::to_string(line) + ")"));
    CHECK(y.source()->why()->call_site.line() == static_cast<unsigned>(line));
  }
}

TEST_CASE("a program ends with its runtime, and is captured anew for the next") {
  const auto f = compile([](const tensor& x) { return exp(x) + 1; });
  for (int i = 0; i < 3; ++i) {
    test_engine e;
    CHECK(numbers(f(zeros({2}))) == std::vector<double>{2, 2});
    CHECK(numbers(f(zeros({2}))) == std::vector<double>{2, 2});
  }
}

TEST_CASE("programs that keep much are dropped first of all") {
  test_engine e;
  int captures = 0;
  const auto f = compile([&](const tensor& x, int) {
    ++captures;
    const auto own = from_data(std::vector<float>(5 << 20, 2.F), {5 << 20});  // 20 MiB
    return x + sum(own);
  });
  const tensor x = {1.F};
  const auto most = 256 / 20;
  for (int i = 0; i < 3 * most; ++i) f(x, i);
  CHECK(captures == 3 * most);
  const auto lines = f.explain();
  int kept = 0;
  for (auto at = lines.find("called"); at != lines.npos; at = lines.find("called", at + 1)) ++kept;
  CHECK(kept == most);
  f(x, 3 * most - 1);  // is captured again to see if it is the same
  CHECK(captures == 3 * most + 1);
  f(x, 0);
  CHECK(captures == 3 * most + 2);
}

TEST_CASE("data that a function brings are part of the program") {
  test_engine e;
  const auto f = compile([](const tensor& x) { return x + tensor{1., 2., 3.}; });
  for (int i = 0; i < 3; ++i) CHECK(numbers(f(ones({3}))) == std::vector<double>{2, 3, 4});
}

TEST_CASE("constants are those of the tensors that were given") {
  test_engine e;
  const tensor table = {{1., 2.}, {3., 4.}};
  const auto f =
      compile([&](const tensor& x) { return x + constant(table.T()) + constant(table); });
  for (int i = 0; i < 3; ++i) CHECK(numbers(f(zeros({2, 2}))) == std::vector<double>{2, 5, 5, 8});
  CHECK(constant(table).source() == table.source());
}

TEST_CASE("what a mapped function holds constant is a part of the program") {
  test_engine e;
  const auto f = [](const tensor& x) { return x * constant(x + 1.); };
  const tensor x{1., 2., 3.};
  const auto g = compile(vmap(f));
  for (int i = 0; i < 3; ++i) CHECK(numbers(g(x)) == std::vector<double>{2, 6, 12});
}

}  // namespace troupe::testing
