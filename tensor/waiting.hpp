// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <span>
#include <stop_token>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Waits until all of them are ready, in one call: `wait({a, b, c})`. Throws the failure of the
/// first that could not be computed, in the order given, once all have ended.
void wait(std::span<const tensor> all, caller where = caller::current());
inline void wait(std::initializer_list<tensor> all, caller where = caller::current()) {
  wait(std::span(all.begin(), all.size()), where);
}

/// Waits until the elements are ready, or until another thread requests a stop; returns true if
/// they are ready. The task itself goes on. Throws as `tensor::wait` does.
///
///     std::stop_source button;
///     if (!wait(x, button.get_token())) return;  // somebody called button.request_stop()
bool wait(const tensor& x, std::stop_token stop, caller where = caller::current());

/// Fails what has not started of the work that only this array needs: its own task, with all its
/// results, and those tasks before it whose results no tensor names and nothing else reads. Reading
/// it then throws cancelled_error, and so does all that is computed from it. A task that runs goes
/// on, and an array that is ready or has failed stays as it is.
void cancel(const tensor& x, caller where = caller::current());

}  // namespace troupe
