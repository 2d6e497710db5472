// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>

#include "troupe/nn/data/batch.hpp"
#include "troupe/nn/data/batch_order.hpp"
#include "troupe/nn/data/dataset.hpp"

namespace troupe::nn {

struct batches_options {
  std::int64_t size = 1;  ///< samples in a batch
  bool shuffle = false;   ///< anew in every epoch
  last_batch last = last_batch::keep;
  /// Seed of the shuffles and of random choices in samples. Absent: drawn from the runtime's random
  /// numbers.
  std::optional<std::uint64_t> seed = {};
  /// Number of batches loaded ahead of the one in the loop.
  std::int64_t prefetch = 2;
  /// Device of the batches. Absent: the device of the samples' tensors, or else the default device.
  std::optional<troupe::device> device = {};
};

/// Batches of a dataset, one epoch for each loop over them:
///
///     for (auto [x, y] : batches(data, {.size = 64, .shuffle = true})) step(x, y);
///
/// Loading is done by tasks: when the loop takes a batch, it gets tensors that are ready or being
/// read, and the loads of the next `prefetch` batches are submitted, to run beside the loop's own
/// tasks. Idle lanes share the reading of one batch. The loop itself never waits here.
///
/// Memory stays bounded nevertheless: the bytes of `prefetch` + 1 batches are credits. A load runs
/// when credits for its batch are available; they return when the memory of an earlier batch is
/// freed, that is, when the loop has released it and all tasks that read it have ended. So loading
/// keeps to the pace of the slower side, even in a loop without a sync point that has submitted a
/// whole epoch. A loop that keeps more batches (in a list, or in a recording over several of them)
/// still makes progress, since a load without credit runs when nothing else does; a larger
/// `prefetch` lets it run in parallel.
///
/// An exception from reading a sample fails the tensors of its batch and names the sample and the
/// line of the `batches`. Other batches are unaffected.
///
/// The samples of a batch depend only on the options and the number of the epoch.
class batches {
 public:
  class iterator;

  /// Prepares the loops. Throws for a size below 1, a prefetch below 0 or above 1024, a device that
  /// does not exist, or if no runtime is running.
  batches(dataset from, const batches_options& options, caller where = caller::current());

  /// Starts the next epoch. Loops over the same batches may be nested.
  iterator begin();
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Returns the number of batches in the next epoch.
  std::int64_t size() const noexcept;

  /// Returns the number of the next epoch, from 0: the number of epochs begun.
  std::int64_t epoch() const noexcept;
  /// Makes the next loop run this epoch, from one of its batches on: continues where an earlier run
  /// stopped. Throws for negative numbers.
  void resume(std::int64_t epoch, std::int64_t batch = 0, caller where = caller::current());
  /// Returns the seed as given or drawn.
  std::uint64_t seed() const noexcept;
  /// Returns the live and peak bytes of the batches on a device that they are loaded or copied to.
  memory_statistics memory(std::optional<device> on = {}) const;

 private:
  class loader;
  class pass;

  std::shared_ptr<loader> loader_;
};

/// Iterator of one loop through an epoch. Copies share the position.
class batches::iterator {
 public:
  using value_type = batch;
  using reference = batch&;
  using pointer = batch*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  /// Returns the current batch. It is released when the loop takes the next one.
  batch& operator*() const noexcept;
  batch* operator->() const noexcept { return &**this; }
  iterator& operator++();
  void operator++(int) { ++*this; }
  friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept { return i.at_end(); }

 private:
  friend class batches;
  explicit iterator(std::shared_ptr<pass> way) noexcept : pass_(std::move(way)) {}
  bool at_end() const noexcept;

  std::shared_ptr<pass> pass_;
};

}  // namespace troupe::nn
