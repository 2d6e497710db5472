// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// Elements in order along an axis. NaN comes last, in ascending and in descending order. They
/// throw for an axis that is not there.

namespace troupe {

/// The elements in order along an axis; with `{}` as the axis, of all elements, as a vector.
tensor sort(const tensor& x, optional_axis axis = -1, flag descending = false,
            caller where = caller::current());
/// int64: the places along the axis that the sorted elements come from. Equal ones keep their
/// order. Has no gradient.
tensor argsort(const tensor& x, optional_axis axis = -1, flag descending = false,
               caller where = caller::current());

/// The elements along an axis, rearranged: none before position `at` is greater than the one there,
/// none behind it less. All of them are put in order. A negative position counts from the end;
/// throws for one that is not there.
tensor partition(const tensor& x, std::int64_t at, int axis = -1, caller where = caller::current());
/// int64: the places that these come from. Has no gradient.
tensor argpartition(const tensor& x, std::int64_t at, int axis = -1,
                    caller where = caller::current());

/// The greatest elements along an axis, in descending order, and their places.
struct topk_result {
  tensor values;
  tensor indices;  ///< int64
};
/// The `count` greatest elements along an axis. NaN counts as less than all else; of equal ones the
/// first is taken. Throws for a negative count and for more elements than the axis has.
topk_result topk(const tensor& x, std::int64_t count, int axis = -1,
                 caller where = caller::current());
/// int64: only their places. Has no gradient.
tensor argtopk(const tensor& x, std::int64_t count, int axis = -1,
               caller where = caller::current());

extern const operation sort_operation, argsort_operation, argtopk_operation;

}  // namespace troupe
