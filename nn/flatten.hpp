// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

/// [n, ...] as [n, everything else]: what dense layers take of images. A view where that is
/// possible. Throws for an x without axes.
struct flatten {
  tensor operator()(const tensor& x, caller where = caller::current()) const;
};

}  // namespace troupe::nn
