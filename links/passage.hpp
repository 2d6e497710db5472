// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "troupe/links/frames.hpp"

namespace troupe {

class machine;

/// Bytes of a value on one machine that were copied to another one: where they can be had again.
/// They lie there, until the value is dropped: then here. Thread-safe.
class origin {
 public:
  /// Is given the bytes, and what holds them, or the reason why there are none.
  using taker = std::function<void(std::shared_ptr<const void> holds, const std::byte* bytes,
                                   const std::string& why)>;

  origin(std::weak_ptr<machine> from, std::uint64_t place, std::size_t bytes) noexcept
      : from_(std::move(from)), place_(place), bytes_(bytes) {}

  std::uint64_t place() const noexcept { return place_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Brings the bytes here, and gives them to `whom`, on any thread, perhaps this one.
  void get(const taker& whom);
  /// The bytes are here now, or can never be.
  void came_home(std::shared_ptr<const void> holds, const std::byte* bytes, const std::string& why);

 private:
  bool give_own(const taker& whom);

  const std::weak_ptr<machine> from_;
  const std::uint64_t place_;
  const std::size_t bytes_;
  std::mutex mutex_;
  std::shared_ptr<const void> holds_;
  const std::byte* copy_ = nullptr;
  std::string lost_;  ///< the reason why nobody has them any more
};

/// A copy from one machine to another: straight from node to node, or, if they do not reach each
/// other or one is lost, through this process. Thread-safe.
class passage : public std::enable_shared_from_this<passage> {
 public:
  struct ends {
    std::shared_ptr<machine> from, to;
    std::uint64_t place;   ///< of the bytes, there
    std::uint64_t number;  ///< of the new value
    std::size_t bytes;
  };

  /// `unreachable` is called if the nodes do not reach each other.
  passage(ends between, std::function<void()> unreachable)
      : ends_(std::move(between)), unreachable_(std::move(unreachable)) {}

  /// Starts it: straight to the node at an address, or through this process if there is none.
  void start(const std::string& address);
  bool reached() const;
  /// Waits for its end. Throws std::runtime_error if it has failed.
  void wait() const;

 private:
  void heard(arrival how, const std::string& why);

  const ends ends_;
  const std::function<void()> unreachable_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool over_ = false;
  std::string failure_;
};

}  // namespace troupe
