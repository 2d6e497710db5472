// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace troupe::shell {

/// Name as a number, so that looking it up is an index.
using symbol = std::uint32_t;

/// Table of the names that inputs have used.
class symbol_table {
 public:
  symbol of(std::string_view name);
  const std::string& name(symbol s) const noexcept { return names_[s]; }
  std::size_t size() const noexcept { return names_.size(); }

 private:
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, symbol> numbers_;
};

}  // namespace troupe::shell
