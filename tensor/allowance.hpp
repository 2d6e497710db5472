// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "troupe/devices/device.hpp"
#include "troupe/devices/memory.hpp"
#include "troupe/tensor/clock.hpp"

namespace troupe {

class value;

/// A part of a device's memory that certain tasks keep to together. Its bytes are credits: such a task is released only
/// when its outputs fit under the limit beside what is live of the allowance, or when nothing is in flight, so that
/// there is always progress. Its outputs' memory gives the credits back when it is freed, whoever held it last.
/// Thread-safe.
class allowance final : public memory {
 public:
  /// Up to `limit` bytes of `home`, the memory of the device `place`.
  allowance(device place, std::shared_ptr<memory> home, std::size_t limit)
      : place_(place), home_(std::move(home)), limit_(limit) {}

  device place() const noexcept { return place_; }
  std::size_t limit() const noexcept { return limit_; }

  /// Grants `bytes` if they fit. If not, the device's memory is asked to tell when something is freed. Who is refused in
  /// a round of tries comes before who tries later in the same round: that one is refused, too.
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

/// What one task was granted of an allowance and has not allocated.
class permit {
 public:
  explicit permit(std::shared_ptr<allowance> from) noexcept : from_(std::move(from)) {}
  permit(const permit&) = delete;
  permit& operator=(const permit&) = delete;
  ~permit() { give_back(); }

  bool take(std::size_t bytes, ticks round);
  void force(std::size_t bytes);
  /// Takes a value's memory from the allowance, granted or not. Throws std::bad_alloc.
  void allocate(value& out);
  /// Gives back what was not allocated.
  void give_back() noexcept;

 private:
  std::shared_ptr<allowance> from_;
  std::size_t granted_ = 0;
};

/// While it lives, what this thread submits to the allowance's device keeps to it.
class keep_within {
 public:
  explicit keep_within(const std::shared_ptr<allowance>& a) noexcept : before_(current_) {
    current_ = &a;
  }
  keep_within(const keep_within&) = delete;
  keep_within& operator=(const keep_within&) = delete;
  ~keep_within() { current_ = before_; }

  /// What a task on this device keeps to; null for nothing.
  static std::unique_ptr<permit> permit_for(device place) {
    if (!current_ || !*current_ || (*current_)->place() != place) return nullptr;
    return std::make_unique<permit>(*current_);
  }

 private:
  static inline thread_local constinit const std::shared_ptr<allowance>* current_ = nullptr;
  const std::shared_ptr<allowance>* before_;
};

}  // namespace troupe
