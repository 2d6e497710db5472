// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

/// Returns the fraction of samples whose greatest logit is that of their label, as a tensor:
/// nothing waits. `labels` are integers of the logits' shape without the axis of the classes.
/// Throws for other labels.
tensor accuracy(const tensor& logits, const tensor& labels, int axis = -1,
                caller where = caller::current());

}  // namespace troupe::nn
