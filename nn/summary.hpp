// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "troupe/nn/module.hpp"

namespace troupe::nn {

namespace detail {

std::string summary_seen_by(void (*show)(void* net, visitor& to), void* net);
std::int64_t count_seen_by(void (*show)(void* net, visitor& to), void* net);

}  // namespace detail

/// Returns a table of a network: a line for each parameter and variable, with its path, type and
/// number of elements, and the total of all parameters. Shapes that a layer has not learnt yet are
/// missing. Not a sync point.
template <class Net>
std::string summary(Net& net) {
  return detail::summary_seen_by([](void* n, visitor& to) { nn::visit(*static_cast<Net*>(n), to); },
                                 &net);
}

template <class Net>
std::string summary(const Net& net) {
  return summary(const_cast<Net&>(net));  // it only looks
}

/// Returns the number of elements of all parameters, each parameter counted once. Those without an
/// array count 0.
template <class Net>
std::int64_t parameter_count(Net& net) {
  return detail::count_seen_by([](void* n, visitor& to) { nn::visit(*static_cast<Net*>(n), to); },
                               &net);
}
template <class Net>
std::int64_t parameter_count(const Net& net) {
  return parameter_count(const_cast<Net&>(net));
}

}  // namespace troupe::nn
