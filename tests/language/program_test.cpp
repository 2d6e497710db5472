// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <optional>
#include <random>

#include "troupe/devices/update.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/text/utf8.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

namespace {

using function_of_many = std::function<std::vector<tensor>(const std::vector<tensor>&)>;

/// Checks that a function's program computes the same bits as the function when it is made again
/// from its text, and that its text is then the same.
void check_text(const function_of_many& f, const std::vector<tensor>& in) {
  const auto p = compile(f).program(in);
  INFO(p.text());
  const auto again = parse_program(p.text(), p.constants());
  const auto twice = [&](const std::vector<tensor>& x) { return again.call(x); };
  CHECK(compile(twice).program(in).text() == p.text());
  auto& engine = troupe::engine::current("the test", caller::current());
  const auto numbers = engine.random_state();
  const auto expected = f(in);
  const auto after = engine.random_state();
  engine.seed(numbers.key, numbers.counter);
  const auto got = again.call(in);
  CHECK(engine.random_state().counter == after.counter);
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(same_bits(got[i], expected[i]));
}

bool is_update(std::string_view name) {
  for (const auto& rule : update_table) {
    if (rule.name == name) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a program is made from text and run") {
  runtime engine;
  const auto f = parse_program("def f(a, b) { c = exp(a) + b; sum(c * c) }");
  const tensor a = {1.F, 2.F}, b = {0.5F, -1.F};
  const auto c = exp(a) + b;
  CHECK(f(a, b).item<float>() == sum(c * c).item<float>());
  CHECK(f(a, b).item<float>() == sum(c * c).item<float>());
}

TEST_CASE("every operation has a text that computes the same") {
  runtime engine;
  int programs = 0, refused = 0;
  for (const auto* op : all_operations()) {
    const bool waits = op->name == "true_positions";
    if (op->transfer || waits || is_update(op->name)) continue;
    for (const auto& s : op->samples()) {
      std::vector<tensor> in;
      for (const auto& type : s.inputs)
        in.push_back(copy(reshape(astype(arange(type.dims.size()) % 4, type.element), type.dims)));
      INFO(op->name);
      const auto f = [&](const std::vector<tensor>& x) { return std::vector{s.call(x)}; };
      try {
        check_text(f, in);
        ++programs;
      } catch (const error& e) {  // samples of argmax go over several axes, users cannot
        CHECK(std::string(e.what()).find("has no text") != std::string::npos);
        ++refused;
      }
    }
  }
  CHECK(programs > 1000);
  CHECK(refused <= 2 * dtype_count);
}

TEST_CASE("random functions have texts that compute the same") {
  runtime engine;
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    check_text(random_function{seed}, random_arguments(seed));
  }
}

TEST_CASE("numbers in the text of a program yield to the arrays beside them") {
  runtime engine;
  using enum elementwise_op;
  for (const auto op : {clip, multiply_add, lerp}) {
    for (const auto element : {float32, float16, complex64, int32}) {
      if ((op == clip && element == complex64) || (op == lerp && element == int32)) continue;
      const auto x = zeros({3}, {.dtype = element}), y = ones({3}, {.dtype = element});
      const auto call = [&](const tensor_or_scalar& a, const tensor_or_scalar& b,
                            const tensor_or_scalar& c) {
        const tensor_or_scalar all[] = {a, b, c};
        return elementwise(op, all);
      };
      INFO(info(op).name << " " << name(element));
      check_text([&](const auto& in) { return std::vector{call(0.5, in[0], in[1])}; }, {x, y});
      check_text([&](const auto& in) { return std::vector{call(in[0], 0.5, in[1])}; }, {x, y});
      check_text([&](const auto& in) { return std::vector{call(0.5, 2, in[0])}; }, {x});
    }
  }
}

TEST_CASE("the text of a complex number keeps signs of zeros, infinity and NaN") {
  runtime engine;
  const temporary_folder folder;
  const auto path = folder / "number.safetensors";
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const double parts[] = {0., -0., 1.5, -2., inf, -inf, nan, 1e-300};
  const auto same = [](double x, double y) {
    return std::isnan(x) ? std::isnan(y) : troupe::same_bits(x, y);
  };
  for (const auto real : parts) {
    for (const auto imaginary : parts) {
      const std::complex<double> z(real, imaginary);
      INFO(z);
      const auto p = compile([&] { return full({2}, z, {.dtype = complex128}); }).program();
      INFO(p.text());
      const auto again = parse_program(p.text(), p.constants());
      CHECK(compile([&] { return again(); }).program().text() == p.text());
      save_program(path, p);
      for (const auto& f : {again, load_program(path)}) {
        const auto got = f()[1].item<std::complex<double>>();
        CHECK(same(got.real(), real));
        CHECK(same(got.imag(), imaginary));
      }
    }
  }
}

namespace {

std::string error_of_text(const std::string& text) {
  return error_of([&] { parse_program(text); });
}

}  // namespace

TEST_CASE("a wrong text is refused with its line and a caret") {
  runtime engine;
  CHECK_THAT(error_of_text("def f(x) {\n  y = exp(x\n  y }\n"), Catch::Contains("line 3"));
  CHECK_THAT(error_of_text("def f(x) = exp(q)"),
             Catch::StartsWith("program, line 1: nothing is named q\n"
                               "  def f(x) = exp(q)\n"
                               "                 ^ (program_test.cpp:"));
  CHECK_THAT(error_of_text("def f(x) { y = \"\xC3\xA9\xC3\xA9\"; exp(q) }"),
             Catch::Contains("\n  def f(x) { y = \"\xC3\xA9\xC3\xA9\"; exp(q) }\n"
                             "                           ^ ("));
  CHECK_THAT(error_of_text("\tdef f(x) {\texp(q) }"),
             Catch::Contains("\n  \tdef f(x) {\texp(q) }\n  \t          \t    ^ ("));
  std::string accents;
  while (accents.size() < 300) accents += "\xC3\xA9";
  for (const std::string before : {"", "x"}) {
    const auto cut =
        error_of_text("def f(x) { \"" + before + accents + "\"; q; \"" + before + accents + "\" }");
    CHECK_THAT(cut, Catch::Contains("nothing is named q"));
    CHECK(is_utf8(cut));
  }
  const std::pair<const char*, const char*> wrong[] = {
      {"", "ends in the definition"},
      {"x = 1", "only definitions"},
      {"def f(x) = x\nconstant c: float32[2]", "ends in the definition"},
      {"def f(x) { print x }", "only computes"},
      {"def f(x) { wait x }", "only computes"},
      {"def f(x) = load(\"secret.npy\")", "load is not possible"},
      {"def f(x) = x.load()", "load is not possible"},
      {"def f(x) { save(\"out.npy\", x) }", "save is not possible"},
      {"def f(x) = load_program(\"f.safetensors\")", "load_program is not possible"},
      {"def f(x) = cancel(x)", "cancel is not possible"},
      {"def f(x) = _1", "no outputs"},
      {"def f(x, x) = x", "two parameters"},
      {"def f(f) = f", "two things"},
      {"constant c: float32[2]\nconstant c: float32[2]\ndef f() = c", "two things"},
      {"constant c: float32\ndef f() = c", "a type is a dtype and sizes"},
      {"constant c: float31[2]\ndef f() = c", "a type is a dtype and sizes"},
      {"constant c: float32[-2]\ndef f() = c", "the size of an axis is an integer"},
      {"constant c: float32[99999999999999999999]\ndef f() = c", "the size of an axis"},
      {"constant c: float32[1,1,1,1,1,1,1,1,1,1]\ndef f() = c", "more than"},
      {"constant c: float32[2]\ndef f() = c", "is not given its array c"},
      {"def f(x: float32[2) = x", "between the sizes of a type"},
      {"def f(x) = x +", "ends"},
      {"def f(x) = \"text", "no closing"},
  };
  for (const auto& [text, part] : wrong) CHECK_THAT(error_of_text(text), Catch::Contains(part));
  CHECK_THAT(error_of_text(std::string("def f(x) {\n  y = x \0\n  y }", 25)),
             Catch::Contains("line 2: an unprintable character\n    y = x ?\n"
                             "          ^ (program_test.cpp:"));
}

TEST_CASE("errors inside a program name the line of its text") {
  runtime engine;
  const auto f = parse_program("def f(x, y) {\n  z = x * 2\n  matmul(z, y)\n}");
  CHECK_THAT(error_of([&] { f(ones({2, 3}), ones({2, 3})); }), Catch::Contains("(program:3)"));
  CHECK_THAT(error_of([&] { f(ones({2, 3})); }), Catch::Contains("takes 2 arguments, not 1"));
  CHECK_THAT(error_of([] {
               parse_program("constant c: float32[3]\ndef f() = c", {{"c", {}}});
             }),
             Catch::Contains("program: c names no array yet (program_test.cpp:"));
  CHECK_THAT(error_of([&] { f(ones({2, 3}), tensor()); }), Catch::Contains("names no array"));
  const auto two = parse_program("def f(x) = [x, x]");
  CHECK_THAT(error_of([&] { two(ones({2})); }), Catch::Contains("has 2 results: use call"));
  const auto typed = parse_program("def f(x: float32[2]) = x + 1");
  CHECK_THAT(error_of([&] { typed(ones({3})); }),
             Catch::Contains("argument 1 is to be float32[2], not float32[3]"));
  const auto endless = parse_program("def f(x) { while true { x = x + 1 } }");
  CHECK_THAT(error_of([&] { endless(ones({3})); }), Catch::Contains("no end"));
  const auto branches = parse_program("def f(x) { if x > 0 { x } else { -x } }");
  CHECK_THAT(error_of([&] { branches(full({}, 2.)); }), Catch::Contains("not known"));
}

TEST_CASE("lists in a program do not grow without end") {
  runtime engine;
  for (const std::string step : {"y = y + y", "y += y", "y = y + [y[0:]]", "y = [y, y] + y"}) {
    INFO(step);
    const auto growing = parse_program("def f(x) {\n  y = [x]\n  repeat 12 { y = y + y }\n" +
                                       ("  repeat 90000 { " + step) + " }\n  x }");
    CHECK_THAT(error_of([&] { growing(ones({3})); }),
               Catch::StartsWith("program: its lists grow beyond 4000000 items (program:4)"));
  }
  const auto changing = parse_program(
      "def f(x) { y = [x]; repeat 12 { y = y + y }; repeat 2000 { y[0] = y[1] }; y[0] }");
  for (int i = 0; i < 3; ++i) CHECK(changing(ones({3}))[0].item<float>() == 1);
}

TEST_CASE("a program keeps variables of its own") {
  runtime engine;
  const auto f = parse_program(
      "variable total: float64[2]\n"
      "constant scale: float64[]\n"
      "def f(x) {\n  before = total\n  total = total + x * scale\n  before\n}",
      {{"total", {1., 2.}}, {"scale", full({}, 10., {.dtype = float64})}});
  const tensor x = {1., 1.};
  for (const double expected : {1., 11., 21., 31.}) CHECK(f(x)[0].item<double>() == expected);
  CHECK(f.variables().at("total")[1].item<double>() == 42.);
  const auto outer = compile([&](const tensor& y) { return f(y) + f(y); });
  CHECK(outer(x)[0].item<double>() == 41. + 51.);
  CHECK(f.variables().at("total")[0].item<double>() == 61.);
  CHECK_THAT(error_of([&] {
               parse_program("variable w: float32[2]\ndef f(x) { w = x; x }",
                             {{"w", ones({2})}})(ones({3}));
             }),
             Catch::Contains("float32[3]"));
  CHECK_THAT(error_of([&] {
               parse_program("def f(x) = x", {{"w", ones({2})}});
             }),
             Catch::Contains("declares no w"));
  CHECK_THAT(error_of([&] {
               parse_program("constant w: float32[3]\ndef f(x) = x", {{"w", ones({2})}});
             }),
             Catch::Contains("w is to be float32[3], not float32[2]"));
}

TEST_CASE("a program ends with the runtime that its arrays belong to") {
  std::optional<program> f;
  {
    runtime engine;
    f = parse_program("constant c: float32[]\ndef f(x) = x * c", {{"c", ones({})}});
    CHECK((*f)(ones({2}))[0].item<float>() == 1);
  }
  runtime engine;
  CHECK_THAT(error_of([&] { (*f)(ones({2})); }), Catch::Contains("of another runtime"));
}

TEST_CASE("a program is saved and loaded") {
  const temporary_folder folder;
  const auto path = folder / "step.safetensors";
  std::string text;
  {
    runtime engine;
    const auto scale = arange(3, {.dtype = float32});
    const auto f = compile([&](const tensor& x) { return exp(x) * constant(scale) + 0.5; });
    const auto p = f.program(ones({3}));
    text = p.text();
    save_program(path, p);
  }
  runtime engine;
  const auto p = load_program(path);
  CHECK(p.text() == text);
  const auto expected = exp(ones({3})) * arange(3, {.dtype = float32}) + 0.5;
  CHECK(same_bits(p(ones({3})), expected));
  CHECK(same_bits(grad([&](const tensor& x) { return sum(p(x)); })(ones({3})),
                  exp(ones({3})) * arange(3, {.dtype = float32})));
  save_safetensors(path, {{"x", ones({3})}});
  CHECK_THAT(error_of([&] { load_program(path); }), Catch::Contains("has no program"));
  save_safetensors(path, {}, {{program_text_key, "def f(x) {\n  y + 1\n}"}});
  CHECK_THAT(error_of([&] { load_program(path); }),
             Catch::StartsWith("load_program: " + path + ": program, line 2: nothing is named y"));
  CHECK_THAT(error_of([&] { load_program(path, {.dtype = float64}); }),
             Catch::Contains("its text says which dtypes its arrays have"));
  const auto missing = folder / "missing";
  CHECK_THAT(error_of([&] { load_program(missing); }),
             Catch::StartsWith("load_program: " + missing + ": cannot be opened"));
}

TEST_CASE("damaged files and texts are refused or run, and nothing else") {
  const temporary_folder folder;
  const auto path = folder / "f.safetensors";
  runtime engine;
  const auto w = reshape(arange(6, {.dtype = float32}), {3, 2});
  const tensor indices = {0, 1};
  const auto f = compile([&](const tensor& x) {
    const auto y = matmul(x, constant(w));
    return as_strided(take(y, constant(indices)), {2}, std::vector<std::int64_t>{1}, 0) +
           sum(max_pool2d(reshape(x, {1, 1, 2, 3}), {.size = 2}));
  });
  const auto x = ones({2, 3});
  save_program(path, f.program(x));
  const auto good = bytes_in(path);
  std::mt19937 random(7);
  const auto damaged = [&](std::string bytes) {
    static constexpr std::string_view likely = "0123456789-[](),:x{}\"\\ \n";
    for (auto count = 1 + random() % 4; count > 0; --count) {
      const auto at = random() % bytes.size();
      const auto other = likely[random() % likely.size()];
      switch (random() % 3) {
        case 0: bytes[at] = other; break;
        case 1: bytes.erase(at, 1 + random() % 8); break;
        default: bytes.insert(at, 1, other);
      }
    }
    return bytes;
  };
  int refused = 0, ran = 0;
  const auto attempt = [&](const auto& made) {
    try {
      made().call({&x, 1})[0].wait();
      ++ran;
    } catch (const error&) { ++refused; } catch (const std::bad_alloc&) {
      ++refused;
    }
  };
  const auto whole = load_program(path);
  for (int i = 0; i < 3000; ++i) {
    attempt([&] { return parse_program(damaged(whole.text()), whole.constants()); });
    if (i % 4 == 0) attempt([&] { return load_program(put_bytes(path, damaged(good))); });
  }
  CHECK(refused > 1000);
  CHECK(ran > 50);
}

}  // namespace troupe::testing
