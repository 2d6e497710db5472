// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>

#include "troupe/language/evaluator/dynamic_value.hpp"

namespace troupe::shell {

using namespace language;

/// Copies values to the current engine: a sync point. A list that several values hold is copied
/// once. Failed arrays and functions stay as they are.
class copies_to_engine {
 public:
  dynamic_value operator()(const dynamic_value& x);

 private:
  using list_ptr = std::shared_ptr<const list>;

  std::map<list_ptr, list_ptr> lists_;
};

}  // namespace troupe::shell
