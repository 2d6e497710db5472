// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/visit.hpp"

namespace troupe::nn {

namespace detail {

using shower = void (*)(void* net, visitor& to);
void separate(shower show, void* copy, void* original, caller where);

}  // namespace detail

/// Returns a copy of a network that has parameters and variables of its own, with the same arrays
/// (no elements are copied): a target network, an average of weights, an ensemble. A plain copy of
/// a network shares them. What layers of the original share, those of the copy share. PyTorch's
/// deepcopy. Throws for networks with layers behind shared pointers, which a copy shares.
template <class Net>
Net clone(const Net& net, caller where = caller::current()) {
  Net copy = net;
  const auto show = [](void* n, visitor& to) { nn::visit(*static_cast<Net*>(n), to); };
  detail::separate(show, &copy, const_cast<Net*>(&net), where);  // it only looks
  return copy;
}

}  // namespace troupe::nn
