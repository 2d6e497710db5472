// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/language/syntax/lexer.hpp"
#include "troupe/language/syntax/parser.hpp"

using namespace troupe::language;

namespace {

std::string tokens_of(std::string_view input) {
  std::string out;
  for (const auto& t : tokenise(input))
    out += t.kind == token_kind::end       ? ""
           : t.kind == token_kind::newline ? "\\n "
                                           : std::string(t.text) + " ";
  return out;
}

/// Returns the parser's verdict on an input: "ok", "incomplete: ...", "4-6: ...".
std::string verdict(std::string_view input) {
  symbol_table symbols;
  try {
    parse(input, symbols);
    return "ok";
  } catch (const incomplete_input& e) {
    return std::string("incomplete: ") + e.what();
  } catch (const syntax_error& e) {
    return std::to_string(e.at().begin) + "-" + std::to_string(e.at().end) + ": " + e.what();
  }
}

}  // namespace

TEST_CASE("an input is cut into words") {
  CHECK(tokens_of("a**2//3!=b") == "a ** 2 // 3 != b ");
  CHECK(tokens_of("x[1:3, ...].T # the rest") == "x [ 1 : 3 , ... ] . T ");
  CHECK(tokens_of("1. + .5e-3 + 2e5 + 1.e2") == "1. + .5e-3 + 2e5 + 1.e2 ");
  CHECK(tokens_of("0:10") == "0 : 10 ");
  CHECK(tokens_of("2j+1.5e3j j") == "2j + 1.5e3j j ");
  CHECK(tokens_of("\"a b\" 'c'") == "\"a b\" 'c' ");
}

TEST_CASE("a newline ends a statement except within parentheses and brackets") {
  CHECK(tokens_of("a\nb") == "a \\n b ");
  CHECK(tokens_of("(a\n+ b)") == "( a + b ) ");
  CHECK(tokens_of("{ a\nb }") == "{ a \\n b } ");
  CHECK(tokens_of("f([1,\n2])") == "f ( [ 1 , 2 ] ) ");
}

TEST_CASE("what makes no sense is refused, with its place") {
  CHECK(verdict("a = $") == "4-5: nothing begins with $ here");
  CHECK(verdict("a !b") == "2-3: nothing begins with ! here: not is ~ or logical_not");
  CHECK(verdict("12ab") == "0-4: no number: 12ab");
  CHECK(verdict("2jx") == "0-3: no number: 2jx");
  CHECK(verdict("\"open") == "0-5: the text has no closing \"");
  CHECK(verdict("\"a\\q\"") == "0-5: no such escape: \\q");
  CHECK(verdict("99999999999999999999") ==
        "0-20: the integer does not fit uint64: write it as a real, 99999999999999999999.0");
  CHECK(verdict("return 3") ==
        "7-8: unexpected 3 after the statement; a function gives its last value");
  CHECK(verdict("if a { 1 } elif b { 2 }") ==
        "16-17: unexpected b after the statement; write else if");
  CHECK(verdict("break") == "0-5: break without a loop around it");
  CHECK(verdict("repeat 2 { def f() { continue } }") == "21-29: continue without a loop around it");
  CHECK(verdict("while = 1") == "6-7: unexpected = where a value should be");
  CHECK(verdict("a b") == "2-3: unexpected b after the statement");
  CHECK(verdict("a = 1 2") == "6-7: unexpected 2 after the statement");
  CHECK(verdict("x[] ") == "2-3: an index is missing");
  CHECK(verdict("f(a=1, 2)") == "7-8: arguments without a name come before those with one");
  CHECK(verdict("f(a=1, a=2)") == "7-8: an argument that is given twice");
  CHECK(verdict("a < b < c") == "6-7: comparisons do not chain: say (a < b) & (b < c)");
  CHECK(verdict("a && b") == "2-4: use & and | for elements, or the words and, or");
  CHECK(verdict("x[0][1] = 1") == "0-7: only part of a name can be given a value");
  CHECK(verdict("f(x)[1] += 1") == "0-7: only part of a name can be given a value");
  CHECK(verdict("f(x) = 1") == "0-4: only a name can be given a value");
  CHECK(verdict("_ = 1") == "0-1: outputs cannot be given another value");
  CHECK(verdict("def def(x) {}") == "4-7: def is a word of the language and names nothing else");
  CHECK(verdict("(x, x) -> x") == "4-5: two parameters of this name");
  CHECK(verdict("else { }") == "0-4: else without an if before it");
  CHECK(verdict("1 if a") == "6-6: the line ends where else should be");
  CHECK(verdict("1 if a { 2 }") == "7-8: unexpected { where else should be");
  CHECK(verdict("1 +\n2") == "3-4: the line ends where a value should be");
  CHECK(verdict("\x01") == "0-1: an unprintable character");
  CHECK(verdict(")") == "0-1: unexpected ) where a value should be");
}

TEST_CASE("an input that a further line can complete is known as such") {
  for (const std::string input :
       {"f(1,", "[1, 2", "repeat 3 {", "repeat 3 { a = 1\n", "def f(", "time {", "(1 +", "if x",
        "for i in 0:3", "repeat 3", "def f(x)"}) {
    CHECK(verdict(input).starts_with("incomplete"));
    CHECK(verdict(input + "\n").starts_with("incomplete"));
  }
  CHECK(verdict("{").starts_with("0-1: unexpected"));
}

TEST_CASE("an open brace is named where it stands") {
  symbol_table symbols;
  const std::string_view input = "x = 3\ndef f(y) {\n  y + 1\n\nprint 1";
  try {
    parse(input, symbols);
    FAIL("it has no }");
  } catch (const incomplete_input& e) {
    CHECK(e.at().begin == input.find('{'));
    CHECK(std::string(e.what()) == "the input ends before the } of def");
  }
}

TEST_CASE("a line that ends too early outside of brackets is a mistake: no other completes it") {
  for (const std::string input :
       {"a +", "a =", "x ->", "if", "for i in", "x[1] +=", "a if b else"}) {
    CHECK(verdict(input).find("the line ends") != std::string::npos);
    CHECK(verdict(input + "\n1").find("the line ends") != std::string::npos);
  }
}

TEST_CASE("deep nesting is refused, not run into") {
  const auto repeated = [](const std::string& text, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += text;
    return out;
  };
  for (const auto& input :
       {repeated("(", 100'000), repeated("[", 100'000), repeated("-", 100'000) + "1",
        "1" + repeated("+1", 100'000), "1" + repeated("**1", 100'000),
        "x" + repeated(".T", 100'000), "x" + repeated("[0]", 100'000),
        repeated("not ", 100'000) + "1", repeated("repeat 1 {", 100'000),
        repeated("x->", 100'000) + "1", repeated("if 1 {} else ", 100'000) + "{}",
        repeated("1 if 1 else ", 100'000) + "1", "f" + repeated("(1)", 100'000),
        repeated("a if", 1'000)})
    CHECK(verdict(input) != "ok");
}

TEST_CASE("statements and expressions of every kind are taken") {
  for (const auto* input : {"",
                            "\n\n",
                            "# nothing",
                            "x = 1",
                            "x = 1; y = 2",
                            "x;",
                            "a, b = split(x, 2)",
                            "x += 1",
                            "x **= 2",
                            "x @= y",
                            "_",
                            "_3 + _",
                            "ones(2,3)",
                            "normal(3; seed=1)",
                            "a.sum(axis=1)",
                            "x[0]",
                            "x[1:3, :]",
                            "x[::-1, ..., newaxis, none]",
                            "x[:, 1:]",
                            "f = x -> x * x",
                            "f = (x, y) -> x @ y",
                            "f = () -> 1",
                            "def f(a, b) { c = a + b; c * 2 }",
                            "def f(a) = a * 2",
                            "grad(f)(x)",
                            "repeat 3 { x }",
                            "for i in 0:10 { s = s + i }",
                            "while a { a = f(a) }",
                            "while true { if a { break } else { continue } }",
                            "if a > 1 { 1 } else { 2 }",
                            "c = a if a > 1 else b if b > 1 else 3",
                            "f = x -> x if x.any() else -x",
                            "f(a if c else b, axis=0 if c else 1)[0 if c else 1]",
                            "if a { 1 }\nelse if b { 2 }\nelse { 3 }",
                            "on cpu(1) { x }",
                            "time { x; y }",
                            "time\n{ x }",
                            "in_order { x }",
                            "wait c",
                            "wait a, b",
                            "wait_all",
                            "del a, b",
                            "-x ** 2",
                            "2 ** -1",
                            "not a and b or c",
                            "~a & b | c ^ d",
                            "a + b << c & d >> -e",
                            "(1, 2)",
                            "()",
                            "(1,)",
                            "[[1, 2], [3, 4]]",
                            "0:10",
                            "0:10:2",
                            "x.T.shape",
                            "a\n\n\nb",
                            "wait_all\nx = 1",
                            "f(\n1,\n2\n)",
                            "x = [1,\n 2]",
                            "'text'",
                            "true and none"}) {
    INFO(input);
    CHECK(verdict(input) == "ok");
  }
}
