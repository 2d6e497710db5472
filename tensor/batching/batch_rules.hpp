// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Input of an operation that is run for all elements of a batch.
struct batch_input {
  tensor array = {};     ///< names no array for a number
  bool batched = false;  ///< its first axis is the batch; else it is the same for all elements
  dtype element = {};
  std::uint64_t number = 0;  ///< its bytes
};

/// Operation to be run for all elements of a batch, as it would be for one.
struct batched_call {
  const operation& op;
  const attributes& given;
  troupe::device device;
  caller call_site;
  std::int64_t count;
  std::vector<batch_input> inputs = {};
  std::vector<tensor_type> outputs = {};  ///< for one element
};

/// Returns the outputs for all elements, with the batch as first axis. Families of operations whose
/// tasks can take the batch as one more axis run once: elementwise ones, reductions, products,
/// selections and cumulative operations along an axis, sorts, linear algebra, images. The others
/// run once for each element. Throws `needs_loop` if an array would have too many axes.
std::vector<tensor> run_batched(const batched_call& call);

/// Returns the outputs of a call none of whose inputs differs from element to element.
std::vector<tensor> run_once(const batched_call& call);

}  // namespace troupe
