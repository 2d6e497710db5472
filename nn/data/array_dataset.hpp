// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/data/dataset.hpp"

namespace troupe::nn {

/// Returns a dataset of the samples along axis 0 of tensors, one field per tensor:
/// `array_dataset({x, y})`. Batches of consecutive samples are slices, without a copy; others are
/// gathered by `take`, on the tensors' device. Throws for no tensors, scalars, sizes that differ
/// along axis 0, or different devices.
dataset array_dataset(const std::vector<tensor>& fields, caller where = caller::current());

inline dataset array_dataset(const tensor& x, caller where = caller::current()) {
  return array_dataset(std::vector{x}, where);
}
inline dataset array_dataset(const tensor& x, const tensor& y, caller where = caller::current()) {
  return array_dataset(std::vector{x, y}, where);
}

}  // namespace troupe::nn
