// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace troupe::nn {

/// Treatment of samples that do not fill a batch at the end of an epoch (names as in MXNet).
enum class last_batch : std::uint8_t {
  keep,      ///< they form a smaller batch
  discard,   ///< they are dropped
  roll_over  ///< they come first in the next epoch
};

/// Number of a sample in the dataset, and its position among all samples of all epochs.
struct drawn_sample {
  std::int64_t number;
  std::int64_t position;
};

/// Assignment of samples to batches: depends only on the numbers below, so any batch of any epoch
/// can be computed without those before it. The samples of all epochs form one endless sequence,
/// with each epoch shuffled separately.
struct batch_order {
  std::int64_t samples = 0;  ///< samples in the dataset
  std::int64_t size = 1;     ///< samples in a batch
  bool shuffle = false;
  last_batch last = last_batch::keep;
  std::uint64_t seed = 0;

  /// Returns the number of batches in an epoch.
  std::int64_t batches(std::int64_t epoch) const noexcept;
  /// Returns the samples of one batch of an epoch, both counted from 0.
  std::vector<drawn_sample> batch(std::int64_t epoch, std::int64_t number) const;
};

}  // namespace troupe::nn
