// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/tensor/tensor.hpp"

/// Checks of the inputs of losses and metrics.

namespace troupe::nn {

/// Returns the axis of the classes, counted from 0. Throws unless `logits` are floats and have it.
int checked_classes(std::string_view what, const tensor& logits, int axis, caller where);

/// Throws unless `labels` are integers of the logits' shape without the axis of the classes.
void check_labels(std::string_view what, const tensor& logits, const tensor& labels, int classes,
                  caller where);

/// Throws unless `predictions` are floats.
void check_predictions(std::string_view what, std::string_view name, const tensor& predictions,
                       caller where);

/// Throws unless both have the same shape.
void check_same_shape(std::string_view what, const tensor& predictions, const tensor& targets,
                      caller where);

}  // namespace troupe::nn
