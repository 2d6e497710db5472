// SPDX-License-Identifier: MIT
#pragma once

namespace troupe {

/// Returns true for a terminal that shows colours, unless the user has set NO_COLOR.
bool colour_wanted(int file_descriptor);

}  // namespace troupe
