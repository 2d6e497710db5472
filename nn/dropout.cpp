// SPDX-License-Identifier: MIT
#include "troupe/nn/dropout.hpp"

#include "troupe/nn/initialiser.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/random.hpp"

namespace troupe::nn {

dropout::dropout(double rate, caller where) : rate_(rate) {
  if (!(rate >= 0 && rate <= 1))
    throw error("dropout: a rate of " + to_string(scalar(rate)) + " is not between 0 and 1", where);
}

tensor dropout::operator()(const tensor& x, caller where) const {
  detail::check_layer_input("dropout", x, 0, where);
  if (!mode_.training || rate_ == 0) return x;
  const use_engine same(x.source()->engine);
  const auto drawn =
      uniform(x.shape(), 0, 1, {.dtype = computed(x.dtype()), .device = x.device()}, where);
  const auto kept = greater_equal(drawn, rate_, where);
  const double larger = rate_ < 1 ? 1 / (1 - rate_) : 0;  // at rate 1 nothing is kept
  return troupe::where(kept, multiply(x, larger, where), 0, where);
}

}  // namespace troupe::nn
