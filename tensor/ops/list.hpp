// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "troupe/tasks/operation.hpp"

namespace troupe {

/// The records of all operations of the library.
std::span<const operation* const> all_operations();

/// The record with a name; null if there is none.
const operation* find_operation(std::string_view name);

}  // namespace troupe
