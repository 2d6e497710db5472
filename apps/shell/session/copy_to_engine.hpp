// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string_view>

#include "troupe/language/evaluator/dynamic_value.hpp"

namespace troupe::shell {

using namespace language;

/// Copies values to the current engine: a sync point. A list that several values hold is copied
/// once. Failed arrays and functions stay as they are. Throws troupe::error for what does not fit
/// there; the error begins with `what` and has no place.
class copies_to_engine {
 public:
  dynamic_value operator()(const dynamic_value& x, std::string_view what);

 private:
  using list_ptr = std::shared_ptr<const list>;

  std::map<list_ptr, list_ptr> lists_;
};

}  // namespace troupe::shell
