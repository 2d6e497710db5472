// SPDX-License-Identifier: MIT
#include "troupe/nn/labels.hpp"

#include <string>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/axes.hpp"
#include "troupe/tensor/ops/apply.hpp"

namespace troupe::nn {

void check_predictions(std::string_view what, std::string_view name, const tensor& predictions,
                       caller where) {
  check_defined(what, predictions, where);
  if (!is_floating(predictions.dtype()))
    throw error(std::string(what) + ": " + std::string(name) + " are " +
                    to_string(predictions.type()) + ", but must be floats",
                where);
}

int checked_classes(std::string_view what, const tensor& logits, int axis, caller where) {
  check_predictions(what, "logits", logits, where);
  return troupe::detail::checked_axis(axis, logits.rank(), logits.type(), what, where);
}

void check_labels(std::string_view what, const tensor& logits, const tensor& labels, int classes,
                  caller where) {
  check_defined(what, labels, where);
  shape expected;
  for (int i = 0; i < logits.rank(); ++i) {
    if (i != classes) expected.push_back(logits.shape()[i]);
  }
  const tensor_type types[] = {logits.type(), labels.type()};
  if (!is_integer(labels.dtype())) refuse(what, "labels are no integers", types, where);
  if (labels.shape() != expected) refuse(what, "not a label for each sample", types, where);
  if (logits.shape()[classes] == 0 && labels.size() > 0) refuse(what, "no classes", types, where);
}

void check_same_shape(std::string_view what, const tensor& predictions, const tensor& targets,
                      caller where) {
  check_defined(what, targets, where);
  const tensor_type types[] = {predictions.type(), targets.type()};
  if (predictions.shape() != targets.shape()) refuse(what, "shapes differ", types, where);
}

}  // namespace troupe::nn
