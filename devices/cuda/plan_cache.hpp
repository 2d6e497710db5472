// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace troupe::cuda {

/// Plans by key, including failures: a key that a library has refused is not tried again.
template <class Key, class Plan>
class plan_cache {
 public:
  static constexpr std::size_t most = 1024;

  /// Returns the key's plan, made from `parts` and the key on first use. Null if making it threw a
  /// std::runtime_error, and after `refuse`.
  template <class... Parts>
  const Plan* find(const Key& key, Parts&&... parts) {
    if (const auto at = plans_.find(key); at != plans_.end()) return at->second.get();
    std::unique_ptr<const Plan> made;
    try {
      made = std::make_unique<const Plan>(std::forward<Parts>(parts)..., key);
    } catch (const std::runtime_error&) {}
    if (plans_.size() == most) plans_.clear();
    return plans_.emplace(key, std::move(made)).first->second.get();
  }

  /// Marks the key as refused.
  void refuse(const Key& key) { plans_.insert_or_assign(key, nullptr); }

 private:
  std::map<Key, std::unique_ptr<const Plan>> plans_;
};

}  // namespace troupe::cuda
