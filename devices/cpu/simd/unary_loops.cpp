// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/rows.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

namespace unary_rows {

using namespace scalar_functions;

/// The type as which an operation reads elements of a dtype.
template <elementwise_op Op, class T>
using read_by = std::conditional_t<Op == elementwise_op::logical_not, read_as<T>, T>;

#define TROUPE_UNARY(name, domain, forward, dx, doc)                                              \
  struct name##_row {                                                                             \
    static constexpr elementwise_op op = elementwise_op::name;                                    \
    template <class T>                                                                            \
    static auto apply(T x) noexcept {                                                             \
      return forward;                                                                             \
    }                                                                                             \
    template <bool Exact, class R, class T>                                                       \
    static constexpr elementwise_loop loop = row_loop<name##_row, Exact, R, read_by<op, T>>::run; \
  };
#include "troupe/devices/elementwise.def"

}  // namespace unary_rows

constexpr elementwise_loops make_table() {
  elementwise_loops table{};
#define TROUPE_UNARY(name, ...) fill_row<unary_rows::name##_row>(table);
#include "troupe/devices/elementwise.def"
  return table;
}

}  // namespace

constexpr elementwise_loops unary_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
