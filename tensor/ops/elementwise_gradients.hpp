// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <type_traits>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"

/// The gradient columns of elementwise.def, compiled.

namespace troupe::elementwise_gradients {

struct nothing {};
inline constexpr nothing none;
struct no_rule {};
inline constexpr no_rule unknown;

/// True if an expression's text has a name in it.
consteval bool mentions(std::string_view text, char name) {
  const auto part_of_word = [&](std::size_t i) {
    if (i >= text.size()) return false;
    const char c = text[i];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == name && !part_of_word(i + 1) && (i == 0 || !part_of_word(i - 1))) return true;
  }
  return false;
}

consteval std::uint8_t needs(std::string_view text) {
  unsigned bits = 0;
  for (unsigned i = 0; i < 3; ++i) bits |= mentions(text, "xyw"[i]) ? 1u << i : 0;
  if (mentions(text, 'z')) bits |= gradient_rule::needs_result;
  return static_cast<std::uint8_t>(bits);
}

// `flows` says what comparing the pointer would: under UBSan that is no constant expression.
struct column {
  gradient_rule rule;
  bool flows = false;
  bool known = true;
};

// A column is a function from the terms to a tensor, to `nothing` or to `no_rule`.
template <class Column>
constexpr column column_of(Column, std::uint8_t needs) noexcept {
  using result = std::invoke_result_t<Column, const gradient_terms&>;
  if constexpr (std::is_same_v<result, nothing>) return {};
  else if constexpr (std::is_same_v<result, no_rule>) return {{}, false, false};
  else return {{[](const gradient_terms& t) -> tensor { return Column{}(t); }, needs}, true};
}

#define TROUPE_INPUT(i) t.inputs[t.inputs.size() > (i) ? (i) : 0]
#define TROUPE_COLUMN(expression)                         \
  column_of(                                              \
      []([[maybe_unused]] const gradient_terms& t) {      \
        [[maybe_unused]] const auto& x = t.inputs[0];     \
        [[maybe_unused]] const auto& y = TROUPE_INPUT(1); \
        [[maybe_unused]] const auto& w = TROUPE_INPUT(2); \
        [[maybe_unused]] const auto& z = t.result;        \
        [[maybe_unused]] const auto& g = t.arriving;      \
        return expression;                                \
      },                                                  \
      needs(#expression))

/// For each row and input.
inline constexpr column table[][3] = {
#define TROUPE_UNARY(name, domain, forward, dx, doc) {TROUPE_COLUMN(dx), {}, {}},
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc) \
  {TROUPE_COLUMN(dx), TROUPE_COLUMN(dy), {}},
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc) \
  {TROUPE_COLUMN(dx), TROUPE_COLUMN(dy), TROUPE_COLUMN(dw)},
#include "troupe/devices/elementwise.def"
};

#undef TROUPE_INPUT
#undef TROUPE_COLUMN

}  // namespace troupe::elementwise_gradients
