// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/update_loops.hpp"

#include <utility>

#include "troupe/devices/update_formulas.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

using namespace update_formulas;

/// Every element is read from all inputs before it is written to any output,
/// which may be in an input's place.
template <class Formula, int States, class T>
void run(void* const* out, const void* const* in, std::int64_t n, const update_attributes& given,
         const void* scale) {
  const factors<T> f(given);
  const T by = *static_cast<const T*>(scale);
  const auto from = [&](int k) { return static_cast<const T*>(in[k]); };
  const auto into = [&](int k) { return static_cast<T*>(out[k]); };
  const T *const p0 = from(0), *const a0 = from(States > 0 ? 1 : 0),
                 *const b0 = from(States > 1 ? 2 : 0), *const c0 = from(States > 2 ? 3 : 0),
                 *const g0 = from(States + 1);
  T *const p1 = into(0), *const a1 = into(States > 0 ? 1 : 0), *const b1 = into(States > 1 ? 2 : 0),
           *const c1 = into(States > 2 ? 3 : 0);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    T p = p0[i], a = T(0), b = T(0), c = T(0);
    if constexpr (States > 0) a = a0[i];
    if constexpr (States > 1) b = b0[i];
    if constexpr (States > 2) c = c0[i];
    Formula::apply(f, clipped(g0[i], by, f), p, a, b, c);
    p1[i] = p;
    if constexpr (States > 0) a1[i] = a;
    if constexpr (States > 1) b1[i] = b;
    if constexpr (States > 2) c1[i] = c;
  }
}

template <std::size_t... Rule>
constexpr update_table_of_loops make_table(std::index_sequence<Rule...>) {
  return {{{run<formula<update_rule{Rule}>, info(update_rule{Rule}).states, float>,
            run<formula<update_rule{Rule}>, info(update_rule{Rule}).states, double>}...}};
}

}  // namespace

constexpr update_table_of_loops update_loops =
    make_table(std::make_index_sequence<update_rule_count>{});

}  // namespace troupe::cpu_kernels::TROUPE_ISA
