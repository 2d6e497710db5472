// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

struct plateau_options {
  double factor = 0.1;         ///< by which the rate is multiplied
  std::int64_t patience = 10;  ///< losses in a row that may be no better
  double threshold = 1e-4;     ///< a loss is better if it is less than the best by this share of it
  double least = 0;            ///< the rate goes no lower
};

/// Learning rate that falls when the loss no longer does. PyTorch's ReduceLROnPlateau.
///
///     nn::plateau rate(0.1, {.patience = 3});
///     for (...) optimiser.set_rate(rate(loss.item<float>()));
class plateau {
 public:
  /// Throws for a rate or numbers below 0, a factor that is not below 1, and NaN.
  explicit plateau(double rate, const plateau_options& options = {},
                   caller where = caller::current());

  /// Takes the next loss, and returns the rate that is to come. A NaN is no better.
  double operator()(double loss) noexcept;
  double rate() const noexcept { return rate_; }

 private:
  double rate_;
  plateau_options options_;
  double best_ = std::numeric_limits<double>::infinity();
  std::int64_t no_better_ = 0;
};

}  // namespace troupe::nn
