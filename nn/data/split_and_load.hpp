// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/nn/data/batch.hpp"

/// Data parallelism: each device gets its share of a batch.

namespace troupe::nn {

/// Divides x along axis 0 among devices, as evenly as can be: the first ones get one row more where
/// it does not come out even. Each part is copied to its device as a task, unless it is there.
/// Throws for no devices, a scalar, or fewer rows than devices.
std::vector<tensor> split_and_load(const tensor& x, const std::vector<device>& devices,
                                   caller where = caller::current());
/// The same for all fields of a batch: a batch for each device.
std::vector<batch> split_and_load(const batch& b, const std::vector<device>& devices,
                                  caller where = caller::current());

}  // namespace troupe::nn
