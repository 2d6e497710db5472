// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "troupe/devices/elementwise.hpp"

namespace troupe {

struct checked_elementwise_types {
  dtype compute;
  dtype result;
  bool possible;
};

namespace elementwise_types_table {

inline constexpr auto rows = [] {
  std::array<std::array<checked_elementwise_types, std::size(all_dtypes)>, elementwise_op_count>
      out{};
  for (std::size_t op = 0; op < out.size(); ++op) {
    for (const auto input : all_dtypes) {
      if (const auto t = types_of(static_cast<elementwise_op>(op), input))
        out[op][static_cast<std::size_t>(input)] = {t->compute, t->result, true};
    }
  }
  return out;
}();

}  // namespace elementwise_types_table

/// The answer of `types_of`, looked up.
constexpr checked_elementwise_types checked_types(elementwise_op op, dtype input) noexcept {
  return elementwise_types_table::rows[static_cast<std::size_t>(op)]
                                      [static_cast<std::size_t>(input)];
}

}  // namespace troupe
