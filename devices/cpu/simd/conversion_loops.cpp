// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/rows.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class To>
struct conversion {
  template <class From>
  static To apply(From x) noexcept {
    if constexpr (is_complex_number<From>) {
      if constexpr (is_complex_number<To>)
        return To(static_cast<part_of<To>>(x.re), static_cast<part_of<To>>(x.im));
      else return x != From(0);
    } else if constexpr (is_complex_number<To>) return To(conversion<part_of<To>>::apply(x));
    else if constexpr (is_narrow_float(dtype_of<From>()))
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

/// Real numbers: narrow integers are made of those that they are computed in.
constexpr bool direct(dtype from, dtype to) noexcept {
  return is_floating(to) || !is_narrow(to) || computed(to) == from;
}

constexpr cast_loops make_table() {
  cast_loops table{};
  const auto add = [&]<class From, class To>(From, To) {
    table.loops[number_of(number_dtype<From>())][number_of(number_dtype<To>())] =
        row_loop<conversion<To>, true, To, read_as<From>>::run;
  };
  for (const auto wide : {complex64, complex128}) {
    visit_complex(wide, [&](auto zero) {
      for (const auto from : real_dtypes) visit(from, [&](auto one) { add(one, zero); });
      add(zero, bool{});
      add(zero, complex_number<float>{});
      add(zero, complex_number<double>{});
    });
  }
  for (const auto from : real_dtypes) {
    for (const auto to : real_dtypes) {
      visit(from, [&]<class From>(From) {
        visit(to, [&]<class To>(To) {
          if constexpr (direct(dtype_of<From>(), dtype_of<To>())) add(From{}, To{});
        });
      });
    }
  }
  return table;
}

}  // namespace

constexpr cast_loops conversion_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
