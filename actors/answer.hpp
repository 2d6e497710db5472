// SPDX-License-Identifier: MIT
#pragma once

#include <caf/error.hpp>
#include <caf/message.hpp>
#include <caf/result.hpp>
#include <caf/sec.hpp>

#include "troupe/actors/messages.hpp"

namespace troupe {

/// Returns the answer to `await_value` for a settled value: the value, or an error with the text of
/// its failure.
inline caf::result<caf::message> answer(const value_ref& v) {
  if (!v->failed()) return caf::make_message(value_resolved{v});
  return caf::make_error(caf::sec::runtime_error, v->why()->text);
}

}  // namespace troupe
