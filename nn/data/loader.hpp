// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "troupe/nn/data/batches.hpp"
#include "troupe/nn/data/load.hpp"

namespace troupe::nn {

/// State shared by the loops over the same batches: submits loads.
class batches::loader {
 public:
  loader(dataset from, const batches_options& options, caller where);

  struct loading {
    batch tensors;
    std::shared_ptr<batch_load> task;  ///< absent if the samples are parts of tensors
  };
  /// Submits the load of a batch.
  loading start(std::int64_t epoch, std::int64_t number) const;

  const batch_order& order() const noexcept { return order_; }
  std::int64_t prefetch() const noexcept { return prefetch_; }
  memory_statistics memory(device on) const;
  device place() const noexcept { return device_; }
  const caller& where() const noexcept { return call_site_; }

  std::int64_t next_epoch = 0;
  std::int64_t next_batch = 0;  ///< first batch of the next epoch

 private:
  std::size_t credits() const noexcept;
  std::vector<tensor> read(engine& e, std::vector<drawn_sample> samples,
                           std::shared_ptr<batch_load>& task) const;

  dataset from_;
  batch_order order_;
  std::int64_t prefetch_;
  caller call_site_;
  std::uint32_t engine_;
  device reading_device_, device_;  ///< devices where samples are read, and of the batches
  std::shared_ptr<memory_budget> to_read_, to_copy_;
  std::shared_ptr<reading_time> learns_ = std::make_shared<reading_time>();
};

/// One epoch of the batches.
class batches::pass {
 public:
  pass(std::shared_ptr<const loader> from, std::int64_t epoch, std::int64_t first);
  pass(const pass&) = delete;
  pass& operator=(const pass&) = delete;
  /// Cancels the loads ahead, which will not be used.
  ~pass();

  void advance();
  bool at_end() const noexcept { return !now_; }
  batch& now() noexcept { return *now_; }

 private:
  std::shared_ptr<const loader> from_;
  std::int64_t epoch_, count_;
  std::int64_t next_;  ///< next batch to submit
  std::deque<loader::loading> ahead_;
  std::optional<batch> now_;
};

}  // namespace troupe::nn
