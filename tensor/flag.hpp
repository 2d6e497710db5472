// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

namespace troupe {

/// A bool argument that nothing else converts to: neither a number nor a text, such as the axis or
/// the name of a kind that belongs elsewhere.
class flag {
 public:
  constexpr flag(std::same_as<bool> auto value) noexcept : value_(value) {}

  constexpr operator bool() const noexcept { return value_; }

 private:
  bool value_;
};

}  // namespace troupe
