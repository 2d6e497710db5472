// SPDX-License-Identifier: MIT
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/io/npy.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/histogram.hpp"
#include "troupe/tensor/ops/sets.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tensor/waiting.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

/// Ways to capture a function that goes another way the next time: each is refused, on the user's
/// line, or returns what the function returns.

namespace troupe::testing {

namespace {

const std::string not_known =
    ": not known while the function is captured; what depends on a result cannot decide what is "
    "computed";
const std::string from_outside =
    ": a tensor from outside the compiled function, which is neither an argument nor a variable; "
    "pass it as an argument, or wrap it in constant() if it never changes";

/// Returns the error of one of a few calls, which all have the same argument.
template <class F>
std::string error_of_calls(const F& f, int calls = 3) {
  const auto x = ones({3});
  for (int i = 0; i < calls; ++i) {
    try {
      f(x);
    } catch (const error& e) { return e.what(); }
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("reading a result in a compiled function is refused") {
  test_engine e;
  const auto x = ones({3});
  const auto call = [&](auto body) { return compile(body)(x); };
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) { return sum(y).item<float>() > 0 ? y : -y; })) ==
        "item" + not_known);
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) { return y * y.to_vector<double>()[0]; })) ==
        "to_vector" + not_known);
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) { return (y + 1).wait(); })) ==
        "wait" + not_known);
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) {
                          (y + 1).wait_for(std::chrono::seconds(1));
                          return y;
                        }).shape()) != "nothing was thrown");
  CHECK_THROWS_WITH(call([](const tensor& y) {
                      std::ostringstream out;
                      out << y;
                      return y;
                    }),
                    Catch::StartsWith("wait" + not_known + " (wrong_captures_test.cpp:"));
  CHECK_THROWS_WITH(call([](const tensor& y) {
                      wait({y});
                      return y;
                    }),
                    Catch::StartsWith("wait" + not_known));
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) {
          const auto z = y + 1;
          cancel(z);
          return y;
        })) == "cancel" + not_known);
  CHECK_THROWS_WITH(call([](const tensor& y) {
                      save_npy("never-written.npy", y);
                      return y;
                    }),
                    Catch::Contains("not known while the function is captured"));
}

TEST_CASE("reading numbers of an array from outside in a compiled function is refused") {
  test_engine e;
  const auto x = ones({3}), three = full({}, 3), sizes = tensor({1, 3});
  const auto call = [&](auto body) { return compile(body)(x); };
  const std::string outside =
      ": an array from outside the function that is captured, where numbers of it would stay as "
      "they are now: read them before, or give it as an argument";
  CHECK(TROUPE_ERROR_OF(call([&](const tensor& y) { return y * three.item<float>(); })) ==
        "item" + outside);
  CHECK(TROUPE_ERROR_OF(call([&](const tensor& y) {
          return y.reshape({sizes.to_vector<std::int64_t>()[0], 3});
        })) == "to_vector" + outside);
  // Arrays that the function makes are the same each time.
  CHECK(call([](const tensor& y) {
          return y * tensor({2, 5}).to_vector<float>()[1];
        }).to_vector<float>() == std::vector<float>(3, 5));
}

TEST_CASE("functions that wait for what they count name themselves in a compiled function") {
  test_engine e;
  const auto x = ones({3}, int64);
  const auto call = [&](auto body) { return compile(body)(x); };
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) { return unique(y); })) == "unique" + not_known);
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) { return unique_all(y).counts; })) ==
        "unique_all" + not_known);
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) { return nonzero(y)[0]; })) ==
        "nonzero" + not_known);
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) { return bincount(y); })) ==
        "bincount" + not_known);
}

TEST_CASE("asking whether a result is ready in a compiled function is refused") {
  test_engine e;
  const auto x = ones({3});
  const auto call = [&](auto body) { return compile(body)(x); };
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) { return y.ready() ? y : -y; })) ==
        "ready" + not_known);
  CHECK(TROUPE_ERROR_OF(call([](const tensor& y) { return y.failed() ? y : -y; })) ==
        "failed" + not_known);
}

TEST_CASE("tensors from outside are refused in compiled functions") {
  test_engine e;
  const auto x = ones({3}), other = ones({3}), matrix = ones({3, 3});
  const auto call = [&](auto body) { return compile(body)(x); };
  CHECK(TROUPE_ERROR_OF(call([&](const tensor& y) { return y + other; })) == "add" + from_outside);
  CHECK(TROUPE_ERROR_OF(call([&](const tensor& y) { return other * 2 - y; })) ==
        "subtract" + from_outside);
  CHECK(TROUPE_ERROR_OF(call([&](const tensor& y) { return matmul(y, matrix); })) ==
        "matmul" + from_outside);
  CHECK(TROUPE_ERROR_OF(call([&](const tensor& y) {
          return concatenate({y, other}, 0);
        })) == "concatenate" + from_outside);
  CHECK_THAT(error_of_calls(compile([&](const tensor&) { return other; })),
             Catch::StartsWith("compile" + from_outside + " (wrong_captures_test.cpp:"));
  tensor weight = ones({3});
  weight.attach_grad();
  CHECK(TROUPE_ERROR_OF(call([&](const tensor& y) { return y * weight; })) ==
        "multiply" + from_outside);
}

TEST_CASE("a tensor of another runtime is refused in a compiled function") {
  test_engine e;
  const auto x = ones({3});
  synchronous_engine second(two_devices());
  tensor other;
  {
    const use_engine there(second);
    other = ones({3});
  }
  CHECK(TROUPE_ERROR_OF(compile([&](const tensor& y) { return y + other; })(x)) ==
        "add" + from_outside);
  CHECK(TROUPE_ERROR_OF(compile([&](const tensor& y) { return y + constant(other); })(x)) ==
        "constant: a tensor of another runtime than the arguments");
  CHECK_THROWS_WITH(compile([](const tensor& y, const tensor& z) { return y + z; })(x, other),
                    Catch::StartsWith("add: inputs of different runtimes"));
}

TEST_CASE("a counter, changed globals and the host's random numbers are found out") {
  test_engine e;
  int count = 0;
  CHECK_THAT(
      error_of_calls(compile([&](const tensor& x) { return x + ++count; })),
      Catch::StartsWith("compile: the function does not do what it did when it was captured: "
                        "add (wrong_captures_test.cpp:"));
  CHECK_THAT(error_of_calls(compile([&](const tensor& x) { return ++count % 2 ? x + 1 : x * 2; })),
             Catch::Contains("in place of"));
  CHECK_THAT(
      error_of_calls(compile([&](const tensor& x) { return ++count % 2 ? x + 1 : x + 1 - 1; })),
      Catch::Contains("does not do what it did"));
  std::mt19937 random(1);
  CHECK_THAT(
      error_of_calls(compile([&](const tensor& x) { return x * static_cast<double>(random()); })),
      Catch::Contains("multiply"));
  CHECK_THAT(error_of_calls(compile([&](const tensor& x) {
               return x + from_data(std::vector<double>(3, static_cast<double>(random())), {3});
             })),
             Catch::Contains("other data"));
  CHECK_THAT(error_of_calls(compile([&](const tensor& x) { return ++count % 2 ? x : x + 0; })),
             Catch::Contains("does not do what it did"));
  CHECK_THAT(error_of_calls(compile(
                 [&](const tensor& x) { return x.slice(0, count++ % 2, 2).flatten() * 1; })),
             Catch::Contains("does not do what it did"));
}

TEST_CASE("parameters of operations that change from call to call are found out, on their line") {
  test_engine e;
  int count = 0;
  const auto x = normal({2, 2, 2}), image = normal({1, 1, 5, 5}), weight = normal({1, 1, 1, 1});
  const auto error_of_third = [&](auto body) {
    count = 0;
    const auto f = compile(std::move(body));
    try {
      for (int call = 0; call < 3; ++call) f(x, image, weight);
    } catch (const error& found) { return std::string(found.what()); }
    return std::string("nothing was thrown");
  };
  const auto refused = [](const std::string& operation, int line) {
    return Catch::StartsWith(
        "compile: the function does not do what it did when it was captured: " + operation +
        " (wrong_captures_test.cpp:" + std::to_string(line) + ") has other parameters");
  };
  using in = const tensor&;
  CHECK_THAT(error_of_third([&](in a, in, in) { return sum(a, ++count % 2); }),
             refused("sum", __LINE__ - 1));
  CHECK_THAT(error_of_third([&](in a, in, in) { return var(a, 0, ++count % 2); }),
             refused("var", __LINE__ - 1));
  CHECK_THAT(error_of_third([&](in a, in, in) { return softmax(a, ++count % 2); }),
             refused("softmax", __LINE__ - 1));
  CHECK_THAT(error_of_third([&](in a, in, in) { return a + full({2}, ++count); }),
             refused("full", __LINE__ - 1));
  CHECK_THAT(error_of_third([&](in a, in, in) { return a + full({2}, ++count % 2 ? 0. : -0.); }),
             refused("full", __LINE__ - 1));
  CHECK_THAT(error_of_third([&](in a, in, in) { return a + eye(2, 2, ++count); }),
             refused("eye", __LINE__ - 1));
  CHECK_THAT(error_of_third([&](in a, in, in) { return a + arange(++count % 2, 4, 2); }),
             refused("arange", __LINE__ - 1));
  CHECK_THAT(error_of_third([&](in a, in, in) { return a + uniform({2}, 0, ++count); }),
             refused("uniform", __LINE__ - 1));
  CHECK_THAT(
      error_of_third([&](in, in b, in w) { return conv2d(b, w, {.stride = 5 + ++count % 2}); }),
      refused("conv2d", __LINE__ - 2));
  CHECK(error_of_third([](in a, in, in) {
          return a + full({2}, std::nan("")) + uniform({2}) + normal({2, 1});
        }) == "nothing was thrown");
}

TEST_CASE("tensors that leave a captured function otherwise than as its result have failed") {
  test_engine e;
  tensor escaped;
  const auto f = compile([&](const tensor& x) {
    escaped = x * 2;
    return x + 1;
  });
  f(ones({3}));
  CHECK(escaped.failed());
  CHECK_THROWS_WITH(escaped.to_vector<double>(), Catch::Contains("has left the function"));
  const auto told = Catch::Contains("has left the function");
  CHECK_THROWS_WITH(escaped + 1, Catch::StartsWith("add: compile: a tensor") && told);
  CHECK_THROWS_WITH(ones({3}) + escaped, told);
  CHECK_THROWS_WITH(f(escaped), told);
}

TEST_CASE("what a function throws while it is captured reaches the caller, and nothing is kept") {
  test_engine e;
  bool fails = true;
  const auto f = compile([&](const tensor& x) {
    const auto y = x + 1;
    if (fails) throw std::runtime_error("not now");
    return y;
  });
  CHECK_THROWS_WITH(f(ones({3})), "not now");
  fails = false;
  CHECK(numbers(f(ones({3}))) == std::vector<double>{2, 2, 2});
}

TEST_CASE("operations of the user's own are refused in compiled functions") {
  test_engine e;
  CHECK_THAT(error_of_calls(compile([](const tensor& x) {
               return call("mine", {x}, output_type{float32, {1}}, [](const inputs&, outputs&) {});
             })),
             Catch::StartsWith("mine: not possible in a compiled function"));
}

TEST_CASE("other arguments are other programs: numbers, optional arrays, modes as enumerators") {
  test_engine e;
  enum class mode { train, evaluate };
  const auto f = compile([](const std::vector<tensor>& in, mode how, int times) {
    auto y = in.size() > 1 ? in[0] + in[1] : in[0];
    for (int i = 0; i < times; ++i) y = y * 2;
    return how == mode::train ? y : -y;
  });
  const auto x = ones({2});
  for (int i = 0; i < 3; ++i) {
    CHECK(numbers(f(std::vector{x}, mode::train, 0)) == std::vector<double>{1, 1});
    CHECK(numbers(f(std::vector{x, x}, mode::train, 0)) == std::vector<double>{2, 2});
    CHECK(numbers(f(std::vector{x, x}, mode::train, 2)) == std::vector<double>{8, 8});
    CHECK(numbers(f(std::vector{x}, mode::evaluate, 1)) == std::vector<double>{-2, -2});
  }
}

TEST_CASE("the default device is part of what a program depends on") {
  test_engine e;
  const auto f = compile([](int n) { return ones({n}); });
  CHECK(f(2).device() == cpu());
  const on_device there(cpu(1));
  CHECK(f(2).device() == cpu(1));
}

TEST_CASE("undefined arguments are refused as the function refuses them") {
  test_engine e;
  const auto f = compile([](const tensor& x) { return x + 1; });
  CHECK_THROWS_WITH(f(tensor()), Catch::StartsWith("add: the input names no array yet"));
}

TEST_CASE("a function that calls itself ends as it does uncompiled") {
  test_engine e;
  std::optional<compiled<std::function<tensor(const tensor&, int)>>> f;
  f.emplace([&](const tensor& x, int n) -> tensor { return n == 0 ? x : (*f)(x * 2, n - 1); },
            caller::current());
  for (int i = 0; i < 3; ++i) CHECK(numbers((*f)(ones({1}), 5)) == std::vector<double>{32});
}

TEST_CASE("gradients are not collected through a compiled function by accident") {
  test_engine e;
  const auto f = compile([](const tensor& x) { return sum(x * x); });
  tensor x = {1., 2.};
  x.attach_grad();
  CHECK(f(x).item<double>() == 5);
  tensor y;
  {
    const recording on;
    y = f(x);
  }
  y.backward();
  CHECK(numbers(x.grad()) == std::vector<double>{2, 4});
}

TEST_CASE("a compiled function refuses to add to the gradients of an argument") {
  test_engine e;
  tensor x = {1., 2.};
  x.attach_grad();
  const auto f = [](const tensor& y) {
    tensor loss;
    {
      const recording on;
      loss = sum(y * y);
    }
    loss.backward();
    return loss;
  };
  CHECK_THROWS_WITH(compile(f)(x), Catch::StartsWith("backward: a compiled function does not add "
                                                     "to the gradients of its arguments"));
  CHECK_FALSE(x.grad().defined());
  const auto with_grad =
      compile([](const tensor& y) { return grad([](const tensor& z) { return sum(z * z); })(y); });
  CHECK(numbers(with_grad(x)) == std::vector<double>{2, 4});
  CHECK(numbers(with_grad(x.detach())) == std::vector<double>{2, 4});
}

TEST_CASE("a function's program does what its text says, or says that the function has changed") {
  test_engine e;
  double k = 2;
  const auto f = compile([&](const tensor& x) { return x * k; });
  const auto x = ones({3});
  const auto p = f.program(x), changed = f.program(x);
  CHECK(numbers(p(x)) == std::vector<double>{2, 2, 2});
  k = 5;
  CHECK_THROWS_WITH(changed(x), Catch::Contains("does not do what it did when it was captured: "
                                                "multiply"));
  {
    const recording on;
    CHECK_THROWS_WITH(changed(x), Catch::Contains("does not do what it did"));
  }
  k = 2;
  CHECK(numbers(changed(x)) == std::vector<double>{2, 2, 2});
  const auto product = compile(
      [](const tensor& y, std::string_view name) { return name == "twice" ? y * 2 : y * 3; });
  const auto of_text = [&] {
    const std::string name = "twice";
    return product.program(x, std::string_view(name));
  }();
  const std::string other = "thrice";
  CHECK(numbers(of_text(x)) == std::vector<double>{2, 2, 2});
  CHECK(numbers(product.program(x, "twice")(x)) == std::vector<double>{2, 2, 2});
}

TEST_CASE("a function's program keeps the texts that its arguments refer to, wherever they are") {
  test_engine e;
  struct way {
    std::string_view name;
    std::vector<const char*> more;
    std::optional<std::string_view> last;
  };
  const auto product = compile([](const tensor& y, const way& how) {
    const bool all = how.name == "twice" && std::string_view(how.more.at(1)) == "and again" &&
                     !how.more.at(0) && how.last == "at last";
    return y * (all ? 2 : 3);
  });
  std::string name = "twice", more = "and again", last = "at last";
  const auto x = ones({2});
  const auto p = product.program(x, way{name, {nullptr, more.c_str()}, last});
  for (auto* const one : {&name, &more, &last}) one->assign(one->size(), '-');
  CHECK(numbers(p(x)) == std::vector<double>{2, 2});
  CHECK(numbers(product.program(x, way{name, {nullptr, more.c_str()}, last})(x)) ==
        std::vector<double>{3, 3});
}

}  // namespace troupe::testing
