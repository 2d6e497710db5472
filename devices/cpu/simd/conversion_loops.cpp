// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/rows.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class To>
struct conversion {
  template <class From>
  static To apply(From x) noexcept {
    if constexpr (is_narrow_float(dtype_of<From>()))
      return conversion::apply(static_cast<float>(x));
    else if constexpr (dtype_of<To>() == boolean) return x != From(0);
    else if constexpr (is_floating(dtype_of<From>()) && std::is_same_v<To, std::uint64_t>) {
      const auto low = conversion<std::int64_t>::apply(x);
      return x >= From(0x1p63) && x < From(0x1p64) ? static_cast<std::uint64_t>(x)
                                                   : static_cast<std::uint64_t>(low);
    } else if constexpr (is_floating(dtype_of<From>()) && is_integer(dtype_of<To>())) {
      constexpr From low = sizeof(To) == 4 ? From(-0x1p31) : From(-0x1p63);
      return static_cast<To>((x >= low) & (x < -low) ? x : low);
    } else return static_cast<To>(x);
  }
};

/// Narrow integers are made of those that they are computed in.
constexpr bool direct(dtype from, dtype to) noexcept {
  return is_floating(to) || !is_narrow(to) || computed(to) == from;
}

constexpr cast_loops make_table() {
  cast_loops table{};
  for (const auto from : all_dtypes) {
    for (const auto to : all_dtypes) {
      visit(from, [&]<class From>(From) {
        visit(to, [&]<class To>(To) {
          if constexpr (direct(dtype_of<From>(), dtype_of<To>()))
            table.loops[number_of(from)][number_of(to)] =
                row_loop<conversion<To>, true, To, From>::run;
        });
      });
    }
  }
  return table;
}

}  // namespace

constexpr cast_loops conversion_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
