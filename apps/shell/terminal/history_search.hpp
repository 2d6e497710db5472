// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::shell {

/// Looks for entries of a history that contain a text, letter by letter as it is typed; first for
/// the newest. The entries must outlive it and not change.
class history_search {
 public:
  explicit history_search(const std::vector<std::string>& entries) : entries_(&entries) {}

  void extend(std::string_view character);  ///< what is found already stays if it suits
  void shorten();                           ///< by a character, and begins anew
  void older();
  void newer();

  const std::string& wanted() const noexcept { return wanted_; }
  bool failed() const noexcept { return failed_; }  ///< the last of these calls found nothing
  /// What was found last, and where in it; null if nothing was.
  const std::string* entry() const noexcept { return at_ ? &(*entries_)[*at_] : nullptr; }
  std::size_t offset() const noexcept { return offset_; }

 private:
  bool take_if_it_suits(std::size_t position, const std::string* unlike);
  void look_back_from(std::size_t end, const std::string* unlike);

  const std::vector<std::string>* entries_;
  std::string wanted_;
  std::optional<std::size_t> at_;
  std::size_t offset_ = 0;
  bool failed_ = false;
};

}  // namespace troupe::shell
