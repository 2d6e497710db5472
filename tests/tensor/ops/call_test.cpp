// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/call.hpp"

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// Returns the text of the error that reading the tensor throws.
std::string failure_of(const tensor& x) {
  try {
    x.wait();
  } catch (const task_error& e) { return e.what(); }
  return "nothing was thrown";
}

std::string here(int line) { return " (call_test.cpp:" + std::to_string(line) + ")"; }

}  // namespace

TEST_CASE("a callable with declared inputs and outputs becomes an operation") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  const auto y = call("twice", {x.T()}, {int64, {3, 2}}, [](const inputs& in, outputs& out) {
    REQUIRE(in.size() == 1);
    REQUIRE(in[0].shape() == shape{3, 2});
    const auto from = in[0].span<std::int64_t>();
    const auto into = out[0].span<std::int64_t>();
    for (std::size_t i = 0; i < from.size(); ++i) into[i] = 2 * from[i];
  });
  CHECK(numbers(y) == std::vector<double>{0, 6, 2, 8, 4, 10});
  CHECK(numbers(y + 1)[0] == 1);
}

TEST_CASE("operations have names, which stand in one line of a message") {
  test_engine e;
  const auto fails = [](const inputs&, outputs&) { throw std::runtime_error("no"); };
  const auto no_name = "an operation wants a name: messages tell it";
  CHECK(TROUPE_ERROR_OF(call("", {}, {float32, {1}}, fails)) == no_name);
  CHECK(TROUPE_ERROR_OF(register_operation("", fails)) == no_name);
  CHECK(TROUPE_ERROR_OF(call("a\n\x1b[31m", {}, {float32, {1}}, fails).wait()) ==
        "a\\x0a\\x1b[31m: no on cpu:0");
}

TEST_CASE("a call gives several outputs, from a callable that can only be moved") {
  test_engine e;
  const auto number =
      call("number", {full({}, 3)}, {{float32, {2}}, {boolean, {}}},
           [kept = std::make_unique<float>(1.5f)](const inputs& in, outputs& out) {
             out[0] = std::vector<float>{*kept, static_cast<float>(in[0].item<std::int64_t>())};
             out[1].span<bool>()[0] = true;
           });
  REQUIRE(number.size() == 2);
  CHECK(numbers(number[0]) == std::vector<double>{1.5, 3});
  CHECK(number[1].item<bool>());
}

TEST_CASE("an effect gives an empty tensor that orders what comes later") {
  test_engine e;
  std::vector<int> order;
  const auto first = effect("first", {}, [&](const inputs&) { order.push_back(1); });
  const auto second = effect("second", {first}, [&](const inputs&) { order.push_back(2); });
  second.wait();
  CHECK(type_text(second) == "bool[0]");
  CHECK(order == std::vector<int>{1, 2});
}

TEST_CASE("a call runs on the device of its inputs, or on the one it declares") {
  test_engine e;
  const auto nothing = [](const inputs&) {};
  CHECK(effect("here", {}, nothing, {.device = cpu(1)}).device() == cpu(1));
  CHECK(effect("here", {zeros({1}, {.device = cpu(1)})}, nothing).device() == cpu(1));
  CHECK(TROUPE_ERROR_OF(effect("here", {zeros({1})}, nothing, {.device = cpu(1)})) ==
        "here: declared to run on cpu:1 but the inputs are on cpu:0");
  CHECK(TROUPE_ERROR_OF(effect("here", {}, nothing, {.device = cpu(7)})) ==
        "here: there is no device cpu:7; this runtime has cpu:0, cpu:1");
  CHECK(TROUPE_ERROR_OF(effect("here", {tensor{}}, nothing)) ==
        "here: the input names no array yet");
}

TEST_CASE("whatever a callable throws fails its outputs, with the user's line") {
  test_engine e;
  const auto body = [](auto action) {
    return [action](const inputs& in, outputs& out) { action(in, out); };
  };
  const auto x = zeros({2});
  const auto fails = [&](auto action) {
    return call("load", {x}, {float32, {2, 3}}, body(action), {}, {});
  };
  CHECK(failure_of(fails([](auto&, auto&) { throw std::runtime_error("no such file"); })) ==
        "load: no such file; inputs float32[2] on cpu:0");
  CHECK(failure_of(fails([](auto&, auto&) { throw 3; })) ==
        "load: an exception that is no std::exception; inputs float32[2] on cpu:0");
  CHECK(failure_of(fails([](auto&, auto& out) { out[0] = std::vector<float>(5); })) ==
        "load: output 0 is float32[2,3] but 5 elements were given; inputs float32[2] on cpu:0");
  CHECK(failure_of(fails([](auto&, auto& out) { out[0].template span<double>(); })) ==
        "load: output 0 is float32[2,3], not float64; inputs float32[2] on cpu:0");
  CHECK(failure_of(fails([](auto& in, auto&) { in[0].template span<bool>(); })) ==
        "load: input 0 is float32[2], not bool; inputs float32[2] on cpu:0");
  CHECK(failure_of(fails([](auto& in, auto&) { in[0].template item<float>(); })) ==
        "load: input 0 is float32[2], not one element; inputs float32[2] on cpu:0");
  CHECK(failure_of(fails([](auto& in, auto&) { in[1]; })) ==
        "load: there is no input 1; it has 1; inputs float32[2] on cpu:0");
  CHECK(failure_of(fails([](auto&, auto&) {})) ==
        "load: output 0 is float32[2,3] and was not written; inputs float32[2] on cpu:0");
  const auto y = effect("stop", {}, [](const inputs&) { throw std::runtime_error("no"); });
  const int line = __LINE__ - 1;
  CHECK(failure_of(y) == "stop: no on cpu:0" + here(line));
  CHECK(failure_of(y.reshape({0, 1}) | y) == "stop: no on cpu:0" + here(line));
}

TEST_CASE("a callable may not wait for tensors") {
  test_engine e;
  const auto text = failure_of(effect("waits", {}, [](const inputs&) {
    value_ref never(new value({{1}, float32, cpu()}));
    tensor(never).wait();
  }));
  CHECK_THAT(text, Catch::StartsWith("waits: wait: not possible inside an operation"));
}

}  // namespace troupe::testing
