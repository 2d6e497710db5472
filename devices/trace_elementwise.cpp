// SPDX-License-Identifier: MIT
#include "troupe/devices/trace_elementwise.hpp"

#include "troupe/devices/scalar_functions.hpp"
#include "troupe/devices/traced.hpp"

namespace troupe {

namespace {

using row_tracer = std::int16_t (*)(element_expression& in, const std::int16_t* operands);

namespace rows {

using namespace scalar_functions;

#define TROUPE_UNARY(name, domain, forward, dx, doc) \
  struct name##_row {                                \
    template <class T>                               \
    static auto apply(T x, T, T) noexcept {          \
      return forward;                                \
    }                                                \
  };
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc) \
  struct name##_row {                                     \
    template <class T>                                    \
    static auto apply(T x, T y, T) noexcept {             \
      return forward;                                     \
    }                                                     \
  };
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc) \
  struct name##_row {                                          \
    template <class X, class T>                                \
    static auto apply(X x, T y, T w) noexcept {                \
      return forward;                                          \
    }                                                          \
  };
#include "troupe/devices/elementwise.def"

}  // namespace rows

/// Returns a node as a number of type E.
template <class E>
traced<E> operand(element_expression& in, std::int16_t node) noexcept {
  const auto from = in[node].type;
  if (from == dtype_of<E>()) return {in, node};
  return visit_computed(from,
                        [&](auto zero) { return traced<E>(traced<decltype(zero)>(in, node)); });
}

template <elementwise_op Op, class Row, class E>
std::int16_t trace_row(element_expression& in, const std::int16_t* operands) {
  constexpr bool chosen = info(Op).domain == elementwise_domain::selection;
  using first = std::conditional_t<chosen, bool, E>;
  using result = std::conditional_t<info(Op).domain == elementwise_domain::predicate, bool, E>;
  constexpr auto arity = info(Op).arity;
  const auto x = operand<first>(in, operands[0]);
  const auto y = operand<E>(in, operands[arity > 1 ? 1 : 0]);
  const auto w = operand<E>(in, operands[arity - 1]);
  if constexpr (arity == 3) return traced<result>(Row::apply(x, y, w)).node(in);
  else return traced<result>(Row::template apply<traced<E>>(x, y, w)).node(in);
}

template <elementwise_op Op, class Row, class E>
constexpr row_tracer tracer_of() noexcept {
  constexpr auto types = types_of(Op, dtype_of<E>());
  if constexpr (!types || types->compute != dtype_of<E>() || is_complex(types->result))
    return nullptr;
  else return trace_row<Op, Row, E>;
}

constexpr row_tracer tracers[][std::size(computed_dtypes)] = {
#define TROUPE_ROW(name)                                              \
  {tracer_of<elementwise_op::name, rows::name##_row, bool>(),         \
   tracer_of<elementwise_op::name, rows::name##_row, std::int32_t>(), \
   tracer_of<elementwise_op::name, rows::name##_row, std::int64_t>(), \
   nullptr,                                                           \
   tracer_of<elementwise_op::name, rows::name##_row, float>(),        \
   tracer_of<elementwise_op::name, rows::name##_row, double>()},
#define TROUPE_UNARY(name, ...) TROUPE_ROW(name)
#define TROUPE_BINARY(name, ...) TROUPE_ROW(name)
#define TROUPE_TERNARY(name, ...) TROUPE_ROW(name)
#include "troupe/devices/elementwise.def"
#undef TROUPE_ROW
};

}  // namespace

std::int16_t trace(element_expression& in, elementwise_op op, dtype compute,
                   std::span<const std::int16_t> operands) {
  const auto tracer = tracers[static_cast<std::size_t>(op)][static_cast<std::size_t>(compute)];
  if (tracer) return tracer(in, operands.data());
  in.refuse();
  return operands[0];
}

}  // namespace troupe
