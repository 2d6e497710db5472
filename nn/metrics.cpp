// SPDX-License-Identifier: MIT
#include "troupe/nn/metrics.hpp"

#include "troupe/nn/labels.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe::nn {

tensor accuracy(const tensor& logits, const tensor& labels, int axis, caller where) {
  const int classes = checked_classes("accuracy", logits, axis, where);
  check_labels("accuracy", logits, labels, classes, where);
  const no_grad constant;
  const auto chosen = argmax(logits, classes, false, where);
  return mean(equal(chosen, labels, where), {}, false, where);
}

}  // namespace troupe::nn
