// SPDX-License-Identifier: MIT
#include <limits>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

const shape large{2000, 2000};

tensor ready_numbers() {
  auto x = uniform(large);
  x.wait();
  return x;
}

measurement additions(runtime& rt, int count) {
  return [&rt, count, x = ready_numbers()] {
    return seconds_of([&] {
      tensor y;
      for (int i = 0; i < count; ++i) y = x + 1;
      rt.wait_all();
    });
  };
}

// Times one operation from the call to the result, with nothing else going on.
template <tensor (*operation)(const tensor&)>
measurement alone(runtime&, int count) {
  return
      [count, x = ready_numbers()] { return median_seconds(count, [&] { operation(x).wait(); }); };
}

tensor exponential(const tensor& x) { return exp(x); }
tensor sum_of_all(const tensor& x) { return sum(x); }
tensor sum_of_rows(const tensor& x) { return sum(x, 1); }
tensor sum_of_columns(const tensor& x) { return sum(x, 0); }
tensor softmax_of_rows(const tensor& x) { return softmax(x, 1); }
tensor sorted(const tensor& x) { return sort(x, {}); }
tensor sorted_places(const tensor& x) { return argsort(x, {}); }
tensor ten_greatest(const tensor& x) { return topk(flatten(x), 10).values; }
tensor sums_up_to_each(const tensor& x) { return cumsum(x); }
tensor transforms_of_rows(const tensor& x) { return fft::rfft(x); }
tensor transform_of_all(const tensor& x) { return fft::fft(flatten(x)); }
tensor squared(const tensor& x) { return matmul(x, x); }

/// The same as `alone`, of numbers half of which are masked, as scores of what is yet to come are.
measurement softmax_of_masked(runtime&, int count) {
  const auto x = where(arange(2000).reshape({2000, 1}) >= arange(2000), ready_numbers(),
                       -std::numeric_limits<float>::infinity());
  x.wait();
  return [=] { return median_seconds(count, [&] { softmax_of_rows(x).wait(); }); };
}

measurement products(runtime& rt, int count) {
  return [&rt, count, a = ready_numbers(), b = ready_numbers()] {
    return seconds_of([&] {
      std::vector<tensor> results;
      for (int i = 0; i < count; ++i) results.push_back(matmul(a, b));
      rt.wait_all();
    });
  };
}

template <tensor (*transform)(const tensor&)>
measurement transformed(const shape& dims, int count) {
  const auto x = complex(normal(dims), normal(dims));
  x.wait();
  return [=] { return median_seconds(count, [&] { transform(x).wait(); }); };
}

tensor transforms_along_rows(const tensor& x) { return fft::fft(x); }
tensor transform_of_both_axes(const tensor& x) { return fft::fftn(x); }

measurement fft_rows(runtime&, int count) {
  return transformed<transforms_along_rows>({1000, 1024}, count);
}
measurement fft_square(runtime&, int count) {
  return transformed<transform_of_both_axes>({1000, 1000}, count);
}
measurement fft_long(runtime&, int count) {
  return transformed<transforms_along_rows>({1 << 20}, count);
}

tensor scores_by_einsum(const tensor& query, const tensor& key) {
  return einsum("bhqd,bhkd->bhqk", {query, key});
}
tensor scores_by_matmul(const tensor& query, const tensor& key) {
  return matmul(query, key.swapaxes(-1, -2));
}

template <tensor (*scores)(const tensor&, const tensor&)>
measurement scores_of_attention(runtime&, int count) {
  const auto query = normal({8, 12, 512, 64}), key = normal({8, 12, 512, 64});
  wait({query, key});
  return [=] { return median_seconds(count, [&] { scores(query, key).wait(); }); };
}

constexpr bench_case large_array_cases[] = {
    {.name = "additions",
     .title = "1000 y = x + 1, 2000 x 2000, one wait at the end",
     .count = 1000,
     .ours = additions,
     .aim = {target::times_as_long, 1.15},
     .peer = "bench-loops"},
    {.name = "product",
     .title = "a product 2000 x 2000",
     .count = 5,
     .ours = alone<squared>,
     .aim = {target::times_as_fast, 0.92},
     .peer = "bench-openblas"},
    {.name = "products",
     .title = "ten independent products 2000 x 2000",
     .count = 10,
     .ours = products,
     .aim = {target::times_as_fast, 0.95},
     .peer = "bench-openblas"},
    {.name = "einsum",
     .title = "einsum bhqd,bhkd->bhqk of 8 x 12 x 512 x 64",
     .count = 10,
     .ours = scores_of_attention<scores_by_einsum>,
     .aim = {target::times_as_long, 1.05},
     .beside = scores_of_attention<scores_by_matmul>,
     .beside_name = "matmul"},
    {.name = "exp",
     .title = "exp of 2000 x 2000",
     .count = 200,
     .ours = alone<exponential>,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "sum",
     .title = "sum of 2000 x 2000",
     .count = 200,
     .ours = alone<sum_of_all>,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "sum_rows",
     .title = "sum of each row of 2000 x 2000",
     .count = 200,
     .ours = alone<sum_of_rows>,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "sum_columns",
     .title = "sum of each column of 2000 x 2000",
     .count = 200,
     .ours = alone<sum_of_columns>,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "softmax",
     .title = "softmax of each row of 2000 x 2000",
     .count = 200,
     .ours = alone<softmax_of_rows>,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "softmax_masked",
     .title = "the same where half of the numbers are masked",
     .count = 200,
     .ours = softmax_of_masked,
     .aim = {target::times_as_long, 1.1},
     .beside = alone<softmax_of_rows>,
     .beside_name = "no mask"},
    {.name = "sort",
     .title = "sort of 4 million numbers",
     .count = 10,
     .ours = alone<sorted>,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "argsort",
     .title = "argsort of 4 million numbers",
     .count = 10,
     .ours = alone<sorted_places>,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "topk",
     .title = "the 10 greatest of 4 million numbers",
     .count = 50,
     .ours = alone<ten_greatest>,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "cumsum",
     .title = "cumsum of 4 million numbers",
     .count = 50,
     .ours = alone<sums_up_to_each>,
     .aim = faster,
     .peer = "bench-libtorch"},
    {.name = "rfft_rows",
     .title = "rfft of each row of 2000 x 2000",
     .count = 20,
     .ours = alone<transforms_of_rows>,
     .peer = "bench-libtorch"},
    {.name = "fft",
     .title = "fft of 4 million numbers",
     .count = 5,
     .ours = alone<transform_of_all>,
     .peer = "bench-libtorch"},
    {.name = "fft_rows",
     .title = "fft of 1000 rows of 1024, complex64",
     .count = 20,
     .ours = fft_rows,
     .peer = "bench-libtorch"},
    {.name = "fft_square",
     .title = "fft of 1000 x 1000, complex64, along both axes",
     .count = 20,
     .ours = fft_square,
     .peer = "bench-libtorch"},
    {.name = "fft_long",
     .title = "fft of 2^20 numbers, complex64",
     .count = 10,
     .ours = fft_long,
     .peer = "bench-libtorch"},
};

}  // namespace

const std::span<const bench_case> large_arrays = large_array_cases;

}  // namespace troupe::bench
