// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "troupe/tensor/operation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"

/// The gradient columns of elementwise.def, compiled.

namespace troupe::elementwise_gradients {

struct nothing {};
inline constexpr nothing none;

// `flows` says what comparing the pointer would: under UBSan that is no constant expression.
struct column {
  gradient_function function = nullptr;
  bool flows = false;
};

// A column is a function from the inputs to a tensor, or to `nothing`.
template <class Column>
constexpr column column_of(Column) noexcept {
  using result =
      std::invoke_result_t<Column, std::span<const tensor>, const tensor&, const tensor&>;
  if constexpr (std::is_same_v<result, nothing>) return {};
  else
    return {[](std::span<const tensor> in, const tensor& z, const tensor& g) -> tensor {
              return Column{}(in, z, g);
            },
            true};
}

#define TROUPE_INPUT(i) in[in.size() > (i) ? (i) : 0]
#define TROUPE_COLUMN(expression)                                                             \
  column_of([]([[maybe_unused]] std::span<const tensor> in, [[maybe_unused]] const tensor& z, \
               [[maybe_unused]] const tensor& g) {                                            \
    [[maybe_unused]] const auto& x = in[0];                                                   \
    [[maybe_unused]] const auto& y = TROUPE_INPUT(1);                                         \
    [[maybe_unused]] const auto& w = TROUPE_INPUT(2);                                         \
    return expression;                                                                        \
  })

/// For each row and input.
inline constexpr column table[][3] = {
#define TROUPE_UNARY(name, domain, forward, dx, doc) {TROUPE_COLUMN(dx), {}, {}},
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc) \
  {TROUPE_COLUMN(dx), TROUPE_COLUMN(dy), {}},
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc) \
  {TROUPE_COLUMN(dx), TROUPE_COLUMN(dy), TROUPE_COLUMN(dw)},
#include "troupe/tensor/ops/elementwise.def"
};

#undef TROUPE_INPUT
#undef TROUPE_COLUMN

}  // namespace troupe::elementwise_gradients
