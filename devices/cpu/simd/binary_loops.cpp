// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/rows.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

/// The type that the first of three inputs is read as: a choice as bytes, which the compiler has
/// vectors of, unlike bools.
template <elementwise_op Op, class T>
using first_read =
    std::conditional_t<info(Op).domain == elementwise_domain::selection, unsigned char, T>;

namespace binary_rows {

using namespace scalar_functions;

#define TROUPE_BINARY(name, domain, forward, dx, dy, doc)                               \
  struct name##_row {                                                                   \
    static constexpr elementwise_op op = elementwise_op::name;                          \
    template <class T>                                                                  \
    static auto apply(T x, T y) noexcept {                                              \
      return forward;                                                                   \
    }                                                                                   \
    template <bool Exact, class R, class T>                                             \
    static constexpr elementwise_loop loop = row_loop<name##_row, Exact, R, T, T>::run; \
  };
#define TROUPE_TERNARY(name, domain, forward, dx, dy, dw, doc)        \
  struct name##_row {                                                 \
    static constexpr elementwise_op op = elementwise_op::name;        \
    template <class X, class T>                                       \
    static auto apply(X x, T y, T w) noexcept {                       \
      return forward;                                                 \
    }                                                                 \
    template <bool Exact, class R, class T>                           \
    static constexpr elementwise_loop loop =                          \
        row_loop<name##_row, Exact, R, first_read<op, T>, T, T>::run; \
  };
#include "troupe/devices/elementwise.def"

}  // namespace binary_rows

constexpr elementwise_loops make_table() {
  elementwise_loops table{};
#define TROUPE_BINARY(name, ...) fill_row<binary_rows::name##_row>(table);
#define TROUPE_TERNARY(name, ...) fill_row<binary_rows::name##_row>(table);
#include "troupe/devices/elementwise.def"
  return table;
}

}  // namespace

constexpr elementwise_loops binary_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
