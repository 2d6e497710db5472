// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace troupe::nn {

/// What becomes of samples that do not fill a batch at the end of an epoch (the names are MXNet's).
enum class last_batch : std::uint8_t {
  keep,      ///< they make a smaller batch
  discard,   ///< they are left out
  roll_over  ///< they are the first of the next epoch
};

/// A sample's number in the dataset, and its place among all samples of all epochs.
struct drawn_sample {
  std::int64_t number;
  std::int64_t place;
};

/// Which samples are in which batch: a function of the numbers below alone, so any batch of any
/// epoch can be had without those before it. The epochs' samples are thought of as one endless row,
/// each epoch shuffled in itself.
struct batch_order {
  std::int64_t samples = 0;  ///< in the dataset
  std::int64_t size = 1;     ///< samples in a batch
  bool shuffle = false;
  last_batch last = last_batch::keep;
  std::uint64_t seed = 0;

  /// How many batches an epoch has.
  std::int64_t batches(std::int64_t epoch) const noexcept;
  /// The samples of one batch of an epoch, both counted from 0.
  std::vector<drawn_sample> batch(std::int64_t epoch, std::int64_t number) const;
};

}  // namespace troupe::nn
