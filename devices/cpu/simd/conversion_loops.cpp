// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/rows.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class To>
struct conversion {
  template <class From>
  static To apply(From x) noexcept {
    if constexpr (is_narrow(dtype_of<From>())) return conversion::apply(static_cast<float>(x));
    else if constexpr (dtype_of<To>() == boolean) return x != From(0);
    else if constexpr (is_floating(dtype_of<From>()) && is_integer(dtype_of<To>())) {
      constexpr From low = sizeof(To) == 4 ? From(-0x1p31) : From(-0x1p63);
      return static_cast<To>((x >= low) & (x < -low) ? x : low);
    } else return static_cast<To>(x);
  }
};

template <class To>
constexpr void fill_column(cast_loops& table) {
  constexpr int to = static_cast<int>(dtype_of<To>());
  table.loops[0][to] = row_loop<conversion<To>, true, To, bool>::run;
  table.loops[1][to] = row_loop<conversion<To>, true, To, std::int32_t>::run;
  table.loops[2][to] = row_loop<conversion<To>, true, To, std::int64_t>::run;
  table.loops[3][to] = row_loop<conversion<To>, true, To, float>::run;
  table.loops[4][to] = row_loop<conversion<To>, true, To, double>::run;
  table.loops[5][to] = row_loop<conversion<To>, true, To, float16_t>::run;
  table.loops[6][to] = row_loop<conversion<To>, true, To, bfloat16_t>::run;
}

constexpr cast_loops make_table() {
  cast_loops table{};
  fill_column<bool>(table);
  fill_column<std::int32_t>(table);
  fill_column<std::int64_t>(table);
  fill_column<float>(table);
  fill_column<double>(table);
  fill_column<float16_t>(table);
  fill_column<bfloat16_t>(table);
  return table;
}

}  // namespace

constexpr cast_loops conversion_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
