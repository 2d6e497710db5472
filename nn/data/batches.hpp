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
  bool shuffle = false;   ///< every epoch anew
  last_batch last = last_batch::keep;
  /// Of the shuffles, and of what chance decides in samples. Absent: drawn from the runtime's
  /// random numbers.
  std::optional<std::uint64_t> seed = {};
  /// How many batches are loaded ahead of the one that the loop has.
  std::int64_t prefetch = 2;
  /// Where the batches should be. Absent: where the samples' tensors are, else on the default
  /// device.
  std::optional<troupe::device> device = {};
};

/// The batches of a dataset, an epoch for each loop over them:
///
///     for (auto [x, y] : batches(data, {.size = 64, .shuffle = true})) step(x, y);
///
/// Loading is tasks, as everything is: when the loop takes a batch, it gets tensors that are there
/// or are being read, and the loads of the next `prefetch` batches are submitted, to run beside
/// what the loop computes. One batch is read by several lanes when there are idle ones. The loop
/// waits for nothing here.
///
/// Memory stays bounded nevertheless: the batches' bytes are credits, `prefetch` + 1 batches of
/// them. A load runs when the batch's bytes are to be had, and they come back when the memory of an
/// earlier batch is freed: when the loop has let go of it and all that was computed from it is
/// done. So loading keeps to the pace of the slower side, also in a loop without a sync point that
/// has submitted a whole epoch. A loop that keeps more batches than that (in a list, or in a
/// recording over several of them) gets on all the same, since a load without credit runs when
/// nothing else does; a larger `prefetch` lets it run beside the rest.
///
/// What a sample's reading throws fails the tensors of its batch, and names the sample and the line
/// of the `batches`. Other batches are not touched.
///
/// Which samples a batch has depends on the options and the number of the epoch alone.
class batches {
 public:
  class iterator;

  /// Throws for a size below 1, a prefetch below 0 or above 1024, a device that there is not, or if
  /// no runtime is running.
  batches(dataset from, const batches_options& options, caller where = caller::current());

  /// Starts the next epoch. Loops over the same batches may be nested.
  iterator begin();
  std::default_sentinel_t end() const noexcept { return {}; }

  /// How many batches the next epoch has.
  std::int64_t size() const noexcept;

  /// The number of the next epoch, from 0: how many have begun.
  std::int64_t epoch() const noexcept;
  /// Has the next loop be this epoch, from one of its batches on: goes on where an earlier run
  /// stopped. Throws for negative numbers.
  void resume(std::int64_t epoch, std::int64_t batch = 0, caller where = caller::current());
  /// What the seed was given as or drawn.
  std::uint64_t seed() const noexcept;
  /// Bytes of the batches that are live, and the most that ever were, on a device that they are
  /// loaded or copied to.
  memory_statistics memory(std::optional<device> on = {}) const;

 private:
  class loader;
  class pass;

  std::shared_ptr<loader> loader_;
};

/// One loop's way through an epoch. A copy is the same way.
class batches::iterator {
 public:
  using value_type = batch;
  using reference = batch&;
  using pointer = batch*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  /// The batch that the loop has. It is let go of when the loop takes the next one.
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
