// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <sstream>
#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/linalg/linalg.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/choices.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/distributions.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/sets.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;
using Catch::EndsWith;
using Catch::StartsWith;

namespace {

/// Named results of a program, in order. The program either submits everything before it waits, or
/// waits for each result before it submits the next, so that all lanes are free for it.
class results {
 public:
  explicit results(bool one_by_one) : one_by_one_(one_by_one) {}

  void add(std::string what, const tensor& x) {
    all_.emplace_back(std::move(what), x.part() ? copy(x) : x);
    if (one_by_one_) all_.back().second.wait();
  }

  /// Fails the test unless types and bits equal those of `expected`.
  void compare(const results& expected) const {
    REQUIRE(all_.size() == expected.all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const auto& [what, x] = all_[i];
      const auto& y = expected.all_[i].second;
      INFO(what);
      REQUIRE(x.type() == y.type());
      const bool same_bits = equal_bits(x.wait(), y.wait());
      CHECK(same_bits);
    }
  }

 private:
  static bool equal_bits(const tensor& x, const tensor& y) {
    return x.size() == 0 ||
           std::memcmp(x.source()->data(), y.source()->data(), x.source()->bytes()) == 0;
  }

  bool one_by_one_;
  std::vector<std::pair<std::string, tensor>> all_;
};

/// Checks that the program's results are the same on any number of lanes as on the synchronous
/// engine. Returns true if lanes shared a task at least once.
bool compare(int devices, const std::function<void(results&)>& program) {
  results expected(true);
  {
    runtime rt({.lanes = 1, .cpu_devices = devices, .synchronous = true});
    program(expected);
  }
  bool shared = false;
  for (int lanes : {1, 2, 8}) {
    for (bool one_by_one : {false, true}) {
      INFO("lanes " << lanes << ", devices " << devices << ", one by one: " << one_by_one);
      runtime rt({.lanes = lanes, .cpu_devices = devices, .synchronous = false});
      results got(one_by_one);
      program(got);
      got.compare(expected);
      CHECK_NOTHROW(rt.wait_all());
      for (const auto& e : rt.trace().events) shared |= e.share < 1;
    }
  }
  return shared;
}

/// Returns numbers from -3 to 3 in the dtype of a sample's input, which may still be pending.
tensor numbers_for(const tensor_type& t, std::size_t input) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < t.dims.size(); ++i)
    out.push_back(static_cast<double>((i * 5 + static_cast<std::int64_t>(input) * 3) % 7 - 3));
  return copy(from_data(out, t.dims, {.dtype = t.element}));
}

}  // namespace

TEST_CASE(
    "every operation is bit-equal on its samples to the synchronous engine, on any number of lanes "
    "and every device") {
  const int devices = GENERATE(1, 3);
  compare(devices, [&](results& out) {
    for (int d = 0; d < devices; ++d) {
      for (const auto* op : all_operations()) {
        if (op->transfer && devices == 1) continue;  // its samples are copied to cpu:1
        int number = 0;
        for (const auto& s : op->samples()) {
          const on_device here(cpu(d));
          std::vector<tensor> in;
          for (const auto& t : s.inputs) in.push_back(numbers_for(t, in.size()));
          out.add(std::string(op->name) + ", sample " + std::to_string(number++), s.call(in));
        }
      }
    }
  });
}

TEST_CASE(
    "sorts and cumulative operations on long rows, which lanes share, give the same bits on any "
    "number of lanes") {
  const auto type = GENERATE(float32, int64);
  INFO(name(type));
  CHECK(compare(1, [&](results& out) {
    const auto x = astype(normal({2, 300'000}, 0, 1000), type), one = x.reshape({600'000});
    out.add("sort", sort(x));
    out.add("argsort", argsort(x, -1, true));
    out.add("a vector", sort(one));
    out.add("a few", topk(one, 20).values);
    out.add("many", argtopk(one, 100'000));
    out.add("cumsum", cumsum(one));
    out.add("cummax", cummax(x, 1));
    out.add("logcumsumexp", logcumsumexp(x, 1));
    out.add("by columns", cumsum(x.T(), 0));
    const auto backwards = normal({3, 100'000}, 0, 1000).astype(type).slice(1, {}, {}, -1);
    out.add("rows side by side", sort(backwards.slice(0, {}, {}, 2)));
    out.add("their places", argsort(backwards.slice(0, {}, {}, 2)));
    out.add("columns side by side", topk(backwards.T(), 30'000, 0).values);
    out.add("a few of each", topk(backwards, 20).indices);
    out.add("unique", unique_all(one / 16).inverse_indices);
  }));
}

TEST_CASE(
    "elementwise operations on large arrays, which lanes share, give the same bits on any number "
    "of lanes") {
  const auto type = GENERATE(float32, float64);
  INFO(name(type));
  CHECK(compare(1, [&](results& out) {
    const auto x = normal({1001, 700}, type), y = uniform({700, 1001}, -1, 1, type);
    out.add("add", x + y.reshape({1001, 700}));
    out.add("times a row", x * x[3]);
    out.add("less a column", x - x.slice(1, 5, 6));
    out.add("strided", x + y.T());
    out.add("exp", exp(x));
    out.add("greater", x > 0);
    out.add("in place", tanh(sqrt(abs(x)) + 1));
  }));
}

TEST_CASE(
    "linear algebra of many matrices, which lanes share, gives the same bits on any number of "
    "lanes") {
  const auto type = GENERATE(float32, float64);
  INFO(name(type));
  CHECK(compare(1, [&](results& out) {
    const auto x = normal({60, 30, 30}, type), b = normal({60, 30, 3}, type);
    const auto positive = matmul(x, x.swapaxes(1, 2)) + eye(30, type);
    out.add("solve", linalg::solve(x, b));
    out.add("inv", linalg::inv(x));
    out.add("det", linalg::det(x));
    out.add("cholesky", linalg::cholesky(positive));
    out.add("qr", linalg::qr(x).r);
    out.add("svd", linalg::svd(x).u);
    out.add("eigh", linalg::eigh(positive).eigenvectors);
    out.add("expm", linalg::expm(x));
  }));
}

TEST_CASE(
    "reductions of large arrays, which lanes share, give the same bits on any number of lanes") {
  const auto type = GENERATE(float32, float64);
  INFO(name(type));
  CHECK(compare(1, [&](results& out) {
    const auto x = normal({1500, 700}, type);
    for (const auto& [what, view] : {std::pair("plain", x), std::pair("transposed", x.T())}) {
      const auto add = [&](const char* name, const tensor& r) {
        out.add(std::string(what) + ", " + name, r);
      };
      add("sum", sum(view));
      add("sum of columns", sum(view, 0));
      add("sum of rows", sum(view, 1));
      add("mean of rows", mean(view, 1, true));
      add("max of columns", max(view, 0));
      add("var", var(view));
      add("var of columns", var(view, 0));
      add("norm", norm(view));
      add("logsumexp of rows", logsumexp(view, 1));
      add("argmax", argmax(view));
      add("argmax of columns", argmax(view, 0));
      add("argmin of rows", argmin(view, 1));
      add("softmax of rows", softmax(view));
      add("log_softmax of columns", log_softmax(view, 0));
    }
  }));
}

TEST_CASE(
    "products of large matrices, which lanes share, give the same bits on any number of lanes") {
  const auto type = GENERATE(float32, float64);
  INFO(name(type));
  CHECK(compare(1, [&](results& out) {
    const auto a = normal({300, 300}, type), b = normal({300, 300}, type);
    out.add("square", matmul(a, b));
    out.add("transposed", matmul(a.T(), b.T()));
    out.add("tall", matmul(normal({2000, 60}, type), normal({60, 40}, type)));
    out.add("batched", matmul(normal({7, 120, 150}, type), normal({7, 150, 110}, type)));
    out.add("broadcast", matmul(normal({3, 1, 50, 60}, type), normal({4, 60, 70}, type)));
    out.add("matrix and vector", matmul(normal({900, 1100}, type), normal({1100}, type)));
    const auto x = normal({2000, 60}, type), w = normal({60, 700}, type),
               bias = normal({700}, type);
    out.add("with a bias", linear(x, w, bias));
    out.add("with a bias and relu", linear_relu(x, w, bias));
    out.add("transposed, with a bias", linear(w.T(), x.T(), normal({2000}, type)));
  }));
}

TEST_CASE(
    "convolutions and pools of many images, which lanes share, give the same bits on any number of "
    "lanes") {
  const auto type = GENERATE(float32, float64);
  INFO(name(type));
  CHECK(compare(1, [&](results& out) {
    const auto x = normal({64, 6, 28, 28}, type), w = normal({16, 6, 5, 5}, type);
    const auto y = conv2d(x, w, normal({16}, type), {.stride = {1, 2}, .padding = 2});
    out.add("convolution", y);
    out.add("of one image", conv2d(normal({1, 64, 28, 28}, type), normal({48, 64, 3, 3}, type)));
    out.add("input gradient", conv2d_input_gradient(y, w, 28, {.stride = {1, 2}, .padding = 2}));
    out.add("weight gradient", conv2d_weight_gradient(x, y, 5, {.stride = {1, 2}, .padding = 2}));
    out.add("max pool", max_pool2d(x, {2}));
    out.add("average pool", avg_pool2d(x, {.size = 3, .stride = 2, .padding = 1}));
    for (const auto& options : {pool2d_options{2}, {.size = 3, .stride = 2, .padding = 1}})
      out.add("gradient of pools", grad([&](const tensor& t) {
                return sum(square(max_pool2d(t, options)) + avg_pool2d(t, options));
              })(x));
  }));
}

TEST_CASE(
    "random numbers and results computed from them depend on the seed alone, not on when and where "
    "tasks ran") {
  compare(2, [](results& out) {
    for (const auto key : {7u, 8u, 7u}) {
      seed(key);
      const auto a = normal({400, 300}), b = uniform({300, 200}, -1, 1),
                 large = normal({300'001}, 1, 2, float64);
      const auto c = randint({500'000}, -5, 6);
      const auto product = matmul(a, b);
      out.add("uniform", b);
      out.add("normal", large);
      out.add("randint", c);
      out.add("sum of integers", sum(c));
      out.add("sum of reals", sum(large));
      out.add("product", product);
      out.add("sum of a product", sum(product, 0));
      tensor w = normal({40, 40}, float64), there = w.to(cpu(1));
      for (int i = 0; i < 30; ++i) {
        w = tanh(matmul(w, uniform({40, 40}, -1, 1, float64))) + 0.1 * normal({40, 40}, float64);
        const on_device second(cpu(1));
        there = there + w.to(cpu(1)) * uniform({40}, float64);
      }
      out.add("chain", w);
      out.add("chain over two devices", there);
      out.add("after all that", uniform({3}));
    }
  });
}

TEST_CASE("distributions and choices give the same bits on any number of lanes") {
  compare(1, [](results& out) {
    const shape sizes = {300, 211};
    const auto scale = uniform({211}, 0.5, 20, float64);
    out.add("bernoulli", bernoulli(sizes, 0.3));
    out.add("exponential", exponential(sizes, scale));
    out.add("laplace", laplace(sizes, 1, scale));
    out.add("gumbel", gumbel(sizes));
    out.add("truncated_normal", truncated_normal(sizes, -1, scale));
    out.add("gamma", gamma(sizes, scale, 1, {.dtype = float32}));
    out.add("beta", beta(sizes, 0.5, scale));
    out.add("poisson", poisson(sizes, scale));
    out.add("keyed", gamma(sizes, 3, 1, {.key = random_key(5)}));
    out.add("categorical", categorical(normal(sizes)));
    out.add("choice", choice(scale, sizes, {.p = scale}));
    out.add("permutation", permutation(100'000));
    out.add("multivariate_normal", multivariate_normal({10'000}, ones({2}), eye(2)));
    out.add("after all that", uniform({3}));
  });
}

TEST_CASE("a user's operations compute like the library's, in the order of their inputs") {
  std::vector<int> order;  // guarded by the order of the effects
  runtime rt({.lanes = GENERATE(1, 2, 8), .cpu_devices = 1});
  tensor x = arange(1'200).reshape({30, 40}), before = effect("begin", {}, [](const inputs&) {});
  for (int i = 0; i < 200; ++i) {
    x = call("add_transposed", {x, x.reshape({40, 30}).T()}, {int64, {30, 40}},
             [](const inputs& in, outputs& out) {
               const auto a = in[0].span<std::int64_t>(), b = in[1].span<std::int64_t>();
               const auto sums = out[0].span<std::int64_t>();
               for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = (a[k] + b[k]) % 1'201;
             });
    before = effect("note", {before, x}, [&order, i](const inputs&) { order.push_back(i); });
  }
  tensor expected = arange(1'200).reshape({30, 40});
  for (int i = 0; i < 200; ++i)
    expected = remainder(expected + expected.reshape({40, 30}).T(), 1'201);
  CHECK(x.to_vector<std::int64_t>() == expected.to_vector<std::int64_t>());
  before.wait();
  REQUIRE(order.size() == 200);
  CHECK(std::ranges::is_sorted(order));
}

TEST_CASE(
    "any exception in a user's operation fails its outputs and all values computed from them, "
    "names the user's line, and fails nothing else") {
  struct mistake {
    std::function<void(const inputs&, outputs&)> body;
    std::string text;
  };
  struct own_exception : std::exception {
    const char* what() const noexcept override { return "an exception of its own"; }
  };
  const mistake mistakes[] = {
      {[](auto&, auto&) { throw std::runtime_error("no such file"); }, "no such file"},
      {[](auto&, auto&) { throw own_exception(); }, "an exception of its own"},
      {[](auto&, auto&) { throw std::bad_alloc(); }, "out of memory"},
      {[](auto&, auto&) { throw 42; }, "an exception that is no std::exception"},
      {[](auto&, auto&) { throw "text"; }, "an exception that is no std::exception"},
      {[](auto&, auto& out) { out[0] = std::vector<float>(5); },
       "output 0 is float32[2,300] but 5 elements were given"},
      {[](auto&, auto& out) { out[0] = std::vector<double>(600); },
       "output 0 is float32[2,300], not float64"},
      {[](auto&, auto& out) { out[0].template span<int>(); },
       "output 0 is float32[2,300], not int32"},
      {[](auto&, auto& out) { out[2].template span<float>(); }, "there is no output 2; it has 2"},
      {[](auto&, auto& out) { out[0] = std::vector<float>(600); },
       "output 1 is bool[] and was not written"},
      {[](auto&, auto&) {}, "output 0 is float32[2,300] and was not written"},
      {[](auto& in, auto&) { in[0].template item<float>(); },
       "input 0 is float32[1000], not one element"},
      {[](auto& in, auto&) { in[0].template span<bool>(); }, "input 0 is float32[1000], not bool"},
  };
  runtime rt({.lanes = GENERATE(1, 2, 8), .cpu_devices = 1});
  {
    const auto x = ones({1000});
    tensor good = x;
    std::vector<std::vector<tensor>> bad;
    std::vector<tensor> worse;
    std::string line;
    for (const auto& m : mistakes) {
      line = std::to_string(__LINE__ + 1);
      bad.push_back(call("load", {x}, {{float32, {2, 300}}, {boolean, {}}}, m.body));
      worse.push_back(sum(bad.back()[0]) + 1);
      good = good + x;
    }
    for (std::size_t i = 0; i < bad.size(); ++i) {
      const auto text = "load: " + mistakes[i].text +
                        "; inputs float32[1000] on cpu:0 (operations_test.cpp:" + line + ")";
      CHECK(error_of(bad[i][0]) == text);
      CHECK(error_of(bad[i][1]) == text);
      CHECK(error_of(worse[i]) == text);
    }
    CHECK(good.to_vector<int>() == std::vector<int>(1000, 1 + static_cast<int>(bad.size())));
    CHECK_NOTHROW(rt.wait_all());  // all have been read
    line = std::to_string(__LINE__ + 1);
    effect("stop", {x}, [](const inputs&) { throw 42; });
    CHECK_THROWS_WITH(rt.wait_all(), StartsWith("stop: an exception that is no std::exception;") &&
                                         EndsWith("(operations_test.cpp:" + line + ")"));
    CHECK(sum(x).item<int>() == 1000);
  }
  rt.wait_all();
  CHECK(rt.memory().live == 0);
}

TEST_CASE("printing a pending tensor waits for it") {
  runtime rt({.lanes = GENERATE(1, 2, 8), .cpu_devices = 1});
  std::ostringstream whole, part;
  std::atomic<bool> printed = false;
  tensor x;
  std::jthread printer;
  gate g;
  x = call("slow", {}, {float32, {2, 3}}, [way = g.through()](const inputs&, outputs& out) {
    way.pass();
    out[0] = std::vector<float>{1, 2, 3, 4, 5, 6};
  });
  printer = std::jthread([&] {
    whole << x;
    part << 2 * x.T()[1];
    printed = true;
  });
  REQUIRE(g.await_inside(1));
  for (int i = 0; i < 1'000; ++i) std::this_thread::yield();
  CHECK_FALSE(x.ready());
  CHECK_FALSE(printed);
  g.open();
  printer.join();
  CHECK(whole.str() == "[[1. 2. 3.]\n [4. 5. 6.]]  float32[2,3] on cpu:0");
  CHECK(part.str() == "[ 4. 10.]  float32[2] on cpu:0");
}

TEST_CASE("printing a tensor that fails throws its error and prints nothing") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  const auto bad = call("load", {}, {float32, {2}}, [](const inputs&, outputs&) { throw 42; });
  std::ostringstream text;
  CHECK_THROWS_AS(text << bad + 1, task_error);
  CHECK(text.str().empty());
}
