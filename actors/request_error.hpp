// SPDX-License-Identifier: MIT
#pragma once

#include <caf/error.hpp>
#include <caf/fwd.hpp>
#include <cstdint>
#include <string>

#include "troupe/tasks/error.hpp"

namespace troupe {

// Errors that answer requests of users' actors: `caf::error`s of the category "troupe", whose
// context is one line of text that ends in the user's file and line.

/// Code of such an error.
enum class request_error : std::uint8_t {
  refused = 1,  ///< it asks for what the runtime can never answer
  failed,       ///< a value could not be computed
  cancelled,    ///< the task that computes a value was cancelled
};

caf::error make_error(request_error code, const std::string& text);
/// Returns the error that stands for a failure, and marks the failure as reported.
caf::error error_from(const failure& f);
/// Returns the error that stands for an exception of this library.
caf::error error_from(const error& e);

/// Returns the error that a request was answered with as an exception, whose text is that of
/// reading the value: `operation: reason (model.cpp:41)`. Its `where` is empty. The text of CAF's
/// own errors is CAF's.
error error_of(const caf::error& e);
/// Throws it: task_error, cancelled_error, or troupe::error for a request that was refused.
[[noreturn]] void raise(const caf::error& e);

/// Makes `system.render(e)` return nothing but the text of such an error.
void render_errors(caf::actor_system_config& config);

}  // namespace troupe
