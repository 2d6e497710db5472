// SPDX-License-Identifier: MIT
#include "troupe/tensor/batching/vmap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "troupe/tensor/autograd/checkpoint.hpp"
#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jacobian.hpp"
#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/linalg/linalg.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/selection.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using tensor_list = std::vector<tensor>;
using several_axes = std::vector<std::optional<int>>;

/// Returns numbers from -3 to 3, which differ with the seed.
tensor batch_numbers(const tensor_type& t, int seed) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < t.dims.size(); ++i)
    out.push_back(static_cast<double>((i * 5 + seed * 3) % 7 - 3));
  return from_data(out, t.dims, {.dtype = t.element});
}

/// Returns the results of a function for each element, with the batch as first axis.
template <class F>
tensor_list looped(const F& f, const tensor_list& xs, const several_axes& axes,
                   std::int64_t count) {
  std::vector<tensor_list> found;
  for (std::int64_t k = 0; k < count; ++k) {
    tensor_list in;
    for (std::size_t i = 0; i < xs.size(); ++i)
      in.push_back(axes[i] ? copy(unstack(xs[i], *axes[i])[static_cast<std::size_t>(k)]) : xs[i]);
    const tensor_list out = f(in);
    found.resize(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) found[i].push_back(out[i]);
  }
  tensor_list all;
  for (const auto& each : found) all.push_back(stack(each));
  return all;
}

bool alike(const tensor& a, const tensor& b, double tolerance = 1e-5) {
  if (a.type() != b.type()) return false;
  const auto x = numbers(a), y = numbers(b);
  return std::equal(x.begin(), x.end(), y.begin(), [&](double one, double other) {
    return near(one, other, size_of(a.dtype()) == 2 ? 2e-2 : tolerance);
  });
}

/// Returns the names of the tasks that a call runs.
template <class F>
std::vector<std::string> names_of_tasks(synchronous_engine& e, F&& f) {
  const auto before = e.trace(0).events.size();
  f();
  std::vector<std::string> out;
  const auto log = e.trace(0);
  for (auto i = before; i < log.events.size(); ++i) out.emplace_back(log.events[i].name);
  return out;
}

}  // namespace

TEST_CASE("mapped operations give what a loop gives, whichever inputs are batches") {
  test_engine e;
  int compared = 0;
  for (const auto* op : all_operations()) {
    // Of the positions of what is true there are not as many for each element.
    if (op->random || op->name == "true_positions") continue;
    int number = -1;
    for (const auto& s : op->samples()) {
      CAPTURE(op->name, ++number);
      std::int64_t size = 0;
      for (const auto& t : s.inputs) size += t.dims.size();
      if (s.inputs.empty() || size > 5000) continue;
      const auto f = [&](const tensor_list& in) { return tensor_list{s.call(in)}; };
      for (unsigned batches = 1; batches < 1u << s.inputs.size(); ++batches) {
        tensor_list xs;
        several_axes axes;
        for (std::size_t i = 0; i < s.inputs.size(); ++i) {
          const bool mapped = (batches >> i & 1) != 0;
          tensor_list each;
          for (int k = 0; k < 3; ++k)
            each.push_back(batch_numbers(s.inputs[i], k + 2 * static_cast<int>(i)));
          const bool last = number % 2 == 1;
          xs.push_back(mapped ? stack(each, last ? -1 : 0) : each[0]);
          axes.push_back(mapped ? std::optional(last ? xs.back().rank() - 1 : 0) : std::nullopt);
        }
        CAPTURE(batches);
        const auto found = vmap(f, batch_axes(axes))(xs);
        const auto want = looped(f, xs, axes, 3);
        REQUIRE(found.size() == 1);
        REQUIRE(alike(found[0], want[0]));
        ++compared;
      }
    }
  }
  CHECK(compared > 1000);
}

TEST_CASE("mapped random functions give what a loop gives") {
  test_engine e;
  int compared = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    const random_function f{seed};
    tensor_list xs;
    for (const auto& t :
         {tensor_type{{3, 4}, float64, {}}, {{4}, float32, {}}, {{3, 1}, int64, {}}}) {
      tensor_list each;
      for (int k = 0; k < 3; ++k) each.push_back(batch_numbers(t, k + static_cast<int>(seed)));
      xs.push_back(stack(each));
    }
    several_axes axes{0, 0, 0};
    if (seed % 4 != 0) axes[seed % 4 - 1] = std::nullopt;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      if (!axes[i]) xs[i] = copy(xs[i][0]);
    }
    troupe::seed(seed);
    tensor_list want;
    try {
      want = looped(f, xs, axes, 3);
    } catch (const error&) { continue; }  // too many axes for another one
    troupe::seed(seed);
    const auto found = vmap(f, batch_axes(axes))(xs);
    REQUIRE(found.size() == want.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(i);
      CHECK(alike(found[i], want[i], 1e-4));
    }
    ++compared;
  }
  CHECK(compared > 100);
}

TEST_CASE("a function sees one element of a batch") {
  test_engine e;
  const tensor x = arange(24, float64).reshape({4, 2, 3});
  const auto f = [](const tensor& v) {
    CHECK(type_text(v) == "float64[2,3]");
    return sum(v, 0) * v[1] + v.T()(2, 0);
  };
  const auto all = vmap(f)(x);
  CHECK(type_text(all) == "float64[4,3]");
  for (int k = 0; k < 4; ++k) {
    const auto one = x[k];
    CHECK(numbers(all[k]) == numbers(sum(one, 0) * one[1] + one(0, 2)));
  }
}

TEST_CASE("the batch is the axis that is asked for, of arguments and results") {
  test_engine e;
  const tensor x = arange(12, float64).reshape({3, 4}), y = arange(4, float64);
  const auto f = [](const tensor_list& in) { return in[0] * 10. + in[1]; };
  CHECK(alike(vmap(f, {0, std::nullopt})({x, y}), x * 10. + y));
  CHECK(alike(vmap(f, {1, 0})({x, y}), (x * 10. + y).T()));
  CHECK(alike(vmap(f, {-1, 0}, 1)({x, y}), x * 10. + y));
  CHECK(alike(vmap(f, {-1, 0}, -1)({x, y}), x * 10. + y));
  const auto outer = vmap([&](const tensor& a) {
    return vmap([&](const tensor& b) { return a * b; })(y);
  })(x(every, 0));
  CHECK(alike(outer, expand_dims(x(every, 0), 1) * y));
}

TEST_CASE("a function of one tensor may have several results, some of them constant") {
  test_engine e;
  const tensor x = {1., 2., 3.};
  const auto found = vmap([](const tensor& v) {
    return tensor_list{v * 2., ones({2}, float32), v};
  })(x);
  REQUIRE(found.size() == 3);
  CHECK(numbers(found[0]) == std::vector<double>{2, 4, 6});
  CHECK(type_text(found[1]) == "float32[3,2]");
  CHECK(numbers(found[2]) == numbers(x));
}

TEST_CASE("each operation of a mapped function runs once for the whole batch") {
  synchronous_engine e(two_devices(), 1000);
  const auto x = arange(500, float64).reshape({100, 5});
  const auto w = arange(20, float64).reshape({5, 4});
  const auto f = [&](const tensor& v) { return softmax(tanh(matmul(v, w)), 0) + sum(v); };
  tensor all;
  auto names = names_of_tasks(e, [&] { all = vmap(f)(x); });
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"add", "matmul", "softmax", "sum", "tanh"});
  CHECK(alike(all, softmax(tanh(matmul(x, w)), 1) + sum(x, 1, keepdims)));
}

TEST_CASE("operations without a rule run for each element, those beside them once") {
  synchronous_engine e(two_devices(), 1000);
  const auto x = arange(12, float64).reshape({3, 4});
  const auto f = [&](const tensor& v) { return take(x[0] * 2., (v * 1.).astype(int64) % 4, 0); };
  const auto names = names_of_tasks(e, [&] { vmap(f)(x); });
  CHECK(std::ranges::count(names, "take") == 3);
  CHECK(std::ranges::count(names, "multiply") == 2);
}

TEST_CASE("a function that cannot run for a whole batch is called for each element") {
  test_engine e;
  const tensor x = {{1., 2.}, {3., -4.}, {5., 6.}};
  const auto reads = [](const tensor& v) { return v[1].item<double>() > 0 ? v * 2. : -v; };
  CHECK(numbers(vmap(reads)(x)) == std::vector<double>{2, 4, -3, 4, 10, 12});
  const auto doubled = [](const tensor& v) {
    return call("doubled", {v}, {float64, {2}}, [](const inputs& in, outputs& out) {
      std::ranges::transform(in[0].span<double>(), out[0].span<double>().begin(),
                             [](double one) { return 2 * one; });
    });
  };
  CHECK(alike(vmap(doubled)(x), x * 2.));
  const auto noisy = [](const tensor& v) { return v + uniform({2}, 0, 1, {.dtype = float64}); };
  tensor total = zeros({2}, float64);
  total.attach_grad();
  vmap([&](const tensor& v) {
    total.assign(total + v);
    return v;
  })(x);
  CHECK(numbers(total) == std::vector<double>{9, 4});
  seed(7);
  const auto one = stack({noisy(x[0]), noisy(x[1]), noisy(x[2])});
  const auto next = uniform({2});
  seed(7);
  CHECK(numbers(vmap(noisy)(x)) == numbers(one));
  CHECK(numbers(uniform({2})) == numbers(next));
}

TEST_CASE("batches may be empty") {
  test_engine e;
  const auto x = zeros({0, 3}, float32);
  CHECK(type_text(vmap([](const tensor& v) { return exp(v) + sum(v); })(x)) == "float32[0,3]");
  const auto noisy = [](const tensor& v) { return sum(v + uniform({3})); };
  CHECK(type_text(vmap(noisy)(x)) == "float32[0]");
  const auto gathered = [](const tensor& v) { return take(v, v.astype(int64), 0); };
  CHECK(type_text(vmap(gathered)(x)) == "float32[0,3]");
}

TEST_CASE("gradients can be mapped") {
  test_engine e;
  const tensor x = {{0.5, 1.}, {2., -1.}, {0.1, 0.2}}, w = {{1., 2.}, {3., 4.}};
  const auto loss = [&](const tensor& v) { return sum(sin(matmul(w, v)) * v); };
  const auto each = vmap(grad(loss))(x);
  for (int k = 0; k < 3; ++k) CHECK(alike(each[k], grad(loss)(x[k]), 1e-12));
  const auto second = vmap(hessian(loss))(x);
  CHECK(type_text(second) == "float64[3,2,2]");
  for (int k = 0; k < 3; ++k) CHECK(alike(second[k], hessian(loss)(x[k]), 1e-12));
  const auto along = vmap([&](const tensor_list& in) { return jvp(loss, in[0], in[1]).second; });
  const auto changes = along({x, x});
  for (int k = 0; k < 3; ++k) CHECK(alike(changes[k], jvp(loss, x[k], x[k]).second, 1e-12));
}

TEST_CASE("mapped functions can be differentiated, by what they use besides, too") {
  test_engine e;
  const tensor x = {{0.5, 1.}, {2., -1.}, {0.1, 0.2}}, w = {{1., 2.}, {3., 4.}};
  const auto mapped = [](const tensor_list& in) {
    const auto& weight = in[1];
    return sum(exp(vmap([&](const tensor& v) {
      return tanh(matmul(weight * weight, v)) * v.detach() + weight[0];
    })(in[0])));
  };
  const auto plain = [](const tensor_list& in) {
    tensor total;
    for (const auto& v : unstack(in[0])) {
      const auto& weight = in[1];
      const auto one = sum(exp(tanh(matmul(weight * weight, v)) * v.detach() + weight[0]));
      total = total.defined() ? total + one : one;
    }
    return total;
  };
  const auto found = grad(mapped)({x, w}), want = grad(plain)({x, w});
  CHECK(alike(found[0], want[0], 1e-12));
  CHECK(alike(found[1], want[1], 1e-12));
  const auto forward = jvp(mapped, {x, w}, {x, w}).second;
  CHECK(alike(forward, jvp(plain, {x, w}, {x, w}).second, 1e-12));
  const auto blocks = hessian(mapped)({x, w}), same = hessian(plain)({x, w});
  CHECK(alike(blocks[0][1], same[0][1], 1e-11));
  CHECK(alike(blocks[1][1], same[1][1], 1e-11));
}

TEST_CASE("gradients of the user's own and checkpoints are kept in mapped functions") {
  test_engine e;
  const tensor x = {1., 2., 3.};
  const auto five = [](const tensor& v) {
    return custom_gradient(
        {v}, [](const tensor_list& in) { return in[0] * 2.; },
        [](const tensor_list&, const tensor&, const tensor& g) { return tensor_list{g * 5.}; });
  };
  CHECK(numbers(vmap(five)(x)) == std::vector<double>{2, 4, 6});
  CHECK(numbers(grad([&](const tensor& v) { return sum(vmap(five)(v)); })(x)) ==
        std::vector<double>{5, 5, 5});
  CHECK(numbers(vmap(grad(five))(x)) == std::vector<double>{5, 5, 5});
  const auto saved = [](const tensor& v) {
    return checkpoint([](const tensor_list& in) { return in[0] * in[0]; }, {v});
  };
  CHECK(numbers(grad([&](const tensor& v) { return sum(vmap(saved)(v)); })(x)) ==
        std::vector<double>{2, 4, 6});
}

TEST_CASE("mapped functions can be mapped, and compiled") {
  test_engine e;
  const tensor x = arange(24, float64).reshape({2, 3, 4});
  const auto inner = [](const tensor& v) { return cumsum(v * v, 0) - max(v); };
  const auto want = cumsum(x * x, 2) - max(x, 2, keepdims);
  CHECK(alike(vmap(vmap(inner))(x), want));
  CHECK(alike(vmap(vmap(inner), 1, 1)(x), want));
  const auto compiled = compile([&](const tensor& v) { return vmap(vmap(inner))(v); });
  for (int call = 0; call < 3; ++call) CHECK(alike(compiled(x), want));
  CHECK(alike(vmap(vmap(compile(inner)))(x), want));
  const auto reads = [](const tensor& v) { return v * v.item<double>(); };
  CHECK(alike(vmap(vmap(reads))(x[0]), x[0] * x[0]));
}

TEST_CASE("parts are selected, put and read in mapped functions") {
  test_engine e;
  const tensor x = arange(12, float64).reshape({3, 4});
  const auto f = [](const tensor& v) {
    auto changed = v.at(1).set(7.);
    changed = changed.at(range{2, {}}).add(v[0]);
    return concatenate({flip(changed), sort(-v), v(range{3, 0, -2})});
  };
  const auto want =
      looped([&](const tensor_list& in) { return tensor_list{f(in[0])}; }, {x}, {0}, 3);
  CHECK(alike(vmap(f)(x), want[0]));
}

TEST_CASE("a failure of one element is a failure of the batch, with the line of the operation") {
  test_engine e;
  const tensor x = {{0., 1.}, {2., 9.}};
  const auto line = __LINE__ + 1;
  const auto f = [](const tensor& v) { return take(v, v.astype(int64), 0); };
  const auto all = vmap(f)(x);
  try {
    all.wait();
    FAIL("nothing was thrown");
  } catch (const error& why) {
    CHECK(std::string(why.what()).find("vmap_test.cpp:" + std::to_string(line)) !=
          std::string::npos);
  }
}

TEST_CASE("errors in a mapped function name the shapes of one element") {
  test_engine e;
  const tensor x = arange(12, float64).reshape({3, 4});
  CHECK(TROUPE_ERROR_OF(vmap([](const tensor& v) { return v + ones({3}, float64); })(x)) ==
        "add: shapes do not broadcast: float64[4] and float64[3]");
}

TEST_CASE("vmap names what does not fit") {
  test_engine e;
  const tensor x = arange(12, float64).reshape({3, 4}), y = arange(4, float64);
  const auto f = [](const tensor_list& in) { return in[0]; };
  const auto same = [](const tensor& v) { return v; };
  CHECK(TROUPE_ERROR_OF(vmap(f, {0})({x, y})) == "vmap: 1 axes for 2 arguments");
  CHECK(TROUPE_ERROR_OF(vmap(f, {std::nullopt, std::nullopt})({x, y})) ==
        "vmap: no argument is a batch");
  CHECK(TROUPE_ERROR_OF(vmap(f)({x, y})) ==
        "vmap: batches of 3 and of 4: float64[3,4] and float64[4]");
  CHECK(TROUPE_ERROR_OF(vmap(same, 2)(x)) == "vmap: argument 0, float64[3,4], has no axis 2");
  CHECK(TROUPE_ERROR_OF(vmap(same)(tensor(1.))) == "vmap: argument 0, float64[], has no axis 0");
  CHECK(TROUPE_ERROR_OF(vmap(same, 0, 2)(x)) == "vmap: the results, float64[3,4], have no axis 2");
  CHECK(TROUPE_ERROR_OF(vmap(same)(tensor())) == "vmap: argument 0 names no array yet");
  CHECK(TROUPE_ERROR_OF(vmap([](const tensor&) { return tensor(); })(x)) ==
        "vmap: the function gives a tensor that names no array");
  const auto uneven = [](const tensor& v) {
    return v[range{0, v[0].item<std::int64_t>() > 3 ? 2 : 1}];
  };
  CHECK(TROUPE_ERROR_OF(vmap(uneven)(x)) ==
        "vmap: the function gives float64[1] for one element and float64[2] for another");
}

TEST_CASE("arrays of a mapped function are let go when nothing needs them any more") {
  test_engine e;
  const auto x = ones({4, 100'000}, float64);
  const auto memory = e.engine.at(cpu(), "test", caller::current()).memory();
  const auto before = memory->live();
  std::size_t most = 0;
  vmap([&](const tensor& v) {
    tensor y = v;
    for (int i = 0; i < 200; ++i) {
      y = y * 1.5;
      most = std::max(most, memory->live() - before);
    }
    return y;
  })(x);
  CHECK(most < 70 * 3'200'000);
}

TEST_CASE("a tensor that leaves a mapped function fails with its line") {
  test_engine e;
  tensor left;
  const auto line = __LINE__ + 1;
  vmap([&](const tensor& v) { return left = v * 2.; })(tensor({1., 2.}));
  const auto text = [&]() -> std::string {
    try {
      left.wait();
      return "nothing was thrown";
    } catch (const error& why) { return why.what(); }
  }();
  CHECK(text.find("vmap: a tensor has left the function") == 0);
  CHECK(text.find("vmap_test.cpp:" + std::to_string(line)) != std::string::npos);
}

}  // namespace troupe::testing
