// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "troupe/nn/checkpoint.hpp"
#include "troupe/tasks/file_call.hpp"

namespace troupe::nn::detail {

/// Parameter or variable that has an array in a checkpoint.
struct checkpoint_place {
  std::string name;
  variable held;
  bool is_parameter;

  /// Replaces the array, if `x` is one, and clears the gradient.
  void restore(const tensor& x, caller where);
};

/// Returns all places, each once. Throws if two have the same name, or if a part has none.
std::vector<checkpoint_place> places_in(std::span<const checkpoint_part> parts,
                                        const file_call& call);

/// Returns the engine of the arrays that exist already, or this thread's.
std::uint32_t engine_of(const std::vector<checkpoint_place>& places, const file_call& call);

}  // namespace troupe::nn::detail
