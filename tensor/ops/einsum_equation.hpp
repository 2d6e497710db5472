// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Labels of axes, by their bits: 26 capital letters, 26 small ones, and the axes of `...`, counted
/// from the last one.
using label_set = std::uint64_t;

inline constexpr int letter_count = 52;
inline constexpr int label_count = letter_count + max_rank;
static_assert(label_count <= 64);

constexpr label_set set_of(int label) noexcept { return label_set{1} << label; }

inline label_set set_of(const std::vector<int>& labels) noexcept {
  label_set all = 0;
  for (const int i : labels) all |= set_of(i);
  return all;
}

/// Equation of einsum with its operands' sizes.
struct einsum_equation {
  std::vector<std::vector<int>> operands;  ///< the labels of each one's axes
  std::vector<int> output;
  std::int64_t sizes[label_count] = {};
};

/// Throws `einsum: "ij,jk": facts (model.cpp:41)`.
[[noreturn]] void refuse_equation(std::string_view equation, const std::string& facts,
                                  caller where);

/// Reads an equation for operands of these types. Throws for what is no equation, or not one for
/// them.
einsum_equation read_equation(std::string_view equation, std::span<const tensor_type> types,
                              caller where);

}  // namespace troupe
