// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "troupe/nn/data/batch_order.hpp"
#include "troupe/nn/data/dataset.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe::nn {

/// Learns from samples that were read how long the next ones will take. Thread-safe.
class reading_time {
 public:
  void note(double nanoseconds, std::int64_t samples) noexcept;
  /// Nanoseconds for so many samples; those of a millisecond for a batch of which nothing is known.
  float estimate(std::int64_t samples) const noexcept;

 private:
  std::atomic<double> per_sample_ = 0;
};

/// Samples that one task reads into a batch.
struct load {
  load(dataset d, std::vector<drawn_sample> s, std::uint64_t chance,
       std::shared_ptr<reading_time> time)
      : from(std::move(d)), samples(std::move(s)), seed(chance), learns(std::move(time)) {}

  dataset from;
  std::vector<drawn_sample> samples;
  std::uint64_t seed;  ///< of what chance decides in a sample
  std::shared_ptr<reading_time> learns;
  std::atomic<bool> unwanted = false;  ///< nobody will look at the batch: nothing need be read
};

/// Submits a task that reads a batch once the tensors that its dataset needs are there. Its chunks
/// are runs of samples, which lanes share.
std::vector<tensor> submit(engine& e, device place, std::shared_ptr<const load> what, caller where);

}  // namespace troupe::nn
