// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/nn/data/batch.hpp"

/// Data parallelism: each device gets its share of a batch.

namespace troupe::nn {

/// Divides x along axis 0 among devices as evenly as possible: the first ones get one extra row
/// each if there is a remainder. A task copies each part to its device, unless it is there already.
/// Throws for no devices, a scalar, or fewer rows than devices.
std::vector<tensor> split_and_load(const tensor& x, const std::vector<device>& devices,
                                   caller where = caller::current());
/// Divides all fields of a batch likewise: returns a batch for each device.
std::vector<batch> split_and_load(const batch& b, const std::vector<device>& devices,
                                  caller where = caller::current());

}  // namespace troupe::nn
