// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace troupe {

/// Values by key, of which those that were used last are kept.
template <class Value>
class recently_used {
 public:
  explicit recently_used(std::size_t most) noexcept : most_(most) {}

  /// Returns the value of a key; null if there is none.
  const Value* find(std::string_view key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    latest_first_.splice(latest_first_.begin(), latest_first_, found->second);
    return &found->second->second;
  }
  /// Keeps a value for a key that has none.
  const Value& add(std::string key, Value x) {
    latest_first_.emplace_front(std::move(key), std::move(x));
    places_[latest_first_.front().first] = latest_first_.begin();
    if (latest_first_.size() > most_) {
      places_.erase(latest_first_.back().first);
      latest_first_.pop_back();
    }
    return latest_first_.front().second;
  }
  std::size_t size() const noexcept { return latest_first_.size(); }

 private:
  using by_key = std::list<std::pair<std::string, Value>>;

  std::size_t most_;
  by_key latest_first_;
  std::unordered_map<std::string_view, typename by_key::iterator> places_;
};

}  // namespace troupe
