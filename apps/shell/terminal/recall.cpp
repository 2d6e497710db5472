// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/recall.hpp"

namespace troupe::shell {

bool recall::suits(const std::string& entry) const {
  return entry.starts_with(prefix_) && entry != *shown_;
}

std::optional<std::string> recall::older(const std::string& line, std::string_view left) {
  if (!is_under_way(line)) {
    draft_ = line;
    shown_ = line;
    prefix_ = left;
    at_ = entries_.size();
  }
  for (auto i = at_; i-- > 0;)
    if (suits(entries_[i])) {
      at_ = i;
      return shown_ = entries_[i];
    }
  return {};
}

std::optional<std::string> recall::newer(const std::string& line) {
  if (!is_under_way(line) || at_ >= entries_.size()) return {};
  while (++at_ < entries_.size())
    if (suits(entries_[at_])) return shown_ = entries_[at_];
  return shown_ = draft_;
}

}  // namespace troupe::shell
