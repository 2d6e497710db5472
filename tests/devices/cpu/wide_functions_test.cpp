// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "troupe/devices/cpu/features.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

struct function_row {
  elementwise_op op;
  double (*of)(double);
  double most;  ///< by which a result may be wrong, in units of the last place
};

#define TROUPE_ROW(name, most)                                        \
  function_row {                                                      \
    elementwise_op::name, [](double x) { return std::name(x); }, most \
  }
const function_row rows[] = {TROUPE_ROW(exp, 1.1), TROUPE_ROW(exp2, 1.1), TROUPE_ROW(expm1, 6),
                             TROUPE_ROW(log, 6),   TROUPE_ROW(log2, 6),   TROUPE_ROW(log10, 6),
                             TROUPE_ROW(log1p, 6), TROUPE_ROW(erfc, 4.2), TROUPE_ROW(sin, 6),
                             TROUPE_ROW(cos, 6)};
#undef TROUPE_ROW

owned result(elementwise_op op, const owned& x) {
  owned out(x.type, x.shape);
  run(elementwise_kernel(op, x.type), {x}, out);
  return out;
}

/// Numbers of every magnitude, neighbours far from each other, with ends of ranges among them.
template <class T>
owned numbers_of(dtype type) {
  using l = std::numeric_limits<T>;
  const double ends[] = {0.0,   -0.0,   infinity, -infinity, not_a_number, l::max(), -l::max(),
                         1,     -1,     79.9,     80.1,      88.5,         88.73,    -87.2,
                         -87.4, -103,   -104.5,   699,       701,          709.7,    709.9,
                         -708,  -708.5, -745,     -746,      120.5,        127.5,    -126.5,
                         -149,  -150,   1000.5,   1023.5,    -1074,        10.1,     10.3,
                         27.2,  27.4,   9999,     10001,     1e5,          3.9e6};
  constexpr int known = static_cast<int>(std::size(ends));
  owned x(type, {3000});
  return x.set([&](std::int64_t i) -> double {
    if (i % 3 == 0) return ends[i / 3 % known];
    const int exponent = l::min_exponent - l::digits +
                         static_cast<int>(i * 61 % (l::max_exponent - l::min_exponent + l::digits));
    const double size = std::ldexp(1 + static_cast<double>(i * 7919 % 1000) / 1000, exponent);
    return i % 2 ? size : -size;
  });
}

/// The distance between neighbouring numbers at x.
template <class T>
double spacing(double x) {
  const auto size = std::max(static_cast<T>(std::abs(x)), std::numeric_limits<T>::min());
  return static_cast<double>(size - std::nextafter(size, T(0)));
}

template <class T>
void check(const function_row& row) {
  const auto type = std::is_same_v<T, float> ? float32 : float64;
  const owned x = numbers_of<T>(type);
  const owned out = result(row.op, x);
  // Those without AVX2 are the C library's.
  const bool own = best_instruction_set() != instruction_set::baseline;
  const double most = std::is_same_v<T, float> && own ? row.most : 6;
  CAPTURE(info(row.op).name, name(type));
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const double exact = row.of(x.at(i)), want = static_cast<T>(exact), found = out.at(i);
    CAPTURE(i, x.at(i), found, want);
    if (std::isnan(want)) {
      if (!std::isnan(found)) FAIL("is a number");
    } else if (found != want && !(std::abs(found - exact) <= most * spacing<T>(want))) {
      FAIL("differs");
    }
    const owned alone = result(row.op, owned(type, {1}).set([&](auto) { return x.at(i); }));
    if (found != alone.at(0) && !std::isnan(found)) FAIL("depends on its neighbours");
  }
}

}  // namespace

TEST_CASE("exponentials, logarithms and angles of any size are right, whatever is beside them") {
  for (const auto& row : rows) {
    check<float>(row);
    check<double>(row);
  }
}
