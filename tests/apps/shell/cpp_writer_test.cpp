// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/language/syntax/parser.hpp"
#include "troupe/tasks/error.hpp"

using namespace troupe;
using namespace troupe::shell;
using namespace troupe::language;

namespace {

/// Returns the program of inputs, a line each.
std::string program_of(const std::string& inputs, const runtime_options& on = {}) {
  symbol_table symbols;
  std::vector<cpp::step> steps;
  unsigned number = 0;
  for (std::size_t begin = 0; begin < inputs.size();) {
    const auto end = std::min(inputs.find('\n', begin), inputs.size());
    const auto text = inputs.substr(begin, end - begin);
    ++number;
    steps.push_back({text, parse(text, symbols, {"input", number, false})});
    begin = end + 1;
  }
  return cpp::program_of(symbols, steps, on);
}

/// Returns the statements of main after the runtime, without their indentation.
std::string body_of(const std::string& inputs) {
  const auto program = program_of(inputs);
  const auto main = program.find("int main() {");
  std::string out;
  for (auto begin = program.find("\n\n", main) + 2; program[begin] != '}';) {
    const auto end = program.find('\n', begin);
    out += program.substr(begin + 2, end - begin - 1);
    begin = end + 1;
  }
  return out;
}

/// Returns the C++ of an expression on its own, without the stream around it.
std::string cpp_of(const std::string& input) {
  auto text = body_of(input);
  const std::string begin = "std::cout << ", end = " << '\\n';\n";
  REQUIRE(text.starts_with(begin));
  REQUIRE(text.ends_with(end));
  return text.substr(begin.size(), text.size() - begin.size() - end.size());
}

std::string refusal(const std::string& inputs) {
  try {
    return "written: " + program_of(inputs);
  } catch (const error& e) { return e.what(); }
}

}  // namespace

TEST_CASE("the smallest program starts a runtime and prints a value") {
  CHECK(program_of("ones(2) + 1") == R"(#include <iostream>

#include "troupe/troupe.hpp"

int main() {
  using namespace troupe;
  runtime rt;

  std::cout << ones({2}) + 1 << '\n';
}
)");
}

TEST_CASE("a program has the session's number of devices") {
  CHECK_THAT(program_of("ones(2)", {.cpu_devices = 4}),
             Catch::Contains("runtime rt({.cpu_devices = 4});"));
}

TEST_CASE("a program has the session's nodes") {
  runtime_options on{.nodes = {{"127.0.0.1:7401", "[::1]:7402"}}, .key = "troupe.key"};
  const auto program = program_of("to(ones(2), cpu(0, 1))\nones(2).to(cpu(1))", on);
  CHECK_THAT(program, Catch::Contains(
                          R"(.nodes = std::vector<std::string>{"127.0.0.1:7401", "[::1]:7402"}, )"
                          R"(.key = "troupe.key"});)"));
  CHECK_THAT(program, Catch::Contains("to(ones({2}), cpu(0, node(1)))"));
  CHECK_THAT(program, Catch::Contains("cpu(1))"));
}

TEST_CASE("subscripts are positions and ranges") {
  const std::string x = "x = ones(2, 3)\n", made = "tensor x = ones({2, 3});\n";
  const auto of = [&](const std::string& items) {
    const auto body = body_of(x + "y = x[" + items + "]");
    const auto begin = made.size() + std::string("tensor y = ").size();
    return body.substr(begin, body.size() - begin - 2);
  };
  CHECK(of("0") == "x[0]");
  CHECK(of("-1") == "x[-1]");
  CHECK(of("1:3") == "x[range{1, 3}]");
  CHECK(of("::-1") == "x[range{.step = -1}]");
  CHECK(of("1:") == "x[range{.start = 1}]");
  CHECK(of(":, 0") == "x(every, 0)");
  CHECK(of("newaxis, :2") == "x(newaxis, range{.stop = 2})");
  CHECK(of("..., 0") == "x(ellipsis, 0)");
  CHECK(of("[2, 0]") == "x[tensor{2, 0}]");
  CHECK(of("x > 0") == "x[x > 0]");
}

TEST_CASE("operators have parentheses where C++ or readers need them") {
  const std::string made = "n = 3;\n";
  const auto of = [&](const std::string& input) {
    const auto body = body_of(made + "x = " + input + ";");
    return body.substr(body.find("x = ") + 4, body.size() - body.find("x = ") - 6);
  };
  CHECK(of("1 - (n - 3) - n") == "1 - (n - 3) - n");
  CHECK(of("(n + 2) * 3 + 4") == "(n + 2) * 3 + 4");
  CHECK(of("-(n + 2)") == "-(n + 2)");
  CHECK(of("n < 2 and 3 < n or n == 5") == "(n < 2 && 3 < n) || n == 5");
  CHECK(of("(ones(n) > 0) & (ones(2) < 2)") == "(ones({n}) > 0) & (ones({2}) < 2)");
  CHECK(of("not n > 2") == "!(n > 2)");
}

TEST_CASE("a program computes with numbers as Python does") {
  const auto of = [](const std::string& input) {
    const auto body = body_of("n = 7;\nr = 7.5;\nx = " + input + ";");
    const auto begin = body.rfind('\n', body.size() - 2);
    return body.substr(begin + 1, body.size() - begin - 3);
  };
  CHECK(of("n / 2") == "double x = static_cast<double>(n) / 2");
  CHECK(of("n % -2") == "std::int64_t x = (n % -2 + -2) % -2");
  CHECK(of("r * 2") == "double x = r * 2");
}

TEST_CASE("arithmetic of constants is done by the writer") {
  CHECK(cpp_of("1 / 2") == "real_text(0.5)");
  CHECK(cpp_of("-7 // 2") == "-4");
  CHECK(cpp_of("2 ** -1") == "real_text(0.5)");
  CHECK(cpp_of("100000 * 100000") == "10000000000");
  CHECK(cpp_of("pi > 3") == "\"true\"");
}

TEST_CASE("operators of arrays are operators or functions") {
  CHECK(cpp_of("ones(2) @ ones(2)") == "matmul(ones({2}), ones({2}))");
  CHECK(cpp_of("2 ** ones(2)") == "power(2, ones({2}))");
  CHECK(cpp_of("ones(2) // 2") == "floor_divide(ones({2}), 2)");
  CHECK(cpp_of("~(ones(2) > 1)") == "~(ones({2}) > 1)");
  CHECK(cpp_of("[1, 2] * 2") == "tensor{1, 2} * 2");
}

TEST_CASE("a list of numbers is an array, a list of arrays a vector") {
  CHECK(cpp_of("[[1, 2], [3, 4]]") == "tensor{{1, 2}, {3, 4}}");
  CHECK(cpp_of("[ones(2), [1, 2]] * 1") == "stack({ones({2}), tensor{1, 2}}) * 1");
  CHECK(body_of("x = [ones(2), ones(3)]") ==
        "std::vector<tensor> x = std::vector<tensor>{ones({2}), ones({3})};\n");
}

TEST_CASE("attributes are members") {
  CHECK(cpp_of("ones(2).T") == "ones({2}).T()");
  CHECK(cpp_of("ones(2).dtype") == "ones({2}).dtype()");
  CHECK(cpp_of("ones(2).shape[0]") == "ones({2}).shape()[0]");
  CHECK(cpp_of("ones(2).shape[-1]") == "ones({2}).shape()[-1]");
}

TEST_CASE("words have the arguments of their C++ functions") {
  CHECK(cpp_of("zeros((2, 3), float64)") == "zeros({2, 3}, {.dtype = float64})");
  CHECK(cpp_of("zeros(2, dtype=bool, device=cpu(0))") ==
        "zeros({2}, {.dtype = boolean, .device = cpu(0)})");
  CHECK(cpp_of("eye(2, 3, dtype=int64)") == "eye(2, 3, 0, {.dtype = int64})");
  CHECK(cpp_of("arange(10, step=3)") == "arange(0, 10, 3)");
  CHECK(cpp_of("uniform(2, high=2, dtype=float64)") == "uniform({2}, 0, 2, {.dtype = float64})");
  CHECK(cpp_of("randint((2,), high=5)") == "randint({2}, 0, 5)");
  CHECK(cpp_of("array([1, 2], float32)") == "astype(tensor{1, 2}, float32)");
  CHECK(cpp_of("ones(2).sum(0, keepdims=true)") == "sum(ones({2}), 0, keepdims)");
  CHECK(cpp_of("sum(ones(2), (0, 1))") == "sum(ones({2}), {0, 1})");
  CHECK(cpp_of("max(ones(2), keepdims=true)") == "max(ones({2}), {}, keepdims)");
  CHECK(cpp_of("std([1.0, 2.0], ddof=1)") == "stddev(tensor{1.0, 2.0}, {}, 1)");
  CHECK(cpp_of("maximum(1, 2)") == "maximum(full({}, 1), 2)");
  CHECK(cpp_of("sqrt(2.0)") == "sqrt(full({}, 2.0, float64))");
  CHECK(cpp_of("concatenate([ones(2), [3]], axis=0)") == "concatenate({ones({2}), tensor{3}}, 0)");
  CHECK(cpp_of("reshape(ones(4), 2, -1)") == "reshape(ones({4}), {2, -1})");
  CHECK(cpp_of("slice(ones(4), 0, stop=2)") == "slice(ones({4}), 0, {}, 2)");
  CHECK(cpp_of("roll(ones(2, 2), (1, 2), (0, 1))") == "roll(ones({2, 2}), {1, 2}, {0, 1})");
  CHECK(cpp_of("ones(2).repeat_each(3)") == "repeat(ones({2}), 3)");
  CHECK(cpp_of("rot90(ones(2, 2), axes=(1, 0))") == "rot90(ones({2, 2}), 1, {1, 0})");
  CHECK(cpp_of("tri(3, diagonal=1, dtype=int32)") == "tri(3, {}, 1, {.dtype = int32})");
  CHECK(cpp_of("array_equal([1], [2], true)") == "array_equal(tensor{1}, tensor{2}, true)");
  CHECK(cpp_of("ones(2).to(cpu(0))") == "to(ones({2}), cpu(0))");
  CHECK(cpp_of("inv(ones(2, 2))") == "linalg::inv(ones({2, 2}))");
  CHECK(cpp_of("matrix_norm(ones(2, 2), order=\"nuc\")") ==
        "linalg::matrix_norm(ones({2, 2}), false, \"nuc\")");
  CHECK(cpp_of("solve_triangular(ones(1, 1), ones(1))") ==
        "linalg::solve_triangular(ones({1, 1}), ones({1}))");
}

TEST_CASE("a value of another kind makes another variable") {
  CHECK(body_of("x = 1;\nx = ones(2);\nx = 2;") ==
        "std::int64_t x = 1;\ntensor x_2 = ones({2});\nstd::int64_t x_3 = 2;\n");
  CHECK(body_of("sum = 1;\nint = 2;\nrt = 3;") ==
        "std::int64_t sum_1 = 1;\nstd::int64_t int_1 = 2;\nstd::int64_t rt_1 = 3;\n");
}

TEST_CASE("a variable assigned within braces and used after them is declared before them") {
  CHECK(body_of("if true { y = ones(2) } else { y = zeros(2) }\ny") == R"(tensor y;
if (true) {
  y = ones({2});
} else {
  y = zeros({2});
}
std::cout << y << '\n';
)");
  CHECK(body_of("for i in 0:3 { y = ones(i); wait y }") ==
        R"(for (std::int64_t i = 0; i < 3; ++i) {
  tensor y = ones({i});
  y.wait();
}
)");
}

TEST_CASE("loops go over ranges and rows") {
  const auto head = [](const std::string& over) {
    const auto body = body_of("x = ones(2, 2);\nn = 3;\nfor v in " + over + " { wait x + v }");
    const auto begin = body.find("for (");
    return body.substr(begin, body.find(" {\n", begin) - begin);
  };
  CHECK(head("0:3") == "for (std::int64_t v = 0; v < 3; ++v)");
  CHECK(head("n:0:-2") == "for (std::int64_t v = n; v > 0; v += -2)");
  CHECK(head("0:n") == "for (std::int64_t v = 0, end = n; v < end; ++v)");
  CHECK(head("x") == "for (std::int64_t i = 0, end = rows.shape()[0]; i < end; ++i)");
  CHECK(body_of("for i in 0:2 { }\ni") == R"(std::int64_t i = {};
for (std::int64_t i_now = 0; i_now < 2; ++i_now) {
  i = i_now;
}
std::cout << i << '\n';
)");
}

TEST_CASE("functions become generic lambdas, with another one if the kinds of arguments need it") {
  CHECK(body_of("f = x -> x * x\nf(ones(2));\nf(ones(3));\ng = x -> x / 2\ng(3);\ng(3.0);") ==
        R"(const auto f = [&](const auto& x) { return x * x; };
f(ones({2}));
f(ones({3}));
const auto g = [&](const auto& x) { return static_cast<double>(x) / 2; };
const auto g_2 = [&](const auto& x) { return x / 2; };
)");
  CHECK(body_of("w = 2;\ndef f(x) { y = x * w; y + 1 }\nz = f(ones(2));") ==
        R"(std::int64_t w = 2;
const auto f = [&](const auto& x) {
  tensor y = x * w;
  return y + 1;
};
tensor z = f(ones({2}));
)");
  CHECK(body_of("def f(x) { x += 1; x }\ny = f(ones(2));") == R"(const auto f = [&](auto x) {
  x = x + 1;
  return x;
};
tensor y = f(ones({2}));
)");
}

TEST_CASE("a function stands behind those that it calls") {
  CHECK(body_of("def f(x) = g(x)\ndef g(x) = x + 1\ny = f(ones(2));") ==
        R"(const auto g = [&](const auto& x) { return x + 1; };
const auto f = [&](const auto& x) { return g(x); };
tensor y = f(ones({2}));
)");
}

TEST_CASE("several names take the parts of a list") {
  CHECK(body_of("a, b = split(ones(4), 2);") ==
        R"(const std::vector<tensor> parts = split(ones({4}), 2);
tensor a = parts[0];
tensor b = parts[1];
)");
}

TEST_CASE("blocks on devices, in order and timed use the library") {
  CHECK(body_of("on cpu(0) { x = ones(2) }\nx") == R"(tensor x;
{
  const on_device guard(cpu(0));
  x = ones({2});
}
std::cout << x << '\n';
)");
  CHECK(body_of("in_order { x = ones(2); x + 1 }") == R"(tensor x = ones({2});
x.wait();
const tensor last = x + 1;
last.wait();
)");
  CHECK(body_of("time { x = ones(2) }") == R"(rt.wait_all();
const ticks since = now();
tensor x = ones({2});
rt.wait_all();
std::cout << rt.overlap(since);
)");
  CHECK(body_of("x = ones(2);\nwait x\nwait_all\ndel x") ==
        "tensor x = ones({2});\nx.wait();\nrt.wait_all();\n");
}

TEST_CASE("while, break and continue are those of C++") {
  CHECK(body_of("n = 0;\nwhile n < 9 { n += 1; if n == 2 { continue }; if n > 4 { break } }") ==
        R"(std::int64_t n = 0;
while (n < 9) {
  n = n + 1;
  if (n == 2) {
    continue;
  }
  if (n > 4) {
    break;
  }
}
)");
}

TEST_CASE("random numbers have the dtype that was asked for") {
  CHECK(body_of("gamma(2, 1.5; dtype=float64)\nlaplace((2, 3))") ==
        R"(std::cout << gamma({2}, 1.5, 1, {.dtype = float64}) << '\n';
std::cout << laplace({2, 3}) << '\n';
)");
}

TEST_CASE("a condition on an array waits for it") {
  CHECK(body_of("x = ones(2);\nif sum(x) > 1 and not x.any() { wait x }") ==
        R"(tensor x = ones({2});
if ((sum(x) > 1).item<bool>() && !any(x).item<bool>()) {
  x.wait();
}
)");
}

TEST_CASE("a refusal names what has no C++ and where it stands") {
  CHECK(refusal("x = 1\nones(2).strides") ==
        "no C++ can be written for this: the strides of an array (input:2)");
  const std::pair<const char*, const char*> rows[] = {
      {"t = 0\nfor i in 0:3 { t += ones(2) }", "t is an integer or an array, as the program runs"},
      {"s = 0\nfor i in 0:3 { s += 0.5 }", "s is an integer or a real, as the program runs"},
      {"if true { x = 1 } else { x = ones(2) }\nx", "x is an integer or an array"},
      {"def f(n) { if n > 1 { 1 } else { 0.5 } }\nf(3)", "an integer or a real, as the program"},
      {"def f(n) = 2 ** n\nf(3)", "** of numbers"},
      {"n = 1\nx = 3 if n > 0 else true", "an integer or true or false, as the program runs"},
      {"n = 3\nn << 2", "<< of numbers"},
      {"ones(2).shape", "showing a list of sizes"},
      {"parts = split(ones(4), 2)\nparts[-1]", "an item of a list whose number is not written"},
      {"for x in [0.5, 1.5] { x }", "a loop over a list of mixed things"},
      {"for x in split(ones(4), 2) { x }", "a loop over a list of arrays"},
      {"uniform(2; seed=3)", "seed of uniform"},
      {"linspace(0, 1, 4, endpoint=false)", "endpoint of linspace"},
      {"svd(ones(2, 2))", "svd"},
      {"eig(ones(2, 2))", "eig"},
      {"topk(ones(3), 2)", "topk"},
      {"clip(ones(2), 2)", "such arguments of clip"},
      {"solve_triangular(ones(1, 1), ones(1), transposed=true)", "such arguments of solve_tri"},
      {"def f(n) { if n < 2 { 1 } else { n * f(n - 1) } }\nf(5)", "a function that calls itself"},
      {"make = n -> (x -> x * n)\nmake(2)", "a function that gives a function"},
      {"twice = (f, x) -> f(f(x))\ntwice(sqrt, ones(2))", "a function as the argument"},
      {"def f(x) { for i in 0:2 { x } }\nf(ones(2))", "showing the value of a loop"},
      {"f = x -> x\nf([1, 2])", "a list of mixed things as the argument of a function"},
      {"f = x -> [x, x]\nf(1)", "a function that gives a list of mixed things"},
      {"x = 2j", "the number 0+2j"},
      {"18446744073709551615", "the number 18446744073709551615"},
      {"n = 3\nn or 2", "and, or of what is not true or false"},
      {"n = 3\nn // 2", "// of numbers"},
      {"r = 1.5\nr % 2", "% of a real"},
      {"n = 3\nn % (n - 1)", "% by what is no number or variable"},
      {"if true { f = x -> x }", "a function that gets its name in braces"},
      {"if true { sum = 1 }\nsum", "sum is given a value within braces, and is something else"},
      {"a, b = sum([1, 2])", "several names for an array"},
      {"n = 3\nfor i in 0:4:n { i }", "a loop whose step is not a number"},
      {"for i in 0: { break }", "a loop without an end"},
      {"n = 3\nn[0]", "an item of an integer"},
      {"ones(2) * []", "an empty list"},
      {"sum(ones(2), [])", "no axes"},
      {"full(2, sum(ones(2)))", "an array as a number of full"},
      {"where(true, ones(2), 0)", "a number in the first place beside an array"},
      {"on 3 { x = 1 }", "on: no device"},
      {"b = true\nb + b", "arithmetic of true and false"},
      {"x = [1, \"a\"]", "a list of mixed things"},
      {"x + 1", "nothing is named x"},
      {"1\n_ + 1", "an output without a name"},
      {"ones(4)[sqrt]", "such an index"},
      {"uniform(2) - uniform(2)", "random numbers twice in an expression"},
      {"choice(3, 2)", "choice"},
      {"grad(x -> sum(x))(ones(2))", "grad"},
      {"load(\"a.npy\")", "load"},
      {"conv2d(ones(1, 1, 4, 4), ones(1, 1, 3, 3))", "conv2d"},
      {"r = append([], 1)", "append"},
      {"svd_row(ones(2, 2))", "svd_row"},
      {"pad(ones(2), (1, 2))", "a list as widths"},
      {"r = split(ones(4), 2)\nr + r", "a list of arrays where an array should be"},
      {"for i in 0:3 { i = 2 }", "another value for the loop's variable"},
      {"for i in 0:3 { time { break } }", "break or continue within time"}};
  for (const auto& [inputs, facts] : rows) {
    const auto said = refusal(inputs);
    INFO(inputs << ": " << said);
    CHECK(said.find(facts) != std::string::npos);
    CHECK(said.find("(input:") != std::string::npos);
  }
}
