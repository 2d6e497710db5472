// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "troupe/tensor/ops/elementwise.hpp"

/// Questions about dtypes, as the array API standard asks them. Nothing is computed or waited for.

namespace troupe {

/// The numbers of a floating dtype.
struct float_info {
  int bits;
  double eps;              ///< from 1 to the next greater number
  double max, min;         ///< the greatest and the least finite number
  double smallest_normal;  ///< the least positive one with all significant bits
};

/// The numbers of an integer dtype.
struct integer_info {
  int bits;
  std::uint64_t max;
  std::int64_t min;
};

/// Throws for a dtype that is not floating.
float_info finfo(dtype element, caller where = caller::current());
/// Throws for a dtype that is no integer.
integer_info iinfo(dtype element, caller where = caller::current());

/// True if elements of one dtype become the other where both meet: promote(from, to) == to.
constexpr bool can_cast(dtype from, dtype to) noexcept { return promote(from, to) == to; }

/// The dtype that tensors and numbers promote to; numbers give way to tensors, as in an operation.
/// Throws if there is nothing to promote, or a tensor names no array.
dtype result_type(std::span<const tensor_or_scalar> all, caller where = caller::current());
inline dtype result_type(std::initializer_list<tensor_or_scalar> all,
                         caller where = caller::current()) {
  return result_type(std::span(all.begin(), all.size()), where);
}

namespace detail {

/// Returns a tensor with the dtype that a function called `what` is to compute in. Throws for
/// complex numbers as real ones.
tensor as_asked(const char* what, const tensor& x, dtype element, caller where);

}  // namespace detail

/// True for a dtype of a kind: "bool", "signed integer", "unsigned integer", "integral", "real
/// floating" or "numeric". Throws for another text.
bool isdtype(dtype element, std::string_view kind, caller where = caller::current());

}  // namespace troupe
