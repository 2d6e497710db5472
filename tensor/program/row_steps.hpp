// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tensor/program/joined_steps.hpp"

/// Steps that compute each row of their arrays from the same row of others: elementwise ones,
/// reductions along the rows and softmax. They run on a few rows at a time, so that what stays
/// inside stays in the cache. Arrays have `joined_steps::rows` rows of `joined_steps::row` elements
/// each, or of one.

namespace troupe {

/// The longest row of such steps: eager kernels divide rows that are much longer.
inline constexpr std::int64_t longest_row = 16384;

extern const operation row_operation;
extern const kernel row_kernel;

/// Returns the most rows that are computed before the next ones.
std::int64_t rows_in_block(const joined_steps& of) noexcept;

/// Returns the rows of `row` elements that the last axes make up, and the distances between rows
/// and between elements of a row: if rows lie evenly, and the elements of a row side by side or all
/// in one place.
std::optional<layout> in_rows(const layout& of, std::int64_t row);

/// Rows of a view that may be read again and again.
struct repeated_rows {
  layout view;  ///< as `in_rows` returns it, and the distance between rows that differ
  row_repeats repeats;
};
/// Returns the rows that the last axis makes up, though the view repeats those of some axes, as
/// broadcasting does: those of the first axes, of the last ones before the rows, or both.
std::optional<repeated_rows> in_repeated_rows(const layout& of);

}  // namespace troupe
