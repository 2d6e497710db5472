// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/element_bits.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

/// Returns what an element becomes when another is put there. Integers wrap; sums of bool are "or",
/// their products "and"; NaN has the last word in the extremes.
template <put_op Op, class T>
constexpr T put_into(T x, T given) noexcept {
  if constexpr (Op == put_op::set) return given;
  else if constexpr (Op == put_op::maximum) return x > given || x != x ? x : given;
  else if constexpr (Op == put_op::minimum) return x < given || x != x ? x : given;
  else if constexpr (std::is_same_v<T, bool>) return Op == put_op::add ? x || given : x && given;
  else if constexpr (std::integral<T>) {
    using wrapping = std::make_unsigned_t<T>;
    const auto a = static_cast<wrapping>(x), b = static_cast<wrapping>(given);
    return static_cast<T>(Op == put_op::add ? a + b : a * b);
  } else return Op == put_op::add ? x + given : x * given;
}

/// Returns the kernel of an operation and a dtype, `Kernels::template of<Op, T>()`; null for the
/// dtypes that none computes in. Setting needs only the size of an element.
template <class Kernels>
const kernel* choose_put(put_op op, dtype type) noexcept {
  const auto computing = [type]<put_op Op>() -> const kernel* {
    if (is_complex(type)) {
      if constexpr (Op == put_op::add || Op == put_op::multiply)
        return visit_complex(type,
                             [](auto zero) { return Kernels::template of<Op, decltype(zero)>(); });
      return nullptr;
    }
    if (!is_computed(type)) return nullptr;
    return visit_computed(type,
                          [](auto zero) { return Kernels::template of<Op, decltype(zero)>(); });
  };
  switch (op) {
    case put_op::set: break;
    case put_op::add: return computing.template operator()<put_op::add>();
    case put_op::multiply: return computing.template operator()<put_op::multiply>();
    case put_op::minimum: return computing.template operator()<put_op::minimum>();
    case put_op::maximum: return computing.template operator()<put_op::maximum>();
  }
  return visit_bits(size_of(type),
                    [](auto bits) { return Kernels::template of<put_op::set, decltype(bits)>(); });
}

}  // namespace troupe
