// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/data/split_and_load.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/operators.hpp"

namespace troupe::nn {

/// Returns the loss of a batch, with each device computing that of its share:
///
///     optimiser.minimise([&] {
///       return nn::parallel_mean(b, {cpu(0), cpu(1)}, [&](const nn::batch& share) {
///         return nn::mse_loss(net(share[0]), share[1]);
///       });
///     });
///
/// `loss` returns the mean over the samples of its share; the result is the mean over the whole
/// batch, on the first device. Layers copy their parameters to where they are needed, and the
/// gradients are sent back and added up. The result equals that of one device, up to rounding,
/// except for statistics within a share, such as those of `batch_norm`. Throws where
/// `split_and_load` does.
template <class F>
tensor parallel_mean(const batch& b, const std::vector<device>& devices, F&& loss,
                     caller where = caller::current()) {
  tensor total;
  for (const auto& share : split_and_load(b, devices, where)) {
    const double part = static_cast<double>(share.samples()) / static_cast<double>(b.samples());
    const auto scaled = multiply(to(loss(share), devices.front(), where), part, where);
    total = total.defined() ? add(total, scaled, where) : scaled;
  }
  return total;
}

}  // namespace troupe::nn
