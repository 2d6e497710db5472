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

/// A part of a device's memory that certain tasks keep to together. Its bytes are credits: such a
/// task is released only when its outputs fit under the limit beside what is live of the budget, or
/// when nothing is in flight, so that there is always progress. Its outputs' memory gives the
/// credits back when it is freed, whoever held it last. Thread-safe.
class memory_budget final : public memory {
 public:
  /// Up to `limit` bytes of `home`, the memory of the device `place`.
  memory_budget(device place, std::shared_ptr<memory> home, std::size_t limit)
      : place_(place), home_(std::move(home)), limit_(limit) {}

  device place() const noexcept { return place_; }
  std::size_t limit() const noexcept { return limit_; }

  /// Grants `bytes` if they fit. If not, the device's memory is asked to tell when something is
  /// freed. Who is refused in a round of tries comes before who tries later in the same round: that
  /// one is refused, too.
  bool take(std::size_t bytes, ticks round);
  /// Grants `bytes` whether they fit or not.
  void force(std::size_t bytes);
  void give_back(std::size_t bytes);

  void* allocate(std::size_t bytes) override { return home_->allocate(bytes); }
  void deallocate(void* data, std::size_t bytes) noexcept override;
  /// Bytes that are granted and those of them that are in buffers.
  std::size_t live() const noexcept override { return statistics().live; }
  memory_statistics statistics() const override;
  void trim() noexcept override { home_->trim(); }

 private:
  bool grant(std::size_t bytes) noexcept;

  const device place_;
  const std::shared_ptr<memory> home_;
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::size_t live_ = 0, peak_ = 0;
  ticks refused_ = 0;  ///< the last round in which somebody was refused
};

/// What one task was granted of an budget and has not allocated.
class budget_grant {
 public:
  explicit budget_grant(std::shared_ptr<memory_budget> from) noexcept : from_(std::move(from)) {}
  budget_grant(const budget_grant&) = delete;
  budget_grant& operator=(const budget_grant&) = delete;
  ~budget_grant() { give_back(); }

  bool take(std::size_t bytes, ticks round);
  void force(std::size_t bytes);
  /// Takes a value's memory from the budget, granted or not. Throws std::bad_alloc.
  void allocate(value& out);
  /// Gives back what was not allocated.
  void give_back() noexcept;

 private:
  std::shared_ptr<memory_budget> from_;
  std::size_t granted_ = 0;
};

/// While it lives, what this thread submits to the budget's device keeps to it.
class budget_scope {
 public:
  explicit budget_scope(const std::shared_ptr<memory_budget>& a) noexcept : before_(current_) {
    current_ = &a;
  }
  budget_scope(const budget_scope&) = delete;
  budget_scope& operator=(const budget_scope&) = delete;
  ~budget_scope() { current_ = before_; }

  /// What a task on this device keeps to; null for nothing.
  static std::unique_ptr<budget_grant> grant_for(device place) {
    if (!current_ || !*current_ || (*current_)->place() != place) return nullptr;
    return std::make_unique<budget_grant>(*current_);
  }

 private:
  static inline thread_local constinit const std::shared_ptr<memory_budget>* current_ = nullptr;
  const std::shared_ptr<memory_budget>* before_;
};

}  // namespace troupe
