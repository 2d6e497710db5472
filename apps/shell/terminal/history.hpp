// SPDX-License-Identifier: MIT
#pragma once

#include <histedit.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace troupe::shell {

struct history_options {
  std::string file = {};  ///< empty: none; made, with its folder, when the first entry comes
  int most = 5'000;       ///< entries that are kept; the newest
  /// Called at most once, when the file cannot be read or written; the history goes on without it.
  std::function<void(const std::string&)> warn = {};
};

/// Inputs that were typed, also in earlier sessions if there is a file: libedit's list of them, and
/// the file as libedit writes it, for its owner alone. Each entry is written at once, behind what
/// other shells have written meanwhile.
class line_history {
 public:
  explicit line_history(history_options options);

  /// Adds an entry unless it is blank, not UTF-8, or the same as the one before.
  void add(const std::string& entry);
  History* get() const noexcept { return entries_.get(); }

 private:
  struct give_back {
    void operator()(History* entries) const noexcept { history_end(entries); }
  };
  using list = std::unique_ptr<History, give_back>;

  static list empty_list(int most);
  template <class Work>
  void with_file(int flags, Work work) noexcept;
  void load(FILE* file);

  history_options options_;
  list entries_;
};

/// Way through a history with the arrow keys: from a line half typed to the entries that begin like
/// it, and back.
class recall {
 public:
  explicit recall(History* entries) : entries_(entries) {}

  /// Returns the entry to show in place of `line`, of which `left` is left of the cursor; nothing
  /// if there is none. While the line stays as returned, the next call goes on with the search.
  std::optional<std::string> older(const std::string& line, std::string_view left);
  std::optional<std::string> newer(const std::string& line);

  /// Tells whether the line is what this returned last.
  bool is_under_way(const std::string& line) const { return shown_ && *shown_ == line; }
  void forget() { shown_.reset(); }

 private:
  std::optional<std::string> look(int direction);

  History* entries_;
  std::optional<std::string> shown_;
  std::optional<int> at_;  ///< number of the entry shown; none if it is the draft
  std::string draft_;      ///< the line when the search began
  std::string prefix_;
};

}  // namespace troupe::shell
