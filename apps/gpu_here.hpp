// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe {

/// One line on gpu:0, the first GPU that a runtime uses here; empty if it uses none. Starts a
/// runtime to find out.
std::string gpu_here();

}  // namespace troupe
