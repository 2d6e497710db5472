// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/line_history.hpp"

#include <algorithm>
#include <cctype>
#include <exception>
#include <utility>

namespace troupe::shell {

namespace {

bool is_blank(const std::string& entry) noexcept {
  return std::all_of(entry.begin(), entry.end(), [](unsigned char c) { return std::isspace(c); });
}

}  // namespace

template <class Work>
void line_history::with_file(Work work) noexcept {
  if (!file_) return;
  try {
    work(*file_);
  } catch (const std::exception& e) {
    file_.reset();
    if (options_.warn) options_.warn(std::string("history is not kept: ") + e.what());
  }
}

line_history::line_history(options o) : options_(std::move(o)) {
  if (options_.file.empty()) return;
  file_ = std::make_unique<history_file>(options_.file, options_.most);
  with_file([this](history_file& f) { entries_ = f.load(); });
  with_file([](history_file& f) { f.shorten(); });
}

line_history::~line_history() {
  with_file([](history_file& f) { f.shorten(); });
}

bool line_history::add(const std::string& entry) {
  if (is_blank(entry) || (!entries_.empty() && entries_.back() == entry)) return false;
  if (entries_.size() >= options_.most && !entries_.empty()) entries_.erase(entries_.begin());
  entries_.push_back(entry);
  with_file([&entry](history_file& f) { f.append(entry); });
  return true;
}

}  // namespace troupe::shell
