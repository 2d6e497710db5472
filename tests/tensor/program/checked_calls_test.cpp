// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/program/capture.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tensor/program/eager_call.hpp"
#include "troupe/tensor/program/passes.hpp"
#include "troupe/tests/effort.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

/// Compiled functions with .check = true, which compare each call with one of the function itself.

namespace troupe::testing {

namespace {

/// Array outside of a function.
class held_array final : public place {
 public:
  explicit held_array(tensor x) : value_(std::move(x)) {}
  const tensor& read() const override { return value_; }
  void write(const tensor& x) override { value_ = x; }
  void write_gradient(const tensor&) override {}

 private:
  tensor value_;
};

/// Returns the error of the first of some calls that throws, and its number.
template <class F>
std::pair<std::string, int> first_error(const F& f, int calls) {
  const auto x = ones({3});
  for (int i = 1; i <= calls; ++i) {
    try {
      f(x);
    } catch (const error& e) { return {e.what(), i}; }
  }
  return {"nothing was thrown", 0};
}

std::string line_of_test(int line) {
  return "(checked_calls_test.cpp:" + std::to_string(line) + ")";
}

}  // namespace

TEST_CASE("checked calls of random functions find nothing, and return what the functions do") {
  test_engine e;
  for (unsigned seed = 1; seed <= cases(300); ++seed) {
    CAPTURE(seed);
    const random_function f{seed};
    const auto checked = compile(f, {.check = true});
    e.engine.seed(seed);
    const auto in = random_arguments(seed);
    const auto numbers = e.engine.random_state();
    const auto expected = f(in);
    const auto after = e.engine.random_state();
    for (int call = 0; call < 2; ++call) {
      e.engine.seed(numbers.key, numbers.counter);
      const auto got = checked(in);
      CHECK(e.engine.random_state().counter == after.counter);
      for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(same_bits(got[i], expected[i]));
    }
  }
}

TEST_CASE("a counter of the host is found by the first checked call, with operation and line") {
  test_engine e;
  int count = 0;
  const auto f = [&](const tensor& x) { return x * 2 + ++count; };
  const auto line = __LINE__ - 1;
  const auto [text, call] = first_error(compile(f, {.check = true}), 3);
  CHECK(call == 1);
  CHECK_THAT(text, Catch::StartsWith("compile: the function does not do what it did when it was "
                                     "captured: add " +
                                     line_of_test(line)));
  CHECK(text.find('\n') == text.npos);
}

TEST_CASE("what changes in a call that nothing else looks at is found by checking") {
  test_engine e;
  const auto changes_at = [](int& calls, int last) {
    return [&calls, last](const tensor& x) { return ++calls > last ? x + 1 : x + 2; };
  };
  // Captured at calls 1, 2, 3 and 5; calls 4 and 6 to 8 run the program unseen.
  int calls = 0;
  CHECK(first_error(compile(changes_at(calls, 4)), 8).second == 0);
  calls = 0;
  const auto [text, call] = first_error(compile(changes_at(calls, 9), {.check = true}), 8);
  CHECK(call == 5);  // 3 runs in the first call, 2 in the others
  CHECK_THAT(text, Catch::Contains("add (checked_calls_test.cpp:"));
}

TEST_CASE("what a function does only if it is not captured is found by its values") {
  test_engine e;
  int line = 0;
  const auto other_numbers = [&](const tensor& x) {
    line = __LINE__ + 1;
    const auto y = x * (capture::active() ? 2. : 3.);
    return exp(y) + 1;
  };
  CHECK_THAT(first_error(compile(other_numbers, {.check = true}), 1).first,
             Catch::StartsWith("compile: exp (checked_calls_test.cpp:") ||
                 Catch::StartsWith("compile: multiply " + line_of_test(line)) ||
                 Catch::StartsWith("compile: add (checked_calls_test.cpp:"));
  const auto other_operations = [&](const tensor& x) {
    return capture::active() ? x + 1 : exp(x) + 1;
  };
  CHECK_THAT(first_error(compile(other_operations, {.check = true}), 1).first,
             Catch::StartsWith("compile: add (checked_calls_test.cpp:") &&
                 Catch::Contains("gives 2.0 in the program, not 3.71828"));
  const auto fails = [&](const tensor& x) {
    const auto at = from_data(std::vector<std::int64_t>{capture::active() ? 7 : 0}, {1});
    return take(x, constant(at), 0);
  };
  CHECK_THAT(first_error(compile(fails, {.check = true}), 1).first,
             Catch::Contains("take (checked_calls_test.cpp:") &&
                 Catch::Contains("fails in the program only"));
}

TEST_CASE("a checked call leaves variables and random numbers as one call does") {
  test_engine e;
  const auto total = std::make_shared<held_array>(zeros({3}));
  const auto f = [&](const tensor& x) {
    auto* const into = capture::active();
    const auto before = into ? into->read(total, false) : total->read();
    const auto now = before + x * uniform({3});
    if (into) into->write(total, now, caller::current());
    else total->write(now);
    return now * 2;
  };
  const auto run = [&](const auto& g) {
    e.engine.seed(5);
    total->write(zeros({3}));
    std::vector<std::vector<double>> out;
    for (int i = 0; i < 4; ++i) out.push_back(numbers(g(ones({3}))));
    out.push_back(numbers(total->read()));
    return out;
  };
  CHECK(run(compile(f, {.check = true})) == run(f));
}

TEST_CASE("an operation that a program computes otherwise is named, the first one of several") {
  test_engine e;
  const auto x = normal({3, 4});
  int line = 0;
  const auto f = [&](std::span<const tensor> in) {
    line = __LINE__ + 1;
    const auto y = in[0] * 3;
    return std::vector{exp(y), sum(exp(y))};
  };
  const auto captured = [&] {
    capture into(e.engine, caller::current());
    const std::vector<tensor> arguments{into.argument(x)};
    const capture::scope capturing(into);
    return into.finish(f(arguments));
  };
  const auto difference_after = [&](const auto& change) {
    auto program = captured();
    change(program);
    program.note_last_uses();
    const eager_call eager(e.engine, captured(), {&x, 1}, f);
    std::vector<value_ref> computed;
    const auto results = program.run(e.engine, {&x, 1}, &computed);
    return eager.difference(program, computed, results);
  };
  CHECK(difference_after([](graph&) {}).empty());
  CHECK(difference_after([](graph& g) {
          merge_repeated_steps(g);
          remove_dead_steps(g);
          pack(g);
        }).empty());
  CHECK_THAT(difference_after([](graph& g) {
               for (auto& in : g.steps[0].inputs) {
                 if (in.value < 0) in.immediate = std::bit_cast<std::uint32_t>(2.F);
               }
             }),
             Catch::StartsWith("multiply " + line_of_test(line) + " gives ") &&
                 Catch::EndsWith("at element 0 of float32[3,4]"));
}

}  // namespace troupe::testing
