// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "troupe/devices/device.hpp"
#include "troupe/devices/memory.hpp"
#include "troupe/tasks/clock.hpp"

namespace troupe {

class value;

/// Part of a device's memory that a group of tasks keeps to. Its bytes are credits: such a task is
/// released only if its outputs fit under the limit beside the budget's live bytes, or if nothing
/// is in flight nor to come before it, so there is always progress. The memory of the outputs
/// returns the credits when it is freed, no matter which value held it last. Thread-safe.
class memory_budget final : public memory {
 public:
  /// Constructs a budget of up to `limit` bytes of `home`, the memory of the device `place`.
  memory_budget(device place, std::shared_ptr<memory> home, std::size_t limit)
      : device_(place), home_(std::move(home)), limit_(limit) {}

  device place() const noexcept { return device_; }
  std::size_t limit() const noexcept { return limit_; }

  /// Grants `bytes` if they fit. Otherwise asks the device's memory to notify its listener when
  /// something is freed. A refused task takes precedence over later ones in the same round of
  /// attempts: those are refused, too.
  bool take(std::size_t bytes, ticks round);
  /// Grants `bytes` even if they do not fit.
  void force(std::size_t bytes);
  void give_back(std::size_t bytes);

  void* allocate(std::size_t bytes) override { return home_->allocate(bytes); }
  void deallocate(void* data, std::size_t bytes) noexcept override;
  /// Returns the bytes granted, including those in buffers.
  std::size_t live() const noexcept override { return statistics().live; }
  memory_statistics statistics() const override;
  void trim() noexcept override { home_->trim(); }

 private:
  bool grant(std::size_t bytes) noexcept;

  const device device_;
  const std::shared_ptr<memory> home_;
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::size_t live_ = 0, peak_ = 0;
  ticks refused_ = 0;  ///< last round in which a task was refused
};

/// Bytes of a budget that one task was granted and has not allocated.
class budget_grant {
 public:
  explicit budget_grant(std::shared_ptr<memory_budget> from) noexcept : from_(std::move(from)) {}
  budget_grant(const budget_grant&) = delete;
  budget_grant& operator=(const budget_grant&) = delete;
  ~budget_grant() { give_back(); }

  bool take(std::size_t bytes, ticks round);
  void force(std::size_t bytes);
  /// Allocates a value's memory from the budget, granted or not. Throws std::bad_alloc.
  void allocate(value& out);
  /// Returns the bytes that were not allocated.
  void give_back() noexcept;

 private:
  std::shared_ptr<memory_budget> from_;
  std::size_t granted_ = 0;
};

/// Scope in which tasks that this thread submits to the budget's device keep to the budget.
class budget_scope {
 public:
  explicit budget_scope(const std::shared_ptr<memory_budget>& budget) noexcept : before_(current_) {
    current_ = &budget;
  }
  budget_scope(const budget_scope&) = delete;
  budget_scope& operator=(const budget_scope&) = delete;
  ~budget_scope() { current_ = before_; }

  /// Returns a grant for a task on this device, or null if no budget applies.
  static std::unique_ptr<budget_grant> grant_for(device place) {
    if (!current_ || !*current_ || (*current_)->place() != place) return nullptr;
    return std::make_unique<budget_grant>(*current_);
  }

 private:
  static inline thread_local constinit const std::shared_ptr<memory_budget>* current_ = nullptr;
  const std::shared_ptr<memory_budget>* before_;
};

}  // namespace troupe
