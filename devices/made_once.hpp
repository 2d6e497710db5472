// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "troupe/devices/fork_lock.hpp"

namespace troupe {

/// An object in static storage that its first user makes, and that is never destroyed: threads may
/// use it while the process ends. Unlike a local static, which a fork in the middle of its
/// initialisation would leave locked for ever in the child, it is whole there, or still to be made.
template <class T>
class made_once {
 public:
  constexpr made_once() = default;
  made_once(const made_once&) = delete;
  made_once& operator=(const made_once&) = delete;

  /// Returns the object, which `make` returns if it is not there. Throws what `make` throws.
  template <class Make>
  T& get(Make&& make) {
    if (auto* const there = there_.load(std::memory_order_acquire)) return *there;
    return first(make);
  }
  T& get() {
    return get([] { return T(); });
  }

 private:
  template <class Make>
  T& first(Make& make) {
    const first_use scope;
    auto* there = there_.load(std::memory_order_relaxed);
    if (!there) {
      there = ::new T(make());
      there_.store(there, std::memory_order_release);
    }
    return *there;
  }

  std::atomic<T*> there_ = nullptr;
};

}  // namespace troupe
