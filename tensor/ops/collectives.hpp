// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/tensor/tensor.hpp"

/// Arrays of several devices combined, as collective operations are of several processes elsewhere.
/// Each is made of copies and additions of parts, which are tasks like all others: they go from
/// each device to the next while it receives the part behind, and run while other tasks compute.
/// Sums are added up in the order of the arrays, so their bits depend neither on timing nor on the
/// devices. The devices are those of the arrays, and may be on other machines; several arrays may
/// share one.

namespace troupe {

/// The sum of arrays of one shape and dtype, as often as there are arrays: each on the device of
/// the array in its place. At most two times the bytes of an array leave a device, however many
/// there are. Throws for no arrays and for different types.
std::vector<tensor> all_reduce(const std::vector<tensor>& parts, caller where = caller::current());
/// The sum of arrays of one shape and dtype, divided along an axis as evenly as possible: each part
/// on the device of the array in its place; the first ones get one extra index each if there is a
/// remainder. Throws where `all_reduce` does, and for a scalar.
std::vector<tensor> reduce_scatter(const std::vector<tensor>& parts, int axis = 0,
                                   caller where = caller::current());
/// Arrays joined along an axis, as often as there are arrays: each on the device of the array in
/// its place. The arrays have one dtype, and one shape but for this axis. Throws for no arrays, a
/// scalar and for different types.
std::vector<tensor> all_gather(const std::vector<tensor>& parts, int axis = 0,
                               caller where = caller::current());
/// An array on each of several devices, of which each has it from the one before.
std::vector<tensor> broadcast(const tensor& x, const std::vector<device>& devices,
                              caller where = caller::current());

}  // namespace troupe
