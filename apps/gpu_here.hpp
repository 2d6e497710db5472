// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe {

/// Describes gpu:0, the first GPU that a runtime uses here, in one line; empty if it uses none.
/// Starts a runtime to find out.
std::string gpu_here();

}  // namespace troupe
