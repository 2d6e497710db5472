// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <limits>
#include <random>

#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using reduction = tensor (*)(const tensor&);

constexpr reduction reductions[] = {[](const tensor& x) { return sum(x, -1, keepdims); },
                                    [](const tensor& x) { return prod(x, -1, keepdims); },
                                    [](const tensor& x) { return mean(x, -1, keepdims); },
                                    [](const tensor& x) { return max(x, -1, keepdims); },
                                    [](const tensor& x) { return min(x, -1, keepdims); },
                                    [](const tensor& x) { return var(x, -1, 1, keepdims); },
                                    [](const tensor& x) { return logsumexp(x, -1, keepdims); },
                                    [](const tensor& x) { return norm(x, -1, keepdims); },
                                    [](const tensor& x) { return argmax(x, -1, keepdims); },
                                    [](const tensor& x) { return argmin(x, -1, keepdims); },
                                    [](const tensor& x) { return any(x > 1, -1, keepdims); },
                                    [](const tensor& x) { return all(x > -4, -1, keepdims); }};

/// Returns how often a text is part of another.
std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Returns what `explain` says of a function that was called with `in`; its results are checked.
template <class F, class... In>
std::string told(const F& f, const In&... in) {
  const auto compiled = compile(f);
  const auto got = compiled(in...), expected = f(in...);
  if constexpr (std::is_same_v<std::decay_t<decltype(got)>, tensor>) {
    CHECK(same_bits(got, expected));
  } else {
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(same_bits(got[i], expected[i]));
  }
  return compiled.explain();
}

tensor softmax_by_hand(const tensor& x) {
  const auto powers = exp(x - max(x, -1, keepdims));
  return powers / sum(powers, -1, keepdims);
}

/// Returns some results of random steps on rows: sums, products, converted ones, reductions that
/// are read again, softmax and views of other rows' extremes.
std::vector<tensor> made_of_rows(unsigned seed, const tensor& x, const tensor& y) {
  std::mt19937 random(seed);
  std::vector<tensor> all{x, y};
  const auto one = [&] {
    return all[all.size() - 1 - random() % std::min<std::size_t>(all.size(), 4)];
  };
  for (int i = 0; i < 12; ++i) {
    const auto a = one(), b = one();
    switch (random() % 8) {
      case 0: all.push_back(a * b); break;
      case 1: all.push_back(a + b * 0.5f); break;
      case 2: all.push_back(exp(a - max(a, 1, keepdims))); break;
      case 3: all.push_back(a / (1 + abs(sum(b, 1, keepdims)))); break;
      case 4: all.push_back(softmax(a, 1) - b); break;
      case 5: all.push_back(sin(a) - mean(b, 1, keepdims)); break;
      case 6: all.push_back(astype(astype(a * 8, int32), float32) + b); break;
      default: all.push_back(minimum(a, b) * var(a, 1, 0, keepdims)); break;
    }
  }
  std::vector<tensor> out;
  for (std::size_t i = 2; i < all.size(); ++i) {
    if (random() % 4 == 0 || i + 1 == all.size()) out.push_back(all[i]);
  }
  return out;
}

}  // namespace

TEST_CASE("reductions that are joined with what they read are those of the library, to the bit") {
  test_engine e;
  static constexpr std::int64_t sizes[][2] = {{300, 16},  {257, 17},  {90, 100}, {5, 1000},
                                              {3, 1500},  {7, 4096},  {3, 4097}, {2, 8192},
                                              {5, 10000}, {2, 16384}, {21, 300}};
  for (const auto& [rows, row] : sizes) {
    for (const auto type : {float32, float64, int32}) {
      const auto x = astype(normal({rows, row}, 0, 3), type);
      for (std::size_t k = 0; k < std::size(reductions); ++k) {
        CAPTURE(rows, row, type, k);
        const auto reduce = reductions[k];
        const auto text = told([&](const tensor& y) { return reduce(y * 2 - 1) + y; }, x);
        CHECK_THAT(text, Catch::Contains("fused by rows"));
      }
    }
  }
}

TEST_CASE("rows of large arrays, which go page by page, are reduced as by the library") {
  test_engine e;
  static constexpr std::int64_t sizes[][2] = {{2048, 1024}, {2999, 700}, {4200, 512}, {70000, 32}};
  for (const auto& [rows, row] : sizes) {
    const auto x = normal({rows, row}, 0, 3);
    for (std::size_t k = 0; k < std::size(reductions); ++k) {
      CAPTURE(rows, row, k);
      told([&, reduce = reductions[k]](const tensor& y) { return reduce(y * 2 - 1) + y; }, x);
    }
    told(softmax_by_hand, x);
    told([](const tensor& y) { return log_softmax(y * 3, 1) * y; }, x);
  }
}

TEST_CASE("rows with NaN and infinity are reduced as by the library") {
  test_engine e;
  const auto x = normal({40, 200});
  const auto i = std::numeric_limits<float>::infinity();
  for (const float special : {std::nanf(""), i, -i}) {
    for (const auto reduce : reductions)
      told([&](const tensor& y) { return reduce(where(y > 2, special, y)) * y; }, x);
  }
}

TEST_CASE("softmax, layer_norm and attention by hand are one task and their products") {
  test_engine e;
  const auto x = normal({64, 300}), scale = normal({300}), shift = normal({300});
  CHECK_THAT(told(softmax_by_hand, x), Catch::Contains("  1 task\n"));
  const auto layer_norm = [](const tensor& y, const tensor& w, const tensor& b) {
    const auto apart = y - mean(y, -1, keepdims);
    return apart / sqrt(mean(apart * apart, -1, keepdims) + 1e-5f) * w + b;
  };
  CHECK_THAT(told(layer_norm, x, scale, shift), Catch::Contains("  1 task\n"));
  const auto q = normal({4, 50, 32}), k = normal({4, 60, 32}), v = normal({4, 60, 32});
  const auto attention = [](const tensor& query, const tensor& key, const tensor& values) {
    return matmul(softmax_by_hand(matmul(query, key.swapaxes(-1, -2)) * 0.2f), values);
  };
  CHECK_THAT(told(attention, q, k, v),
             Catch::Contains("fused by rows multiply, max, subtract, exp, sum, divide"));
}

TEST_CASE("the library's softmax and conversions go by rows with the operations around them") {
  test_engine e;
  const auto x = normal({64, 300});
  CHECK_THAT(told([](const tensor& y) { return sum(log_softmax(y * 3, 1) * y, 1); }, x),
             Catch::Contains("fused by rows multiply, log_softmax, multiply, sum"));
  told([](const tensor& y) { return softmax_by_hand(astype(y, float16)); }, x);
  told([](const tensor& y) { return sum(softmax(y * 3, 0), 1); }, x);
}

TEST_CASE("several axes at the end are a row") {
  test_engine e;
  const auto x = normal({50, 10, 20});
  const auto f = [](const tensor& y) {
    const auto apart = y * 2 - mean(y * 2, {1, 2}, keepdims);
    return apart / norm(apart, {1, 2}, keepdims);
  };
  CHECK_THAT(told(f, x), Catch::Contains("  1 task\n"));
  told([](const tensor& y) { return y - sum(y * 2, 0, keepdims); }, x);
  told([](const tensor& y) { return y - sum(y * 2, {0, 2}, keepdims); }, x);
  told([](const tensor& y) { return y - sum(y * 2); }, x);
}

TEST_CASE("what is needed outside leaves the rows") {
  test_engine e;
  const auto x = normal({64, 300});
  const auto f = [](const tensor& y) {
    const auto most = max(y, 1, keepdims), powers = exp(y - most);
    const auto turned = matmul(powers.T(), powers);
    return std::vector{most, powers / sum(powers, 1, keepdims), turned, powers - mean(turned)};
  };
  CHECK_THAT(told(f, x), Catch::Contains("fused by rows max, subtract, exp, sum, divide"));
}

TEST_CASE("rows read views: transposed, broadcast, strided, of other rows") {
  test_engine e;
  const auto x = normal({64, 300}), turned = normal({300, 64}), one = normal({64, 1});
  const auto f = [](const tensor& y, const tensor& t, const tensor& column) {
    const auto z = y * 2 + t.T() * column;
    const auto s = sum(z, 1, keepdims);
    return z / s + s[0] + z.slice(0, {}, {}, -1) * s.T().slice(1, 0, 1) + y.slice(1, 0, 1);
  };
  CHECK_THAT(told(f, x, turned, one), Catch::Contains("fused by rows"));
  told([](const tensor& y) { return max(y.T() * 2, 1); }, turned);
  told([](const tensor& y) { return sum(y.slice(1, 0, 300, 2), 1, keepdims) * y; }, x);
  told([](const tensor& y) { return y - sum(y[0] + zeros({64, 300}), 1, keepdims); }, x);
}

TEST_CASE("chains of normalisations are joined as far as rows go") {
  test_engine e;
  const auto x = normal({64, 256}), weight = normal({256, 256});
  const auto f = [&](const tensor& y) {
    const auto first = softmax_by_hand(y);
    return softmax_by_hand(matmul(first, constant(weight)) + first);
  };
  CHECK(count_of("fused by rows", told(f, x)) == 2);
}

TEST_CASE("values that lie in an output's place until it is written are right") {
  test_engine e;
  for (const auto* jit : {"1", "0"}) {
    ::setenv("TROUPE_JIT", jit, 1);
    for (unsigned seed = 1; seed <= 150; ++seed) {
      CAPTURE(jit, seed);
      const auto x = normal({64, 300}), y = uniform({64, 300}, 1, 2);
      const auto text =
          told([&](const tensor& a, const tensor& b) { return made_of_rows(seed, a, b); }, x, y);
      CHECK_THAT(text, Catch::Contains("fused by rows"));
    }
  }
  ::unsetenv("TROUPE_JIT");
}

}  // namespace troupe::testing
