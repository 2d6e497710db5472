// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/apps/shell/cpp_writer/cpp_program.hpp"
#include "troupe/apps/shell/language/parser.hpp"
#include "troupe/tasks/error.hpp"

using namespace troupe;
using namespace troupe::shell;

namespace {

/// The program of inputs, a line each.
std::string program_of(const std::string& inputs, int cpu_devices = 1) {
  symbol_table symbols;
  cpp_program program(symbols);
  unsigned number = 0;
  for (std::size_t begin = 0; begin < inputs.size();) {
    const auto end = std::min(inputs.find('\n', begin), inputs.size());
    ++number;
    const auto text = inputs.substr(begin, end - begin);
    program.add(parse(text, symbols, {"input", number, false}), number);
    begin = end + 1;
  }
  return program.text(cpu_devices);
}

/// What is in main behind the runtime, without indentation of its own.
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

/// What an expression on its own becomes, without what prints it.
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

TEST_CASE("a program has as many devices as it names, or all if that is not known") {
  CHECK(program_of("x = ones(2, device=cpu(2));").find("rt({.cpu_devices = 3});") !=
        std::string::npos);
  CHECK(program_of("for i in 0:2 { on cpu(i) { ones(2) } }", 4).find("{.cpu_devices = 4}") !=
        std::string::npos);
}

TEST_CASE("C++ has the parentheses that it needs and that people want") {
  CHECK(cpp_of("1 - (2 - 3) - 4") == "1 - (2 - 3) - 4");
  CHECK(cpp_of("(1 + 2) * 3 + 4") == "(1 + 2) * 3 + 4");
  CHECK(cpp_of("-(1 + 2)") == "-(1 + 2)");
  CHECK(cpp_of("5 & 3 ^ 1 | 8") == "(((5 & 3) ^ 1) | 8)");
  CHECK(cpp_of("1 < 2 and 3 < 4 or false") == "((1 < 2 && 3 < 4) || false)");
  CHECK(cpp_of("(ones(2) > 0) & (ones(2) < 2)") == "((ones({2}) > 0) & (ones({2}) < 2))");
  CHECK(cpp_of("not 3 > 2") == "!(3 > 2)");
}

TEST_CASE("numbers are computed as in Python") {
  CHECK(cpp_of("1 / 2") == "real_text(1.0 / 2)");
  CHECK(cpp_of("7 // 2") == "7 / 2");
  CHECK(cpp_of("-7 // 2") == "whole_quotient(-7, 2)");
  CHECK(cpp_of("7 % -2") == "whole_remainder(7, -2)");
  CHECK(cpp_of("7.5 // 2") == "real_text(std::floor(7.5 / 2))");
  CHECK(cpp_of("-7.5 % 2") == "real_text(floored_remainder(-7.5, 2.0))");
  CHECK(cpp_of("2 ** 3") == "whole_power(2, 3)");
  CHECK(cpp_of("2 ** -1") == "real_text(std::pow(2, -1))");
  CHECK(cpp_of("100000 * 100000") == "std::int64_t{100000} * 100000");
  CHECK(cpp_of("true & false") == "(true && false)");
  CHECK(body_of("n = 3;\nn / 2;\nx = 1 / n;") == "std::int64_t n = 3;\ndouble x = 1.0 / n;\n");
}

TEST_CASE("operators of arrays are operators or functions") {
  CHECK(cpp_of("ones(2) @ ones(2)") == "matmul(ones({2}), ones({2}))");
  CHECK(cpp_of("2 ** ones(2)") == "power(2, ones({2}))");
  CHECK(cpp_of("ones(2) // 2") == "floor_divide(ones({2}), 2)");
  CHECK(cpp_of("~(ones(2) > 1)") == "~(ones({2}) > 1)");
  CHECK(cpp_of("[1, 2] * 2") == "tensor{1, 2} * 2");
  CHECK(cpp_of("(0:3) + 1") == "arange(3) + 1");
}

TEST_CASE("a list of numbers is an array") {
  CHECK(cpp_of("[[1, 2], [3, 4]]") == "tensor{{1, 2}, {3, 4}}");
  CHECK(cpp_of("[1.0, 2]") == "tensor{1.0, 2}");
  CHECK(cpp_of("[[], []] * 1") == "zeros({2, 0}, float64) * 1");
  CHECK(cpp_of("[ones(2), [1, 2]] * 1") == "stack({ones({2}), tensor{1, 2}}) * 1");
  CHECK(body_of("a = [[1.5], [2.5]]") == "tensor a = {{1.5}, {2.5}};\n");
}

TEST_CASE("subscripts are positions, ranges and take") {
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
  CHECK(of("[0, 2]") == "take(x, tensor{0, 2}, 0)");
  CHECK(of("0, [0, 2]") == "take(x[0], tensor{0, 2}, 0)");
  CHECK(of("0, ...") == "x[0]");
  CHECK(of("..., 0") == "squeeze(slice(x, -1, 0, 1), -1)");
  CHECK(of("..., 1:") == "slice(x, -1, 1, {})");
  CHECK(of("..., newaxis") == "expand_dims(x, -1)");
}

TEST_CASE("attributes are members") {
  CHECK(cpp_of("ones(2).T") == "ones({2}).T()");
  CHECK(cpp_of("ones(2).dtype") == "ones({2}).dtype()");
  CHECK(cpp_of("ones(2).shape") == "sizes_text(ones({2}).shape())");
  CHECK(body_of("x = ones(2)\nn = x.shape[-1]") ==
        "tensor x = ones({2});\nstd::int64_t n = x.shape()[x.rank() - 1];\n");
}

TEST_CASE("words have the arguments of their C++ functions") {
  CHECK(cpp_of("zeros((2, 3), float64)") == "zeros({2, 3}, float64)");
  CHECK(cpp_of("zeros(2, dtype=bool, device=cpu(0))") ==
        "zeros({2}, {.dtype = boolean, .device = cpu(0)})");
  CHECK(cpp_of("eye(2, 3, dtype=int64)") == "eye(2, 3, 0, {.dtype = int64})");
  CHECK(cpp_of("arange(10, step=3)") == "arange(0, 10, 3)");
  CHECK(cpp_of("uniform(2, high=2, dtype=float64)") == "uniform({2}, 0, 2, float64)");
  CHECK(cpp_of("randint((2,), high=5)") == "randint({2}, 0, 5)");
  CHECK(cpp_of("uniform(2, seed=3)") == "with_seed(3, [] { return uniform({2}); })");
  CHECK(cpp_of("array([1, 2], float32)") == "tensor({1, 2}, float32)");
  CHECK(cpp_of("float32([1, 2])") == "astype(tensor{1, 2}, float32)");
  CHECK(cpp_of("ones(2).sum(0, keepdims=true)") == "sum(ones({2}), 0, keepdims)");
  CHECK(cpp_of("sum(ones(2), (0, 1))") == "sum(ones({2}), {0, 1})");
  CHECK(cpp_of("max(ones(2), keepdims=true)") == "max(ones({2}), {}, keepdims)");
  CHECK(cpp_of("std([1.0, 2.0], ddof=1)") == "stddev(tensor{1.0, 2.0}, {}, 1)");
  CHECK(cpp_of("maximum(1, 2)") == "maximum(full({}, 1), 2)");
  CHECK(cpp_of("sqrt(2.0)") == "sqrt(full({}, 2.0, float64))");
  CHECK(cpp_of("concatenate([ones(2), [3]], axis=0)") == "concatenate({ones({2}), tensor{3}}, 0)");
  CHECK(cpp_of("reshape(ones(4), 2, -1)") == "reshape(ones({4}), {2, -1})");
  CHECK(cpp_of("slice(ones(4), 0, stop=2)") == "slice(ones({4}), 0, {}, 2)");
  CHECK(cpp_of("conv2d(ones(1, 1, 4, 4), ones(1, 1, 3, 3), padding=(1, 0))") ==
        "conv2d(ones({1, 1, 4, 4}), ones({1, 1, 3, 3}), {.padding = {1, 0}})");
  CHECK(cpp_of("max_pool2d(ones(1, 1, 4, 4), 2, stride=1)") ==
        "max_pool2d(ones({1, 1, 4, 4}), {.size = 2, .stride = 1})");
}

TEST_CASE("files are read and written as their names say") {
  CHECK(cpp_of("load(\"a.npy\")") == "load_npy(\"a.npy\")");
  CHECK(cpp_of("load(\"a.npz\", \"w\")") == "load_npz(\"a.npz\").at(\"w\")");
  CHECK(cpp_of("load(\"a.csv\", dtype=float64)") == "load_csv(\"a.csv\", {.dtype = float64})");
  CHECK(body_of("save(\"a.safetensors\", ones(2), \"w\")") ==
        "save_safetensors(\"a.safetensors\", {{\"w\", ones({2})}});\n");
}

TEST_CASE("a name that gets another kind is another variable") {
  CHECK(body_of("x = 1;\nx = ones(2);\nx = 2;") ==
        "std::int64_t x = 1;\ntensor x_2 = ones({2});\nx = 2;\n");
}

TEST_CASE("names that C++ or the library need get a number") {
  CHECK(body_of("sum = 1;\nint = 2;\nrt = 3;") ==
        "std::int64_t sum_1 = 1;\nstd::int64_t int_1 = 2;\nstd::int64_t rt_1 = 3;\n");
}

TEST_CASE("what is assigned in an inner block and used after it is declared before it") {
  CHECK(body_of("if true { y = ones(2) } else { y = zeros(2) }\ny") == R"(tensor y;
if (true) {
  y = ones({2});
} else {
  y = zeros({2});
}
std::cout << y << '\n';
)");
}

TEST_CASE("a variable of a loop's body keeps its value from turn to turn") {
  CHECK(body_of("for i in 0:3 { if i == 0 { y = 1 }; z = y }") == R"(std::int64_t y = 0;
for (std::int64_t i = 0; i < 3; ++i) {
  if (i == 0) {
    y = 1;
  }
  std::int64_t z = y;
}
)");
}

TEST_CASE("a number that becomes real in a loop is real from the start") {
  CHECK(body_of("s = 0;\nfor i in 0:3 { s += 0.5 }") == R"(double s = 0;
for (std::int64_t i = 0; i < 3; ++i) {
  s += 0.5;
}
)");
}

TEST_CASE("loops go over ranges, lists and rows") {
  const auto head = [](const std::string& over) {
    const auto body = body_of("x = ones(2, 2);\nn = 3;\nfor v in " + over + " { wait x + v }");
    const auto begin = body.find("for (");
    return body.substr(begin, body.find(" {\n", begin) - begin);
  };
  CHECK(head("0:n") == "for (std::int64_t v = 0; v < n; ++v)");
  CHECK(head("n:0:-2") == "for (std::int64_t v = n; v > 0; v -= 2)");
  CHECK(head("0:n * 2") == "for (std::int64_t v = 0, end = n * 2; v < end; ++v)");
  CHECK(head("[0.5, 1.5]") == "for (double v : {0.5, 1.5})");
  CHECK(head("[x, x]") == "for (const tensor& v : {x, x})");
  CHECK(head("split(x, 2)") == "for (const tensor& v : split(x, 2))");
  CHECK(head("x") == "for (std::int64_t i = 0; i < x.shape()[0]; ++i)");
  CHECK(head("x.shape") == "for (std::int64_t v : shape(x.shape()))");
  CHECK(body_of("for i in 0:2 { }\ni") == R"(std::int64_t i = 0;
for (std::int64_t i_2 = 0; i_2 < 2; ++i_2) {
  i = i_2;
}
std::cout << i << '\n';
)");
}

TEST_CASE("a loop whose body changes where it ends asks for that once") {
  CHECK(body_of("n = 3;\nrepeat n { n = n - 1 }") == R"(std::int64_t n = 3;
for (std::int64_t i = 0, end = n; i < end; ++i) {
  n = n - 1;
}
)");
}

TEST_CASE("functions become lambdas, one for each choice of kinds that they are called with") {
  CHECK(body_of("f = x -> x * x\nf(ones(2));\nf(3);") ==
        R"(auto f = [](const tensor& x) { return x * x; };
auto f_2 = [](std::int64_t x) -> std::int64_t { return x * x; };
f(ones({2}));
f_2(3);
)");
  CHECK(body_of("w = 2;\ndef f(x) { y = x * w; y + 1 }") == R"(std::int64_t w = 2;
auto f = [&](const tensor& x) {
  tensor y = x * w;
  return y + 1;
};
)");
}

TEST_CASE("a parameter that gets another value is no reference") {
  CHECK(body_of("def f(x) { x += 1; x }") == R"(auto f = [](tensor x) {
  x += 1;
  return x;
};
)");
}

TEST_CASE("a function stands behind those that it calls") {
  CHECK(body_of("def f(x) = g(x)\ndef g(x) = x + 1\nf(ones(2));") ==
        R"(auto g = [](const tensor& x) { return x + 1; };
auto f = [&](const tensor& x) { return g(x); };
f(ones({2}));
)");
}

TEST_CASE("a function that calls itself is a std::function") {
  CHECK(body_of("def f(n) { if n < 2 { 1 } else { n * f(n - 1) } }\nf(5);") ==
        R"(std::function<std::int64_t(std::int64_t)> f = [&](std::int64_t n) -> std::int64_t {
  if (n < 2) {
    return 1;
  } else {
    return n * f(n - 1);
  }
};
f(5);
)");
}

TEST_CASE("a function that another makes keeps copies of what it uses of it") {
  CHECK(body_of("make = n -> (x -> x * n)\ntriple = make(3)\ntriple(ones(2));") ==
        R"(auto make = [](std::int64_t n) { return [n](const tensor& x) { return x * n; }; };
auto triple = make(3);
triple(ones({2}));
)");
}

TEST_CASE("functions are given to functions") {
  CHECK(body_of("twice = (f, x) -> f(f(x))\ntwice(sqrt, ones(2));\ntwice(v -> v + 1, ones(2));") ==
        R"(auto twice = [](const auto& f, const tensor& x) { return f(f(x)); };
twice([](const tensor& x) { return sqrt(x); }, ones({2}));
twice([](const tensor& v) { return v + 1; }, ones({2}));
)");
}

TEST_CASE("gradients are of functions of one tensor") {
  CHECK(body_of("g = grad(x -> sum(x * x))\ng(ones(2));") ==
        R"(auto g = grad([](const tensor& x) { return sum(x * x); });
g(ones({2}));
)");
  CHECK(body_of("def loss(w, x) = sum(w * x)\nx = ones(2);\ngrad(loss)(x, 2.0);") ==
        R"(auto loss = [](const tensor& w, double x) { return sum(w * x); };
tensor x = ones({2});
grad([&](const tensor& w) { return loss(w, 2.0); })(x);
)");
  CHECK(body_of("v, g = value_and_grad(x -> sum(x))(ones(2));") ==
        "auto [v, g] = value_and_grad([](const tensor& x) { return sum(x); })(ones({2}));\n");
  CHECK(body_of("v = ones(1);\nv, g = value_and_grad(x -> sum(x))(ones(2));") ==
        R"(tensor v = ones({1});
tensor g;
std::tie(v, g) = value_and_grad([](const tensor& x) { return sum(x); })(ones({2}));
)");
}

TEST_CASE("several names take the parts of a list") {
  CHECK(body_of("a, b = split(ones(4), 2);") == R"(std::vector<tensor> parts = split(ones({4}), 2);
tensor a = parts[0];
tensor b = parts[1];
)");
  CHECK(body_of("a = ones(2);\nb = zeros(2);\na, b = b, a;") == R"(tensor a = ones({2});
tensor b = zeros({2});
tensor old = a;
a = b;
b = old;
)");
}

TEST_CASE("outputs that are used again have names") {
  CHECK(body_of("ones(2)\n_ + 1") ==
        "tensor out_1 = ones({2});\nstd::cout << out_1 << '\\n';\n"
        "std::cout << out_1 + 1 << '\\n';\n");
  CHECK(body_of("ones(2);\n_1 + 1") ==
        "tensor out_1 = ones({2});\nstd::cout << out_1 + 1 << '\\n';\n");
}

TEST_CASE("blocks for devices, in order and timed are what the library has for them") {
  CHECK(body_of("on cpu(0) { x = ones(2) }\nx") == R"(tensor x;
{
  const on_device guard(cpu(0));
  x = ones({2});
}
std::cout << x << '\n';
)");
  CHECK(body_of("in_order { x = ones(2); x + 1 }") ==
        "tensor x = ones({2});\nx.wait();\n(x + 1).wait();\n");
  CHECK(body_of("time { x = ones(2) }") == R"(rt.wait_all();
const ticks since = now();
tensor x = ones({2});
rt.wait_all();
std::cout << rt.overlap(since);
)");
  CHECK(body_of("x = ones(2);\nwait x\nwait_all\ndel x") ==
        "tensor x = ones({2});\nx.wait();\nrt.wait_all();\nx = {};\n");
}

TEST_CASE("random numbers are drawn in the order of the language") {
  CHECK(body_of("x = uniform(2) - uniform(2)") ==
        "tensor drawn = uniform({2});\ntensor x = drawn - uniform({2});\n");
  CHECK(body_of("x = normal(2) - sum(uniform(2) - uniform(2))") == R"(tensor drawn = normal({2});
tensor drawn_2 = uniform({2});
tensor x = drawn - sum(drawn_2 - uniform({2}));
)");
}

TEST_CASE("a long head of a function is broken behind its name") {
  CHECK(
      body_of("def of_a_long_name(x, n) { if n == 0 { x } else { of_a_long_name(x * x, n - 1) } }\n"
              "of_a_long_name(ones(2), 3);") ==
      R"(std::function<tensor(const tensor&, std::int64_t)> of_a_long_name =
    [&](const tensor& x, std::int64_t n) {
  if (n == 0) {
    return x;
  } else {
    return of_a_long_name(x * x, n - 1);
  }
};
of_a_long_name(ones({2}), 3);
)");
}

TEST_CASE("items of lists are counted from the end as the language does") {
  CHECK(body_of("parts = split(ones(4), 2);\nx = parts[-1];").find("tensor x = parts[1];") !=
        std::string::npos);
  CHECK(body_of("x = ones(2);\nn = (x + 1).shape[-1];") == R"(tensor x = ones({2});
shape sizes = (x + 1).shape();
std::int64_t n = sizes[sizes.rank() - 1];
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

TEST_CASE("long lines are broken") {
  const auto body = body_of(
      "x = concatenate([ones(1000, 1000) * 2, zeros(1000, 1000) + 3, ones(1000, 1000), "
      "ones(1000, 1000)], axis=1);");
  CHECK(body ==
        "tensor x = concatenate({ones({1000, 1000}) * 2, zeros({1000, 1000}) + 3, "
        "ones({1000, 1000}),\n    ones({1000, 1000})}, 1);\n");
}

TEST_CASE("a refusal names what has no C++ and where it stands") {
  CHECK(refusal("x = 1\nones(2).strides") ==
        "no C++ can be written for this: the strides of an array (input:2)");
  CHECK(refusal("total = 0\nfor i in 0:3 { total += ones(2) }")
            .find("total is an integer or an array there, as the program runs (input:2)") !=
        std::string::npos);
  CHECK(refusal("if true { x = 1 } else { x = ones(2) }\nx").find("x is an integer or an array") !=
        std::string::npos);
  CHECK(refusal("def f(n) = 2 ** n\nf(3)").find("depends on the exponent") != std::string::npos);
  CHECK(refusal("def f(n) { if n > 1 { g(n) } else { 1 } }\n"
                "def g(n) { if n > 1 { f(n) } else { 2 } }\nf(3)")
            .find("functions that call each other") != std::string::npos);
  CHECK(refusal("x = [1, \"a\"]").find("a list that is neither") != std::string::npos);
  CHECK(refusal("x + 1").find("nothing is named x") != std::string::npos);
  CHECK(refusal("_3").find("there is no such output") != std::string::npos);
  CHECK(refusal("p = \"a\"\nif true { p = \"b\" }\nload(p)").find("known only when") !=
        std::string::npos);
}
