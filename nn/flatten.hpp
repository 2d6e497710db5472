// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

/// Layer that reshapes [n, ...] to [n, everything else], as dense layers take images. A view if
/// possible. Throws for an x without axes.
struct flatten {
  tensor operator()(const tensor& x, caller where = caller::current()) const;
};

}  // namespace troupe::nn
