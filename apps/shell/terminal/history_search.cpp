// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/history_search.hpp"

namespace troupe::shell {

bool history_search::take_if_it_suits(std::size_t position, const std::string* unlike) {
  const auto& candidate = (*entries_)[position];
  const auto found = candidate.find(wanted_);
  if (found == std::string::npos || (unlike && candidate == *unlike)) return false;
  at_ = position;
  offset_ = found;
  return true;
}

void history_search::look_back_from(std::size_t end, const std::string* unlike) {
  failed_ = !wanted_.empty();
  if (!failed_) return at_.reset();
  while (failed_ && end-- > 0) failed_ = !take_if_it_suits(end, unlike);
}

void history_search::extend(std::string_view character) {
  wanted_ += character;
  look_back_from(at_ ? *at_ + 1 : entries_->size(), nullptr);
}

void history_search::shorten() {
  while (!wanted_.empty()) {
    const auto byte = static_cast<unsigned char>(wanted_.back());
    wanted_.pop_back();
    if ((byte & 0xC0) != 0x80) break;
  }
  look_back_from(entries_->size(), nullptr);
}

void history_search::older() { look_back_from(at_.value_or(entries_->size()), entry()); }

void history_search::newer() {
  const auto* const shown = entry();
  failed_ = true;
  for (auto i = at_ ? *at_ + 1 : entries_->size(); failed_ && i < entries_->size(); ++i)
    failed_ = !take_if_it_suits(i, shown);
}

}  // namespace troupe::shell
