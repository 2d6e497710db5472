// SPDX-License-Identifier: MIT
#pragma once

#include <caf/message.hpp>

#include "troupe/actors/messages.hpp"
#include "troupe/actors/request_error.hpp"

namespace troupe {

/// Returns the value that a request must wait for next: the first that is pending, unless one
/// before it has failed. Returns null if the request can be answered.
inline value* first_pending(const await_values& request) {
  for (const auto& v : request.values) {
    if (v->pending()) return v.get();
    if (v->failed()) break;
  }
  return nullptr;
}

/// Returns the answer to a request that need not wait any more: its own, or an error if a value has
/// failed.
inline caf::message answer_to(const await_values& request) {
  for (const auto& v : request.values) {
    if (v->failed()) return caf::make_message(error_from(*v->why()));
  }
  return request.answer;
}

/// Returns the answer to a request that `act` carries out: nothing, or the error that it throws.
template <class F>
caf::message outcome(F&& act) {
  try {
    act();
    return {};
  } catch (const error& e) { return caf::make_message(error_from(e)); }
}

}  // namespace troupe
