// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "troupe/devices/block_reduction.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"
#include "troupe/tests/near.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

constexpr reduction_op all_ops[] = {reduction_op::sum,
                                    reduction_op::prod,
                                    reduction_op::max,
                                    reduction_op::min,
                                    reduction_op::any,
                                    reduction_op::all,
                                    reduction_op::argmax,
                                    reduction_op::argmin,
                                    reduction_op::mean,
                                    reduction_op::variance,
                                    reduction_op::sum_of_squares,
                                    reduction_op::logsumexp};

indices kept_shape(const indices& shape, std::uint32_t axes) {
  indices kept;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if ((axes >> i & 1) == 0) kept.push_back(shape[i]);
  }
  return kept;
}

owned reduce(reduction_op op, const owned& x, std::uint32_t axes, int ddof = 0) {
  const reduction_attributes attributes{axes, ddof};
  owned out(reduction_result(op, x.type), kept_shape(x.shape, axes));
  run(reduction_kernel(op, x.type), {x}, out, &attributes);
  return out;
}

/// Runs a reduction of all elements of `x` on copies of its blocks, with nothing of use before
/// them, chunks in reverse.
void run_in_blocks(const kernel* kernel, const owned& x, owned& out,
                   const reduction_attributes& attributes) {
  const array in = x.view(), result = out.view();
  kernel_args args{{&in, 1}, {&result, 1}, &attributes};
  std::vector<std::uint64_t> scratch(kernel->scratch_bytes(args) / 8 + 1);
  args.scratch = scratch.data();
  const auto& steps = *kernel->by_blocks;
  constexpr auto before = block_reduction::readable_before;
  const auto size = size_of(x.type);
  std::vector<char> block(before + block_reduction::block * size, '\x7f');
  const std::int64_t in_chunk = steps.in_chunk(args);
  for (std::int64_t chunk = kernel->chunks(args); chunk-- > 0;) {
    block_reduction::state state;
    steps.start(args, chunk, state);
    const std::int64_t end = std::min(x.size(), (chunk + 1) * in_chunk);
    for (std::int64_t i = chunk * in_chunk; i < end; i += block_reduction::block) {
      const std::int64_t n = std::min(block_reduction::block, end - i);
      std::memcpy(block.data() + before, x.data() + static_cast<std::size_t>(i) * size,
                  static_cast<std::size_t>(n) * size);
      steps.add(block.data() + before, n, i, state);
    }
    steps.end(args, chunk, state);
  }
  kernel->finish(args);
}

/// Returns the elements that make each result, in order.
std::vector<std::vector<double>> groups(const owned& x, std::uint32_t axes) {
  std::vector<std::vector<double>> all(
      static_cast<std::size_t>(product(kept_shape(x.shape, axes))));
  for (std::int64_t i = 0; i < x.size(); ++i) {
    std::int64_t rest = i, result = 0, step = 1;
    for (std::size_t axis = x.shape.size(); axis-- > 0; rest /= x.shape[axis]) {
      if (axes >> axis & 1) continue;
      result += rest % x.shape[axis] * step;
      step *= x.shape[axis];
    }
    all[static_cast<std::size_t>(result)].push_back(x.at(i));
  }
  return all;
}

/// Returns the result of every reduction of some numbers.
std::array<double, 12> expected(const std::vector<double>& x, int ddof) {
  double sum = 0, product = 1, squares = 0, most = -infinity, least = infinity;
  bool any = false, all = true;
  std::size_t first_most = 0, first_least = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i], product *= x[i], squares += x[i] * x[i];
    any = any || x[i] != 0, all = all && x[i] != 0;
    if (x[i] > most) most = x[i], first_most = i;
    if (x[i] < least) least = x[i], first_least = i;
  }
  const double n = static_cast<double>(x.size()), mean = sum / n;
  double spread = 0, powers = 0;
  for (double v : x) spread += (v - mean) * (v - mean), powers += std::exp(v - most);
  return {sum,
          product,
          most,
          least,
          double(any),
          double(all),
          double(first_most),
          double(first_least),
          mean,
          spread / (n - ddof),
          squares,
          std::log(powers) + most};
}

owned numbers_around_zero(dtype type, const indices& shape) {
  owned x(type, shape);
  return x.set([&](std::int64_t i) -> double {
    const std::int64_t k = (i * 7919 + 17) % 1009;
    if (type == boolean) return k % 3 != 0;
    return is_floating(type) ? static_cast<double>(k - 504) / 300
                             : static_cast<double>(k % 7 - (is_unsigned(type) ? 0 : 3));
  });
}

void check(const owned& x, std::uint32_t axes) {
  std::vector<owned> results;
  for (const reduction_op op : all_ops) results.push_back(reduce(op, x, axes, 1));
  std::int64_t i = 0;
  for (const auto& group : groups(x, axes)) {
    const auto want = expected(group, 1);
    for (std::size_t op = 0; op < want.size(); ++op) {
      const owned& out = results[op];
      const double got = out.at(i), tolerance = out.type == float32 ? 2e-5 : 1e-11;
      const double scale = std::max(1.0, std::sqrt(static_cast<double>(group.size())));
      if (near(got, want[op], tolerance, scale)) continue;
      CAPTURE(op, name(x.type), x.shape, x.strides, axes, i, got, want[op]);
      FAIL("differs");
    }
    ++i;
  }
}

}  // namespace

TEST_CASE("reductions agree with plain loops for all dtypes, axes and layouts") {
  for (const dtype type : computed_dtypes) {
    const owned small = numbers_around_zero(type, {4, 5, 6});
    for (std::uint32_t axes = 0; axes < 8; ++axes) {
      check(small, axes);
      check(small.transposed(), axes);
      check(small.stepped(1, -2).stepped(2, 3), axes);
      check(numbers_around_zero(type, {5, 1}).broadcast({4, 5, 6}), axes);
    }
    const owned middle = numbers_around_zero(type, {20, 33, 70});
    for (std::uint32_t axes = 1; axes < 8; ++axes) check(middle, axes);
    for (std::uint32_t axes = 1; axes < 4; ++axes) {
      check(numbers_around_zero(type, {250, 400}), axes);
      check(numbers_around_zero(type, {400, 250}).transposed(), axes);
      check(numbers_around_zero(type, {250, 800}).stepped(1, 2), axes);
      check(numbers_around_zero(type, {30000, 3}), axes);
      check(numbers_around_zero(type, {3, 30000}), axes);
    }
    check(numbers_around_zero(type, {80000}).stepped(0, -1), 1);
    check(numbers_around_zero(type, {}), 0);
  }
}

TEST_CASE("reductions agree with plain loops for rows of every length up to some vectors") {
  for (const dtype type : {float32, float64, int32}) {
    for (std::int64_t length = 1; length < 150; ++length)
      check(numbers_around_zero(type, {3, length}), 2);
    for (const std::int64_t length : {255, 257, 1039, 2047, 2049}) {
      check(numbers_around_zero(type, {3, length}), 2);
    }
  }
}

TEST_CASE("reductions agree with plain loops for many columns") {
  for (const dtype type : {float32, int64}) {
    check(numbers_around_zero(type, {9, 2051}), 1);
    check(numbers_around_zero(type, {520, 2100}), 1);
    check(numbers_around_zero(type, {601, 1030}).stepped(0, 2), 1);
    check(numbers_around_zero(type, {1030, 601}).transposed(), 2);
  }
}

TEST_CASE("a NaN anywhere in a row is found") {
  for (std::int64_t length = 1; length < 150; ++length) {
    for (std::int64_t at = 0; at < length; ++at) {
      const owned x = owned(float32, {2, length}).set([&](std::int64_t i) {
        return i == at ? not_a_number : static_cast<double>(i % 7);
      });
      for (const auto op : {reduction_op::sum, reduction_op::prod, reduction_op::max,
                            reduction_op::min, reduction_op::mean}) {
        const owned out = reduce(op, x, 2);
        REQUIRE(std::isnan(out.at(0)));
        REQUIRE(!std::isnan(out.at(1)));
      }
    }
  }
}

TEST_CASE("a reduction's bits do not depend on the order of its chunks") {
  for (const reduction_op op : all_ops) {
    for (const std::uint32_t axes : {1u, 2u, 3u}) {
      for (const indices& shape : {indices{500, 600}, indices{700, 2100}}) {
        const owned x = numbers_around_zero(float32, shape);
        const reduction_attributes attributes{axes, 0};
        REQUIRE(order_does_not_matter(reduction_kernel(op, float32), {x},
                                      reduction_result(op, float32), kept_shape(shape, axes),
                                      &attributes));
      }
    }
  }
}

TEST_CASE("reductions of blocks that come one after the other have the same bits") {
  static constexpr std::int64_t lengths[] = {1,      3,      17,      4095,    4096,     4099,
                                             65'536, 65'537, 131'073, 200'003, 1'300'001};
  for (const auto op : all_ops) {
    for (const auto type : {float32, float64, int32, int64, uint64, boolean, float16, int8}) {
      const auto* const kernel = reduction_kernel(op, type);
      if (!kernel) continue;
      for (const auto n : lengths) {
        CAPTURE(int(op), type, n);
        owned x(type, {n});
        x.set([&](std::int64_t i) {
          const auto y = static_cast<double>((i * 7919 + n) % 10'007) / 5003;
          const bool small = op == reduction_op::prod;  // else all products are 0 or infinite
          return type == boolean     ? double(y > 1)
                 : small             ? y / 1000 + 0.999
                 : is_unsigned(type) ? y
                                     : y - 1;
        });
        owned expected(reduction_result(op, type), {}), got(reduction_result(op, type), {});
        const reduction_attributes attributes{1, 1};
        run(kernel, {x}, expected, &attributes);
        run_in_blocks(kernel, x, got, attributes);
        CHECK(got.same_bits(expected));
      }
    }
  }
}

TEST_CASE("float32 sums of many elements are accurate") {
  owned x(float32, {10000000});
  x.set([](auto) { return 0.1f; });
  const double want = 1e7 * static_cast<double>(0.1f);
  REQUIRE(reduce(reduction_op::sum, x, 1).at(0) == Approx(want).epsilon(3e-7));
  owned y = x;
  y.shape = {1000000, 10}, y.strides = {10, 1};
  const owned columns = reduce(reduction_op::sum, y, 1);
  for (int i = 0; i < 10; ++i) REQUIRE(columns.at(i) == Approx(want / 10).epsilon(1e-6));
  x.set([](std::int64_t i) { return 1e4 + static_cast<double>(i % 2); });
  REQUIRE(reduce(reduction_op::variance, x, 1).at(0) == Approx(0.25).epsilon(1e-5));
  REQUIRE(reduce(reduction_op::variance, y, 1).at(3) == Approx(0).margin(1e-6));
}

TEST_CASE("reducing nothing gives the neutral element") {
  const owned x(float32, {0, 3});
  REQUIRE(reduce(reduction_op::sum, x, 1).at(2) == 0);
  REQUIRE(reduce(reduction_op::prod, x, 1).at(2) == 1);
  REQUIRE(std::isnan(reduce(reduction_op::mean, x, 1).at(2)));
  REQUIRE(std::isnan(reduce(reduction_op::variance, x, 1).at(2)));
  REQUIRE(reduce(reduction_op::any, x, 3).at(0) == 0);
  REQUIRE(reduce(reduction_op::all, x, 3).at(0) == 1);
  REQUIRE(reduce(reduction_op::logsumexp, x, 3).at(0) == -infinity);
  REQUIRE(reduce(reduction_op::sum, x, 2).size() == 0);
}

TEST_CASE("NaN and infinity propagate through reductions as in NumPy") {
  for (const std::int64_t length : {5, 100, 5000, 100000}) {
    for (const bool by_columns : {false, true}) {
      owned x(float32, {length});
      x.set([](std::int64_t i) { return static_cast<double>(i % 10); });
      float* const values = reinterpret_cast<float*>(x.data());
      const auto of = [&](reduction_op op) {
        owned y = x;
        if (by_columns) y.shape = {length, 3}, y.strides = {1, 0};
        return reduce(op, y, 1).at(0);
      };
      values[length - 2] = static_cast<float>(infinity);
      REQUIRE(of(reduction_op::max) == infinity);
      REQUIRE(of(reduction_op::argmax) == length - 2);
      REQUIRE(of(reduction_op::logsumexp) == infinity);
      REQUIRE(of(reduction_op::sum) == infinity);
      values[length - 3] = static_cast<float>(not_a_number);
      values[length - 1] = static_cast<float>(not_a_number);
      REQUIRE(std::isnan(of(reduction_op::max)));
      REQUIRE(std::isnan(of(reduction_op::min)));
      REQUIRE(of(reduction_op::argmax) == length - 3);
      REQUIRE(of(reduction_op::argmin) == length - 3);
      REQUIRE(std::isnan(of(reduction_op::logsumexp)));
      REQUIRE(std::isnan(of(reduction_op::variance)));
      REQUIRE(of(reduction_op::any) == 1);
    }
  }
}

TEST_CASE("logsumexp does not overflow, nor underflow") {
  const owned x = owned(float32, {2, 3}).set([](auto i) { return i < 3 ? 1000 : -1000; });
  const owned out = reduce(reduction_op::logsumexp, x, 2);
  REQUIRE(out.at(0) == Approx(1000 + std::log(3)));
  REQUIRE(out.at(1) == Approx(-1000 + std::log(3)));
  const owned none = owned(float64, {3}).set([](auto) { return -infinity; });
  REQUIRE(reduce(reduction_op::logsumexp, none, 1).at(0) == -infinity);
}

TEST_CASE("integer sums are exact and wrap") {
  const owned x = owned(int32, {100000}).set([](auto) { return INT32_MAX; });
  REQUIRE(reduce(reduction_op::sum, x, 1).at<std::int64_t>(0) == 100000LL * INT32_MAX);
  const owned y = owned(int64, {2}).set([](auto) { return INT64_MAX; });
  REQUIRE(reduce(reduction_op::sum, y, 1).at<std::int64_t>(0) == -2);
  const owned z = owned(boolean, {1000}).set([](auto) { return true; });
  REQUIRE(reduce(reduction_op::sum, z, 1).at<std::int64_t>(0) == 1000);
}
