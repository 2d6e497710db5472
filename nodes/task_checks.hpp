// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "troupe/links/command_text.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tasks/value.hpp"

namespace troupe {

/// An operation that a node runs, or code that its program has registered.
struct known_operation {
  const operation* record = nullptr;
  std::size_t inputs = 0;  ///< how many it takes; at least one if any number
};

/// Finds an operation by its name; without a record if there is none.
known_operation find_known(std::string_view name);

/// Says why a task's inputs, results and parameters do not belong together; empty if they do.
std::string problem_with(const sent_task& one, const known_operation& op, const attributes& given);

/// Returns the bytes of a value as bools, true where they are not 0: what comes from another
/// machine may be neither true nor false, which no kernel expects.
value_ref bools_of(engine& with, const value_ref& bytes);

/// Returns true if every element of a view lies within `count` elements.
bool lies_within(const layout& view, std::int64_t count) noexcept;

}  // namespace troupe
