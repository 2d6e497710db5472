// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "troupe/language/evaluator/dynamic_value.hpp"

namespace troupe::shell {

using namespace language;

/// Copies values to the current engine: a sync point. A list that several values hold is copied
/// once. Failed arrays stay as they are, and functions themselves: `commit` gives them copies of
/// the values that they keep. Throws troupe::error for what does not fit there; the error begins
/// with `what` and has no place.
class copies_to_engine {
 public:
  dynamic_value operator()(const dynamic_value& x, std::string_view what);
  /// Lets the functions among the values go on with copies of what they keep.
  void commit() noexcept;

 private:
  using list_ptr = std::shared_ptr<const list>;
  using values_ptr = std::shared_ptr<kept_values>;

  std::map<list_ptr, list_ptr> lists_;
  void copy_for(const function& f, std::string_view what);

  std::map<values_ptr, std::vector<dynamic_value>> kept_;  ///< copies, by where they go
  std::map<std::shared_ptr<program>, program> programs_;
};

}  // namespace troupe::shell
