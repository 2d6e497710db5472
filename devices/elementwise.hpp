// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "troupe/devices/dtype.hpp"

namespace troupe {

/// The elementwise operations: one for each row of `devices/elementwise.def`, in its order.
enum class elementwise_op : std::uint8_t {
#define TROUPE_UNARY(name, ...) name,
#define TROUPE_BINARY(name, ...) name,
#define TROUPE_TERNARY(name, ...) name,
#include "troupe/devices/elementwise.def"
};

/// The dtypes that a row of the table takes and gives; `elementwise.def` says what each means.
enum class elementwise_domain : std::uint8_t {
  arithmetic,
  numeric,
  signed_numeric,
  floating,
  predicate,
  bitwise,
  integer,
  selection,
  part,
  pair
};

struct elementwise_info {
  std::string_view name;
  int arity;
  elementwise_domain domain;
  std::string_view doc;
};

inline constexpr elementwise_info elementwise_table[] = {
#define TROUPE_UNARY(name, domain, forward, dx, doc) {#name, 1, elementwise_domain::domain, doc},
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc) \
  {#name, 2, elementwise_domain::domain, doc},
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc) \
  {#name, 3, elementwise_domain::domain, doc},
#include "troupe/devices/elementwise.def"
};

inline constexpr int elementwise_op_count =
    static_cast<int>(sizeof elementwise_table / sizeof elementwise_table[0]);

constexpr const elementwise_info& info(elementwise_op op) noexcept {
  return elementwise_table[static_cast<std::size_t>(op)];
}

namespace detail {

/// One entry for each operation, true for those on complex numbers, too.
inline constexpr auto takes_complex = [] {
  std::array<bool, static_cast<std::size_t>(elementwise_op_count)> out{};
#define TROUPE_COMPLEX(name) out[static_cast<std::size_t>(elementwise_op::name)] = true;
#include "troupe/devices/elementwise.def"
  return out;
}();

}  // namespace detail

/// The type an operation computes in and the type of its result.
struct elementwise_types {
  dtype compute;
  dtype result;
};

/// The types of `op` on inputs that promote to `input` (for `where`: its second and third input);
/// nothing where the operation does not take such inputs.
constexpr std::optional<elementwise_types> types_of(elementwise_op op, dtype input) noexcept {
  const auto domain = info(op).domain;
  if (is_complex(input)) {
    if (!detail::takes_complex[static_cast<std::size_t>(op)]) return std::nullopt;
    if (domain == elementwise_domain::predicate) return elementwise_types{input, boolean};
    const bool part = domain == elementwise_domain::part;
    return elementwise_types{input, part ? real_of(input) : input};
  }
  switch (domain) {
    case elementwise_domain::numeric:
      if (input == boolean) input = int32;
      break;
    case elementwise_domain::signed_numeric:
      if (input == boolean) return std::nullopt;
      break;
    case elementwise_domain::floating:
      // Computed in another dtype, the next number would be the same one.
      if (op == elementwise_op::nextafter && is_narrow(input)) return std::nullopt;
      if (!is_floating(input)) input = float64;
      break;
    case elementwise_domain::pair:
      if (!is_floating(input)) input = float64;
      return elementwise_types{computed(input), complex_of(input)};
    case elementwise_domain::predicate: return elementwise_types{computed(input), boolean};
    case elementwise_domain::bitwise:
      if (is_floating(input)) return std::nullopt;
      break;
    case elementwise_domain::integer:
      if (is_floating(input) || input == boolean) return std::nullopt;
      break;
    case elementwise_domain::arithmetic:
    case elementwise_domain::part:
    case elementwise_domain::selection: break;
  }
  return elementwise_types{computed(input), input};
}

}  // namespace troupe
