// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "troupe/nn/module.hpp"

namespace troupe::nn {

std::string summary_seen_by(void (*show)(void* net, visitor& to), void* net);
std::int64_t count_seen_by(void (*show)(void* net, visitor& to), void* net);

/// What a network is made of: a line for each parameter and variable, with where it lies, its type
/// and how many numbers it has, and the number of all parameters. What a layer has not learnt yet
/// has no shape. Not a sync point.
template <class Net>
std::string summary(Net& net) {
  return summary_seen_by([](void* n, visitor& to) { nn::visit(*static_cast<Net*>(n), to); }, &net);
}

/// How many numbers the parameters are, each parameter counted once. Those without an array yet
/// count 0.
template <class Net>
std::int64_t parameter_count(Net& net) {
  return count_seen_by([](void* n, visitor& to) { nn::visit(*static_cast<Net*>(n), to); }, &net);
}

}  // namespace troupe::nn
