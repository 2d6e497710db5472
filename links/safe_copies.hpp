// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "troupe/devices/memory.hpp"

namespace troupe {

/// Memory of this process for copies of values on other machines, which are kept in case a machine
/// is lost: no more than a bound, so that nodes bring memory and do not take it. Thread-safe.
class safe_copies : public std::enable_shared_from_this<safe_copies> {
 public:
  safe_copies(std::shared_ptr<memory> home, std::size_t most) noexcept
      : home_(std::move(home)), most_(most) {}

  /// Returns a place for so many bytes; null if there is no room.
  std::shared_ptr<buffer> place_for(std::size_t bytes) {
    if (taken_.fetch_add(bytes) + bytes > most_) {
      taken_ -= bytes;
      return nullptr;
    }
    const auto one = std::make_shared<counted>(shared_from_this(), bytes);
    try {
      one->place = buffer(home_, bytes);
    } catch (const std::bad_alloc&) { return nullptr; }
    return {one, &one->place};
  }

  const std::shared_ptr<memory>& home() const noexcept { return home_; }

 private:
  struct counted {
    counted(std::shared_ptr<safe_copies> all, std::size_t size) noexcept
        : of(std::move(all)), bytes(size) {}
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() { of->taken_ -= bytes; }

    std::shared_ptr<safe_copies> of;
    std::size_t bytes;
    buffer place;
  };

  const std::shared_ptr<memory> home_;
  const std::size_t most_;
  std::atomic<std::size_t> taken_ = 0;
};

}  // namespace troupe
