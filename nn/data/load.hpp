// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "troupe/nn/data/batch_order.hpp"
#include "troupe/nn/data/dataset.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe::nn {

/// Estimate of reading times, learnt from samples that were read. Thread-safe.
class reading_time {
 public:
  void note(double nanoseconds, std::int64_t samples) noexcept;
  /// Returns the estimated nanoseconds for some samples, at least 2,000; 1 ms for the whole batch
  /// if nothing is known.
  float estimate(std::int64_t samples) const noexcept;

 private:
  std::atomic<double> per_sample_ = 0;
};

/// Samples that one task reads into a batch.
struct batch_load {
  batch_load(dataset d, std::vector<drawn_sample> s, std::uint64_t chance,
             std::shared_ptr<reading_time> time)
      : from(std::move(d)), samples(std::move(s)), seed(chance), learns(std::move(time)) {}

  dataset from;
  std::vector<drawn_sample> samples;
  std::uint64_t seed;  ///< seed of random choices in a sample
  std::shared_ptr<reading_time> learns;
  std::atomic<bool> unwanted = false;  ///< the batch will not be used: nothing needs to be read
};

/// Submits a task that reads a batch once the tensors that its dataset needs are ready. Its chunks
/// are runs of samples, which lanes share.
std::vector<tensor> submit(engine& e, device place, std::shared_ptr<const batch_load> what,
                           caller where);

}  // namespace troupe::nn
