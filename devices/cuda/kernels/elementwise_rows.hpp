// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/kernels/elementwise_tables.hpp"
#include "troupe/devices/cuda/kernels/operand_types.hpp"
#include "troupe/devices/cuda/kernels/row_kernels.hpp"
#include "troupe/devices/scalar_functions.hpp"

/// Rows of elementwise.def, from which a source file makes a table of kernels for the rows it
/// chooses.

namespace troupe::cuda {

// The expressions call functions with internal linkage.
namespace {

namespace expressions {

using namespace scalar_functions;

#define TROUPE_UNARY(name, domain, forward, dx, doc)           \
  struct name##_expression {                                   \
    static constexpr elementwise_op op = elementwise_op::name; \
    template <class T>                                         \
    static TROUPE_BOTH auto apply(T x) noexcept {              \
      return forward;                                          \
    }                                                          \
  };
#define TROUPE_BINARY(name, domain, forward, dx, dy, doc)      \
  struct name##_expression {                                   \
    static constexpr elementwise_op op = elementwise_op::name; \
    template <class T>                                         \
    static TROUPE_BOTH auto apply(T x, T y) noexcept {         \
      return forward;                                          \
    }                                                          \
  };
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc) \
  struct name##_expression {                                   \
    static constexpr elementwise_op op = elementwise_op::name; \
    template <class X, class T>                                \
    static TROUPE_BOTH auto apply(X x, T y, T w) noexcept {    \
      return forward;                                          \
    }                                                          \
  };
#include "troupe/devices/elementwise.def"

}  // namespace expressions

template <class Expression>
struct row_of {
  static constexpr elementwise_info what = info(Expression::op);
  static constexpr int inputs = what.arity;
  static constexpr bool costly = what.domain == elementwise_domain::floating ||
                                 (what.domain == elementwise_domain::numeric && what.arity == 2);

  template <class... In>
  static TROUPE_BOTH auto apply(In... in) noexcept {
    return Expression::apply(in_expression(in)...);
  }
};

/// Launches the row as for float32; it reads and stores narrow floats.
template <class Row>
void launch_in_float32(const kernel_args& args, stream& on) {
  constexpr auto domain = Row::what.domain;
  using R = std::conditional_t<domain == elementwise_domain::predicate, bool, float>;
  using X = std::conditional_t<domain == elementwise_domain::selection, bool, float>;
  any_row<Row, R, X, float>::launch(args, on);
}

template <class Expression, class T>
void launch_expression(const kernel_args& args, stream& on) {
  using row = row_of<Expression>;
  constexpr auto domain = row::what.domain;
  using R = std::conditional_t<domain == elementwise_domain::predicate, bool, T>;
  using X = std::conditional_t<domain == elementwise_domain::selection, bool, T>;
  if (args.outputs[0].size() == 0) return;
  if (plain_row<row, R, X, T> plain; plain.take(args)) return plain.launch(on);
  if constexpr (is_narrow(dtype_of<T>())) launch_in_float32<row>(args, on);
  else any_row<row, R, X, T>::launch(args, on);
}

template <class Expression, class T>
constexpr kernel kernel_with{.launch = launch_expression<Expression, T>};

template <class Expression, class T>
constexpr const kernel* kernel_of() {
  constexpr auto types = types_of(Expression::op, dtype_of<T>());
  if constexpr (!types || types->compute != computed(dtype_of<T>()) || is_complex(types->result))
    return nullptr;
  else return &kernel_with<Expression, T>;
}

template <auto Chosen, class Expression>
constexpr void add_kernels(elementwise_table& table) {
  if constexpr (Chosen(info(Expression::op))) {
    auto& kernels = table.kernels[static_cast<int>(Expression::op)];
    kernels[number_of(boolean)] = kernel_of<Expression, bool>();
    kernels[number_of(int32)] = kernel_of<Expression, std::int32_t>();
    kernels[number_of(int64)] = kernel_of<Expression, std::int64_t>();
    kernels[number_of(uint64)] = kernel_of<Expression, std::uint64_t>();
    kernels[number_of(float32)] = kernel_of<Expression, float>();
    kernels[number_of(float64)] = kernel_of<Expression, double>();
    kernels[number_of(float16)] = kernel_of<Expression, float16_t>();
    kernels[number_of(bfloat16)] = kernel_of<Expression, bfloat16_t>();
  }
}

/// Makes the table of kernels of the rows that `Chosen` accepts.
template <auto Chosen>
constexpr elementwise_table make_table() {
  elementwise_table table;
#define TROUPE_UNARY(name, ...) add_kernels<Chosen, expressions::name##_expression>(table);
#define TROUPE_BINARY(name, ...) add_kernels<Chosen, expressions::name##_expression>(table);
#define TROUPE_TERNARY(name, ...) add_kernels<Chosen, expressions::name##_expression>(table);
#include "troupe/devices/elementwise.def"
  return table;
}

}  // namespace

}  // namespace troupe::cuda
