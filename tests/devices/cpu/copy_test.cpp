// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "troupe/devices/layout/copy_bytes.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

owned numbers(dtype type, const indices& shape) {
  owned x(type, shape);
  return x.set(
      [&](std::int64_t i) { return type == boolean ? i * 7919 % 5 % 2 : i * 7919 % 1000003; });
}

void check(const owned& x) {
  owned out(x.type, {x.size()});
  run(copy_kernel(x.type), {x}, out);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) wrong += out.at(i) != x.at(i);
  CAPTURE(name(x.type), x.shape, x.strides);
  REQUIRE(wrong == 0);
  REQUIRE(order_does_not_matter(copy_kernel(x.type), {x}, x.type, {x.size()}));
}

/// Returns a number as an element of a dtype represents it.
double converted(double x, dtype to) {
  if (to == boolean) return x != 0;
  if (is_integer(to)) {
    const auto least = computed(to) == int32 ? std::int64_t{INT32_MIN} : INT64_MIN;
    const auto whole = std::isfinite(x) ? static_cast<std::int64_t>(x) : least;
    return visit(
        to, [&](auto zero) { return static_cast<double>(static_cast<decltype(zero)>(whole)); });
  }
  if (to == float16) return float{float16_t(x)};
  return to == bfloat16 ? float{bfloat16_t(x)} : x;
}

}  // namespace

TEST_CASE("bytes are copied wherever they lie in their pages") {
  std::vector<std::byte> from(3 * 4096 + 5000), to(from.size()), wanted;
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7919 % 251);
  for (std::size_t begin = 4000; begin < 4200; begin += 7) {
    for (std::size_t there = 4000; there < 4200; ++there) {
      for (const std::size_t bytes : {0, 1, 63, 2047, 2048, 2111, 5000}) {
        std::fill(to.begin(), to.end(), std::byte{255});
        wanted = to;
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(begin), bytes,
                    wanted.begin() + static_cast<std::ptrdiff_t>(there));
        copy_bytes(to.data() + there, from.data() + begin, bytes);
        if (to != wanted) FAIL("differs at " << begin << " to " << there << ": " << bytes);
      }
    }
  }
}

TEST_CASE("a copy lays any view out in row-major order") {
  for (const dtype type : all_dtypes) {
    check(numbers(type, {300, 400}));
    check(numbers(type, {300, 401}).transposed());
    check(numbers(type, {3, 70000}).transposed());
    check(numbers(type, {70000, 3}).transposed());
    check(numbers(type, {20, 30, 70}).transposed());
    check(numbers(type, {300, 400}).transposed().stepped(0, -1));
    check(numbers(type, {300, 400}).transposed().stepped(1, 3));
    check(numbers(type, {300, 400}).stepped(1, 2));
    check(numbers(type, {1, 400}).broadcast({5, 100, 400}));
    check(numbers(type, {100, 1}).broadcast({5, 100, 400}));
    check(numbers(type, {0, 4}).transposed());
    check(numbers(type, {}));
    owned swapped = numbers(type, {6, 50, 40, 30});
    std::swap(swapped.shape[1], swapped.shape[3]);
    std::swap(swapped.strides[1], swapped.strides[3]);
    check(swapped);
  }
}

TEST_CASE("casts convert as C++ does, and values that do not fit become the smallest integer") {
  const double values[] = {0, -0.0, 1.9, -1.9, 3e9, -3e9, 1e30, infinity, -infinity, 0.25};
  const owned x = owned(float64, {10}).set([&](auto i) { return values[i]; });
  const auto cast = [&](const owned& from, dtype to) {
    owned out(to, from.shape);
    run(astype_kernel(from.type, to), {from}, out);
    return out;
  };
  const owned narrow = cast(x, int32), wide = cast(x, int64), truth = cast(x, boolean);
  const std::int32_t least = INT32_MIN;
  const std::int32_t want[] = {0, 0, 1, -1, least, least, least, least, least, 0};
  for (int i = 0; i < 10; ++i) {
    REQUIRE(narrow.at<std::int32_t>(i) == want[i]);
    REQUIRE(truth.at(i) == (values[i] != 0));
  }
  REQUIRE(wide.at<std::int64_t>(4) == 3000000000);
  REQUIRE(wide.at<std::int64_t>(6) == INT64_MIN);
  const owned nothing =
      owned(float32, {1}).set([](auto) { return std::numeric_limits<float>::quiet_NaN(); });
  REQUIRE(cast(nothing, int32).at<std::int32_t>(0) == least);
  REQUIRE(cast(nothing, int64).at<std::int64_t>(0) == INT64_MIN);
  REQUIRE(cast(nothing, boolean).at(0) == 1);
}

TEST_CASE("every pair of dtypes is cast, from any layout") {
  for (const dtype from : all_dtypes) {
    for (const dtype to : all_dtypes) {
      if (is_complex(from) && !is_complex(to) && to != boolean) {
        CHECK(astype_kernel(from, to) == nullptr);
        continue;
      }
      const owned x = numbers(from, {70, 90}).transposed();
      owned out(to, x.shape);
      run(astype_kernel(from, to), {x}, out);
      for (std::int64_t i = 0; i < x.size(); ++i) {
        if (out.at(i) != converted(x.at(i), to)) FAIL(name(from) << " to " << name(to));
      }
    }
  }
}
