// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <cstring>

#include "troupe/devices/update.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
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
    if (op->transfer || is_update(op->name)) continue;
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
  CHECK(refused <= 14);
}

TEST_CASE("random functions have texts that compute the same") {
  runtime engine;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    check_text(random_function{seed}, random_arguments(seed));
  }
}

}  // namespace troupe::testing
