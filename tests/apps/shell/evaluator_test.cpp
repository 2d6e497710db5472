// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tests/apps/shell/observed_session.hpp"
#include "troupe/tests/effort.hpp"

using namespace troupe::shell;
using troupe::shell::testing::observed_session;

TEST_CASE("arithmetic of numbers follows Python") {
  observed_session s;
  for (const auto& [input, output] : std::initializer_list<std::pair<const char*, const char*>>{
           {"1 / 2", "0.5"},
           {"7 // 2", "3"},
           {"-7 // 2", "-4"},
           {"-7 % 3", "2"},
           {"7 % -3", "-2"},
           {"-7.5 % 2", "0.5"},
           {"2 ** 10", "1024"},
           {"2 ** -1", "0.5"},
           {"-2 ** 2", "-4"},
           {"2 ** 3 ** 2", "512"},
           {"1 + 2 * 3", "7"},
           {"(1 + 2) * 3", "9"},
           {"true + true", "2"},
           {"true & false", "false"},
           {"5 & 3", "1"},
           {"5 | 3", "7"},
           {"1 + 1 << 2", "8"},
           {"-5 >> 1", "-3"},
           {"1 << 62 >> 70", "0"},
           {"0 << 100", "0"},
           {"-1 << 63", "-9223372036854775808"},
           {"7 & 1 << 1", "2"},
           {"5 ^ 3", "6"},
           {"~5", "-6"},
           {"~true", "false"},
           {"not 3", "false"},
           {"1 < 2", "true"},
           {"1 == 1.0", "true"},
           {"1e3", "1000.0"},
           {"0 and 5", "0"},
           {"0 or 5", "5"},
           {"3 / 0", "inf"},
           {"-3 // 1.5", "-2.0"},
           {"9007199254740993 == 9007199254740992", "false"},
           {"+true", "1"},
           {"1 + 2j", "1+2j"},
           {"(1 + 2j) ** 2", "-3+4j"},
           {"2j * 2.5j", "-5+0j"},
           {"1 / 2j", "0-0.5j"},
           {"-(1 - 2j)", "-1+2j"},
           {"2j + 1 == 1 + 2j", "true"},
           {"1j == 1", "false"},
           {"not 0j", "true"},
           {"pi > 3", "true"}}) {
    INFO(input);
    CHECK(s.say(input) == output);
  }
  CHECK(s.first_line("2 ** 100").find("the integer does not fit int64") != std::string::npos);
  CHECK(s.first_line("1 // 0").find("an integer is divided by zero") != std::string::npos);
  CHECK(s.first_line("1 << 63").find("does not fit int64") != std::string::npos);
  CHECK(s.first_line("1 << -1").find("a negative number of places") != std::string::npos);
  CHECK(s.first_line("1.5 << 2").find("only bools and integers of int64 have bits") !=
        std::string::npos);
  CHECK(s.first_line("1.5 & 2").find("only bools and integers of int64 have bits") !=
        std::string::npos);
  CHECK(s.first_line("-9223372036854775807 - 2").find("does not fit") != std::string::npos);
}

TEST_CASE("lists of numbers are arrays, of the dtype that holds them") {
  observed_session s;
  CHECK(s.say("[1, 2]") == "[1 2]  int64[2] on cpu:0");
  CHECK(s.say("[1, 2.5]") == "[1.  2.5]  float64[2] on cpu:0");
  CHECK(s.say("[true, false]") == "[ True False]  bool[2] on cpu:0");
  CHECK(s.say("[[1, 2], [3, 4]] + 1") == "[[2 3]\n [4 5]]  int64[2,2] on cpu:0");
  CHECK(s.first_line("[[1, 2], [3]]").find("rows of a list have different lengths") !=
        std::string::npos);
  CHECK(s.say("sum(0:5)") == "10  int64[] on cpu:0");
  CHECK(s.say("[ones(2), zeros(2)]") == "[[1. 1.], [0. 0.]]");
  CHECK(s.say("stack([ones(2), zeros(2)])") == "[[1. 1.]\n [0. 0.]]  float32[2,2] on cpu:0");
}

TEST_CASE("complex numbers and numbers of a dtype are told from others") {
  observed_session s;
  CHECK(s.say("[1, 2j]") == "[1.+0.j 0.+2.j]  complex128[2] on cpu:0");
  CHECK(s.say("(ones(2) * 2j).dtype") == "complex64");
  CHECK(s.say("abs(complex(3, 4))") == "5.0  float64[] on cpu:0");
  CHECK(s.say("irfft(rfft([1., 2., 3.]), n=3)") == "[1. 2. 3.]  float64[3] on cpu:0");
  CHECK(s.say("parse_program(program_text(compile(x -> x * 2j), [ones(2)]))(ones(2))") ==
        "[0.+2.j 0.+2.j]  complex64[2] on cpu:0");
  for (const auto& [input, refusal] : std::initializer_list<std::pair<const char*, const char*>>{
           {"1 < 2j", "not possible for complex numbers: 1 and 0+2j"},
           {"1j & 1", "not possible for complex numbers"},
           {"~1j", "only bools and integers of int64 have bits"},
           {"linspace(0, 1j, 3)", "argument stop wants a real number, not 0+1j"},
           {"ones(2, dtype=int32)[1j]", "0+1j"},
           {"array([1, 300], uint8)", "array: 300 does not fit uint8"},
           {"array([[1], [1j]], float32)", "array: 0+1j does not fit float32"},
           {"uint64(-1)", "uint64: -1 does not fit uint64"}}) {
    INFO(input);
    CHECK(s.first_line(input).find(refusal) != std::string::npos);
  }
}

TEST_CASE("numbers take their dtype from the arrays they meet") {
  observed_session s;
  CHECK(s.say("(ones(1) + 1.5).dtype") == "float32");
  CHECK(s.say("(ones(1, dtype=int32) * 2).dtype") == "int32");
  CHECK(s.say("([1] / 2).dtype") == "float64");
  CHECK(s.say("sqrt(4)") == "2.0  float64[] on cpu:0");
  CHECK(s.say("maximum(2, 3)") == "3  int64[] on cpu:0");
  CHECK(s.say("where(true, 1, 2)") == "1  int64[] on cpu:0");
}

TEST_CASE("subscripts of arrays follow NumPy") {
  observed_session s;
  s.say("a = reshape(arange(24), 2, 3, 4)");
  CHECK(s.say("a[1, 2, 3]") == "23  int64[] on cpu:0");
  CHECK(s.say("a[..., -1].shape") == "[2, 3]");
  CHECK(s.say("a[0, ::-1, 1:3].shape") == "[3, 2]");
  CHECK(s.say("a[newaxis].shape") == "[1, 2, 3, 4]");
  CHECK(s.say("a[:, none].shape") == "[2, 1, 3, 4]");
  CHECK(s.say("a[:, [2, 0]].shape") == "[2, 2, 4]");
  CHECK(s.say("a[0, [2, 0]].shape") == "[2, 4]");
  CHECK(s.say("a[..., [1]].shape") == "[2, 3, 1]");
  CHECK(s.say("a[argmax(a)-23].shape") == "[3, 4]");
  CHECK(s.say("a.T.shape") == "[4, 3, 2]");
  CHECK(s.first_line("a[2]").find("2 is out of range for axis 0") != std::string::npos);
  CHECK(s.say("a[a > 20]") == "[21 22 23]  int64[3] on cpu:0");
  CHECK(s.say("a[[0, 1], :, [2, 3]].shape") == "[2, 3]");
  CHECK(s.first_line("a[1.5]").find("an index is an integer, not 1.5") != std::string::npos);
  CHECK(s.first_line("a[..., ...]").find("an ellipsis may stand only once") != std::string::npos);
  CHECK(s.first_line("a[true]").find("an index is an integer, not true") != std::string::npos);
}

TEST_CASE("parts of a variable are assigned, and nothing else changes") {
  observed_session s;
  s.say("a = reshape(arange(6), 2, 3); b = a;");
  CHECK(s.say("a[0] = 9; a") == "[[9 9 9]\n [3 4 5]]  int64[2,3] on cpu:0");
  CHECK(s.say("a[..., 1] += [1, 2]; a") == "[[ 9 10  9]\n [ 3  6  5]]  int64[2,3] on cpu:0");
  CHECK(s.say("a[a > 5] = 0; a") == "[[0 0 0]\n [3 0 5]]  int64[2,3] on cpu:0");
  CHECK(s.say("a[[1, 0], [0, 2]] = [7, 8]; a") == "[[0 0 8]\n [7 0 5]]  int64[2,3] on cpu:0");
  CHECK(s.say("b") == "[[0 1 2]\n [3 4 5]]  int64[2,3] on cpu:0");
  CHECK(s.say("l = [1, \"two\"]; l[1] = a; l[1][1, 0]") == "7  int64[] on cpu:0");
  CHECK(s.first_line("a[0] = 1.5").find("index: 1.5 is no element of int64[2,3]") !=
        std::string::npos);
  CHECK(s.first_line("l[2] = 1").find("index 2 is out of range: the list has 2 items") !=
        std::string::npos);
  CHECK(s.first_line("n = 1; n[0] = 1").find("has no items") != std::string::npos);
  CHECK(s.first_line("nobody[0] = 1").find("nothing is named nobody") != std::string::npos);
  s.say("def f(v) { v[0] = 5; v }");
  CHECK(s.say("c = zeros(2); compile(f)(c) + c") == "[5. 0.]  float32[2] on cpu:0");
}

TEST_CASE("compiled functions give lists within lists, and follow what they use outside") {
  observed_session s;
  s.say("r = compile(w -> (w, (w + 1, [1, 2])))(zeros(2));");
  CHECK(s.say("r[1][0]") == "[1. 1.]  float32[2] on cpu:0");
  CHECK(s.say("r[1][1]") == "[1, 2]");
  s.say("loss = (w, b) -> sum(w) * b; f = compile((w, b) -> value_and_grad(loss, [0, 1])(w, b));");
  CHECK(s.say("g = f(ones(2), 3.); g[1][0] + g[1][1]") == "[5. 5.]  float64[2] on cpu:0");
  s.say("k = 3; q = compile(x -> x * k); repeat 4 { q(2.); }");
  CHECK(s.say("k = 5; q(2.)") == "10.0  float64[] on cpu:0");
  CHECK(s.say("h = x -> x + 1; p = compile(x -> h(x)); p(1); p(1); h = x -> x - 1; p(1)") ==
        "0  int64[] on cpu:0");
  CHECK(s.say("svd(ones(5, 3))[0].shape") == "[5, 5]");
  CHECK(s.say("ravel_multi_index(unravel_index([6, 11], (3, 4)), (3, 4))") ==
        "[ 6 11]  int64[2] on cpu:0");
}

TEST_CASE("arguments are given in order or by name") {
  observed_session s;
  CHECK(s.say("sum([[1, 2], [3, 4]], axis=0)") == "[4 6]  int64[2] on cpu:0");
  CHECK(s.say("[[1, 2], [3, 4]].sum(1, keepdims=true)") == "[[3]\n [7]]  int64[2,1] on cpu:0");
  CHECK(s.say("zeros(2, 3, float64).dtype") == "float64");
  CHECK(s.say("zeros((2, 3), dtype=bool).shape") == "[2, 3]");
  CHECK(s.say("full((2,), 7)") == "[7 7]  int64[2] on cpu:0");
  CHECK(s.say("arange(2, 8, 2)") == "[2 4 6]  int64[3] on cpu:0");
  CHECK(s.say("uniform(2; seed=5) == uniform(2; seed=5)") == "[ True  True]  bool[2] on cpu:0");
  CHECK(s.say("float32([1, 2]).dtype") == "float32");
  CHECK(s.first_line("mean()").find("error: mean: argument x is missing; usage: mean(x, axis=none, "
                                    "keepdims=false) (input ") == 0);
  CHECK(s.first_line("mean([1], axs=0)").find("has no argument axs; did you mean axis?") !=
        std::string::npos);
  CHECK(s.first_line("mean([1], 0, true, 4)").find("takes at most 3 arguments, not 4") !=
        std::string::npos);
  CHECK(s.first_line("sum([1], x=0)").find("the argument x is given twice") != std::string::npos);
  CHECK(s.first_line("sum(\"a\")").find("argument x wants an array, not a text") !=
        std::string::npos);
  CHECK(s.first_line("astype([1], 3)").find("argument dtype wants a dtype, not the number 3") !=
        std::string::npos);
}

TEST_CASE("arguments after a shape follow the signature, or are refused") {
  observed_session s;
  CHECK(s.say("randint(3, 0, 10).shape") == "[3]");
  CHECK(s.say("max(randint(50, 3, 5)) < 5") == "True  bool[] on cpu:0");
  CHECK(s.say("randint((2, 3), 0, 10).shape") == "[2, 3]");
  CHECK(s.say("full(2, 3)") == "[3 3]  int64[2] on cpu:0");
  CHECK(s.say("ones(2, 3, 1, 2).shape") == "[2, 3, 1, 2]");
  CHECK(s.say("uniform(2, 3).shape") == "[2, 3]");
  CHECK(s.say("normal((2, 2), 0, 1).shape") == "[2, 2]");
  CHECK(s.first_line("normal(2, 2, 0, 1)")
            .find("normal: 4 numbers in a row are sizes or mean and std: write normal((2, 3, 4)) "
                  "or normal((2, 3), mean, std)") != std::string::npos);
  CHECK(s.first_line("uniform(3, 0, 10)").find("are sizes or low and high") != std::string::npos);
}

TEST_CASE("integers that do not fit are refused by their own name") {
  observed_session s;
  CHECK(s.first_line("std([1, 2], ddof=4294967297)")
            .find("std: argument ddof is out of range with 4294967297") != std::string::npos);
  CHECK(s.first_line("cpu(4294967296)").find("4294967296") != std::string::npos);
  CHECK(!s.good());
  for (const auto* input : {"sum([1], axis=99999999999)", "sum([1], axis=[0, 99999999999])",
                            "transpose([1], [99999999999])", "argmax([1], 99999999999)"}) {
    INFO(input);
    CHECK(s.first_line(input).find("is out of range with 99999999999") != std::string::npos);
  }
}

TEST_CASE("lists grow by + and append, and written lists of numbers are arrays") {
  observed_session s;
  s.say("r = []; for i in 0:3 { r = r + [i] }");
  CHECK(s.say("r") == "[0, 1, 2]");
  CHECK(s.say("sum(r)") == "3  int64[] on cpu:0");
  s.say("r += [7]; r = append(r, \"a\")");
  CHECK(s.say("r") == "[0, 1, 2, 7, a]");
  s.say("q = append([], ones(2)); q = q + [zeros(2)]");
  CHECK(s.say("stack(q).shape") == "[2, 2]");
  CHECK(s.say("[1, 2] + [3, 4]") == "[4 6]  int64[2] on cpu:0");
  CHECK(s.say("[sum([1, 2]), 2] + [3, 4]") == "[6 6]  int64[2] on cpu:0");
  CHECK(s.say("[\"a\"] + [1]") == "[a, 1]");
  CHECK(s.first_line("append(ones(2), 1)").find("argument items wants a list, not float32[2]") !=
        std::string::npos);
}

TEST_CASE("loops run while a condition holds, end early and skip turns") {
  observed_session s;
  s.say("n = 1; while n < 100 { n = 2 * n }");
  CHECK(s.say("n") == "128");
  s.say("n = 0; while true { n += 1; if n > 9 { break } }");
  CHECK(s.say("n") == "10");
  s.say("n = 0; for i in 0:10 { if i % 2 == 0 { continue }; n += i }");
  CHECK(s.say("n") == "25");
  s.say("n = 0; repeat 5 { n += 1; repeat 5 { break; n += 100 }; if n == 3 { break } }");
  CHECK(s.say("n") == "3");
  s.say("n = 0; for t in split(arange(4), 2) { n += 1; in_order { break } }");
  CHECK(s.say("n") == "1");
  s.say("def first_above(x) { i = 0; while i < 9 { if i > x { break }; i += 1 }; i }");
  CHECK(s.say("first_above(4)") == "5");
  CHECK(s.first_line("while \"a\" { }").find("while: wants true or false, not a text") !=
        std::string::npos);
  s.say("repeat 3 { time { break; nothing } }");
  CHECK(s.good());
}

TEST_CASE("an error says whether an operand is a function or a call is missing") {
  observed_session s;
  CHECK(s.first_line("abs -3").find(
            "-: wants an array, not the function abs: to call it say abs(-3)") !=
        std::string::npos);
  CHECK(s.first_line("sum + ones(2)").find("say sum(...)") != std::string::npos);
  CHECK(s.first_line("-\"a\"").find("-: wants an array, not a text") != std::string::npos);
}

TEST_CASE("a list that holds another one many times is copied as it is") {
  observed_session s;
  s.say("a = ones(2); l = [a]; repeat 60 { l = [l, l] }");
  s.say(":sync on");
  CHECK(s.good());
  s.say("k = l; repeat 60 { k = k[1] }");
  CHECK(s.say("k[0] + 1") == "[2. 2.]  float32[2] on cpu:0");
}

TEST_CASE("tasks that run while a later input waits belong to the input that submitted them") {
  observed_session s;
  s.say("m = ones(2, 2); wait m");
  s.say(":slow 20ms matmul");
  s.say("repeat 5 { n = m @ m }");
  s.say(":wait");
  CHECK(s.inner().latest_trace().events.size() == 5);
}

TEST_CASE("inputs compute with the priority that was set before") {
  observed_session s;
  s.say(":lanes 1");
  s.say("m = ones(2, 2); wait m");
  s.say(":slow 300ms matmul");
  s.say("a = m @ m; b = a @ m");
  s.say(":set priority 10");
  CHECK(s.say(":set").find("priority 10 ") != std::string::npos);
  s.say("c = m @ a");
  std::vector<int> priorities;
  for (const auto& one : s.inner().engine().tasks()) priorities.push_back(one.priority);
  CHECK(priorities == std::vector<int>{0, 0, 10});
  s.say("wait c");
  s.say(":wait");
  std::vector<std::string> order;
  for (const auto& one : s.inner().engine().trace(0).events) {
    if (one.name == "matmul") order.push_back(s.inner().name_of(one.sequence));
  }
  CHECK(order == std::vector<std::string>{"a", "c", "b"});
  CHECK(s.first_line(":set priority high") ==
        "error: the priority is a number from -128 to 127, not high");
  CHECK(s.first_line(":set priority 128") ==
        "error: the priority is a number from -128 to 127, not 128");
}

TEST_CASE("a line with several waiting tasks is quoted once") {
  observed_session s;
  s.say("m = ones(2, 2); wait m");
  s.say(":slow 300ms matmul");
  s.say("v = m @ m; w = v @ v; u = w @ v");
  const auto text = s.say(":explain u");
  const std::string line = "v = m @ m; w = v @ v; u = w @ v";
  CHECK(text.find(line) != std::string::npos);
  CHECK(text.find(line) == text.rfind(line));
  CHECK(text.find("w = matmul, input 3") != std::string::npos);
}

TEST_CASE("a list that holds another one many times is searched once") {
  observed_session s;
  s.say("l = append([], 1); repeat 60 { l = append([l], l) }");
  CHECK(s.first_line("sum(l)").find("lists are nested deeper than 8") != std::string::npos);
  s.say("k = [\"a\"]; repeat 60 { k = [k, k] }");
  CHECK(s.good());
  s.say("k = [k, k] + [k];");
  CHECK(s.good());
}

TEST_CASE("functions have local names, and see those around them") {
  observed_session s;
  s.say("k = 10");
  s.say("def f(a, b) { c = a + b; c * k }");
  CHECK(s.say("f(1, 2)") == "30");
  CHECK(s.first_line("c").find("nothing is named c") != std::string::npos);
  s.say("k = 100");
  CHECK(s.say("f(1, 2)") == "300");
  s.say("def adder(n) { x -> x + n }");
  CHECK(s.say("adder(5)(2)") == "7");
  s.say("def factorial(n) { if n < 2 { 1 } else { n * factorial(n - 1) } }");
  CHECK(s.say("factorial(20)") == "2432902008176640000");
  CHECK(s.say("def sq(x) = x * x; sq(7)") == "49");
  CHECK(s.first_line("f(1)").find("f: takes 2 arguments, not 1") != std::string::npos);
  s.say("def outer(n) { def f(k) { if k < 2 { 1 } else { k * f(k - 1) } }; f(n) }");
  CHECK(s.say("outer(5)") == "120");
  CHECK(s.say("sq == sq") == "true");
  CHECK(s.say("sq != factorial") == "true");
  CHECK(s.first_line("sq(x=2)").find("takes its arguments in order") != std::string::npos);
  s.say("def deep(n) { if n == 0 { 0 } else { 1 + deep(n - 1) } }");
  // Sanitizers need more of the stack.
  const auto levels = std::to_string(troupe::testing::sanitized ? 100 : 900);
  CHECK(s.say("deep(" + levels + ")") == levels);
  s.say("def forever(n) { forever(n + 1) }");
  CHECK(s.first_line("forever(0)").find("nested too deeply") != std::string::npos);
  CHECK(s.first_line("3(4)").find("the number 3 cannot be called") != std::string::npos);
}

TEST_CASE("gradients of functions are functions") {
  observed_session s;
  s.say("f = x -> sum(x ** 3)");
  CHECK(s.say("grad(f)([1., 2.])") == "[ 3. 12.]  float64[2] on cpu:0");
  CHECK(s.say("grad(x -> sum(grad(f)(x)))([1., 2.])") == "[ 6. 12.]  float64[2] on cpu:0");
  CHECK(s.say("grad((x, w) -> sum(x * w), argument=1)([1., 2.], [5., 6.])") ==
        "[1. 2.]  float64[2] on cpu:0");
  s.say("v, g = value_and_grad(f)([2.])");
  CHECK(s.say("v") == "8.0  float64[] on cpu:0");
  CHECK(s.say("grad(sum)([1., 2.])") == "[1. 1.]  float64[2] on cpu:0");
  s.say("h = (w, b, x) -> sum(w * x + b * b)");
  CHECK(s.say("grad(h, [0, 1])([1.], [3.], [5.])") == "[[5.], [6.]]");
  s.say("v, g = value_and_grad(h, [1, 2])([1.], [3.], [5.])");
  CHECK(s.say("v") == "14.0  float64[] on cpu:0");
  CHECK(s.say("g[1]") == "[1.]  float64[1] on cpu:0");
  s.say("c = (w, b) -> sum(w)");
  CHECK(s.say("grad(c, [0, 1])([1.], [3., 4.])[1]") == "[0. 0.]  float64[2] on cpu:0");
  CHECK(s.say("grad(h, [2])([1.], [3.], [5.])[0]") == "[1.]  float64[1] on cpu:0");
  CHECK(s.first_line("grad(h, [0, 3])").find("there is no argument 3: the function takes 3") !=
        std::string::npos);
  CHECK(s.first_line("grad(h, [0, 0])").find("argument 0 is named twice") != std::string::npos);
  CHECK(s.first_line("grad(f, argument=1)").find("there is no argument 1: the function takes 1") !=
        std::string::npos);
}

TEST_CASE("a gradient of a list of arrays is a list of the same form") {
  observed_session s;
  s.say("p = [ones(2), [full([2, 2], 3.0), 2.0]]");
  s.say("g = grad((p, x) -> sum(p[1][0] @ p[0] * x) * p[1][1])(p, [1.0, 2.0])");
  CHECK(s.say("g[0]") == "[18. 18.]  float32[2] on cpu:0");
  CHECK(s.say("g[1][1]") == "18.0  float64[] on cpu:0");
  CHECK(s.say("g[1][0].shape") == "[2, 2]");
  CHECK(
      s.first_line("grad(p -> sum(p[0]))([ones(2), arange(2)])").find("int64[2] has no gradient") !=
      std::string::npos);
}

TEST_CASE("statements in braces repeat, choose and loop over ranges, lists and rows") {
  observed_session s;
  s.say("n = 0; repeat 5 { n += 2 }");
  CHECK(s.say("n") == "10");
  s.say("n = 0; for i in 0:10:3 { n = n * 10 + i }");
  CHECK(s.say("n") == "369");
  s.say("n = 0; for i in 3:0:-1 { n = n * 10 + i }");
  CHECK(s.say("n") == "321");
  s.say("s = 0; for row in [[1, 2], [3, 4]] { s = s + row }");
  CHECK(s.say("s") == "[4 6]  int64[2] on cpu:0");
  s.say("n = \"\"; for t in split(arange(4), 2) { n = t }");
  CHECK(s.say("n") == "[2 3]  int64[2] on cpu:0");
  CHECK(s.say("if sum([1, 2]) > 2 { x = 1 } else { x = 2 }; x") == "1");
  CHECK(s.first_line("if [1, 2] { }").find("has no one truth: use any or all") !=
        std::string::npos);
  CHECK(s.first_line("repeat -1 { }").find("the count is negative") != std::string::npos);
  CHECK(s.first_line("for i in 3 { }").find("goes over a range, a list or the rows") !=
        std::string::npos);
}

TEST_CASE("names take several values at once, and are forgotten") {
  observed_session s;
  s.say("a, b = split(arange(4), 2)");
  CHECK(s.say("b") == "[2 3]  int64[2] on cpu:0");
  s.say("a, b = b, a");
  CHECK(s.say("a") == "[2 3]  int64[2] on cpu:0");
  s.say("x, y = [[1, 2], [3, 4]]");
  CHECK(s.say("y") == "[3 4]  int64[2] on cpu:0");
  CHECK(s.first_line("a, b = 1, 2, 3").find("3 values for 2 names") != std::string::npos);
  CHECK(s.first_line("a, b = 1").find("1 value for 2 names") != std::string::npos);
  s.say("del a");
  CHECK(s.first_line("a").find("nothing is named a") != std::string::npos);
  CHECK(s.first_line("del a").find("nothing is named a") != std::string::npos);
}

TEST_CASE("outputs have the numbers of their inputs") {
  observed_session s;
  s.say("40 + 2");
  s.say("x = 1");
  s.say("2 * 3;");
  CHECK(s.say("_") == "6");
  CHECK(s.say("_1") == "42");
  CHECK(s.first_line("_2").find("input 2 has no output") != std::string::npos);
  CHECK(s.first_line("_99").find("input 99 has no output") != std::string::npos);
}

TEST_CASE("a mistake ends its input, and what came before stays") {
  observed_session s;
  s.say("a = 1; b = nothing; c = 3");
  CHECK(s.say("a") == "1");
  CHECK(s.first_line("c").find("nothing is named c") != std::string::npos);
}

TEST_CASE("a misspelt word brings a suggestion") {
  observed_session s;
  s.say("weights = 1");
  CHECK(s.first_line("sume([1])").find("nothing is named sume; did you mean sum?") !=
        std::string::npos);
  CHECK(s.first_line("wieghts").find("did you mean weights?") != std::string::npos);
  CHECK(s.first_line("exit").find("did you mean :quit?") != std::string::npos);
  CHECK(s.first_line("range(3)").find("did you mean 0:3?") != std::string::npos);
  CHECK(s.first_line("np.ones(3)").find("nothing is named np; did you mean sum(x),") !=
        std::string::npos);
  s.say("np = 1");
  CHECK(s.first_line("np") == "1");
  CHECK(s.first_line("[1].shap").find("has no attribute shap; did you mean shape?") !=
        std::string::npos);
  CHECK(s.first_line(":jbos").find("there is no command :jbos; did you mean jobs?") !=
        std::string::npos);
}

TEST_CASE("a late failure names the operation, its place and its input, and quotes the line") {
  observed_session s;
  s.say("x = take(arange(3), [7])");
  s.say("y = x + 1");
  CHECK(s.say("y") ==
        "error: take: index 7 is out of bounds for axis 0 with size 3; inputs int64[3], int64[1] "
        "on cpu:0 (input 1)\n    x = take(arange(3), [7])\n        ^~~~");
}

TEST_CASE("every public operation has a word, and every word a line of help") {
  for (const auto& w : all_words()) {
    INFO(w.name);
    CHECK(!w.doc.empty());
    CHECK(w.doc.find('\n') == std::string_view::npos);
    CHECK(w.call != nullptr);
  }
  // Operations that only updates and other words submit.
  const auto internal = [](std::string_view name) {
    for (const auto part :
         {"fill", "cast", "transfer", "sgd", "adam", "adagrad", "lion", "rmsprop"}) {
      if (name.find(part) != std::string_view::npos) return true;
    }
    return false;
  };
  for (const auto* op : troupe::all_operations()) {
    INFO(op->name);
    CHECK((find_word(op->name) || internal(op->name)));
  }
}
