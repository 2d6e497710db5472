// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "troupe/nn/checkpoint.hpp"
#include "troupe/tensor/io/file_call.hpp"

namespace troupe::nn {

/// Place of one array in a checkpoint.
struct checkpoint_place {
  std::string name;
  variable held;
  bool is_parameter;
};

/// Returns all places, each once. Throws if two have the same name, or if a part has none.
std::vector<checkpoint_place> places_in(std::span<const checkpoint_part> parts,
                                        const file_call& call);

}  // namespace troupe::nn
