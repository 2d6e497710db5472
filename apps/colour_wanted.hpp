// SPDX-License-Identifier: MIT
#pragma once

namespace troupe {

/// Whether it is a terminal that shows colours, and the user has not set NO_COLOR.
bool colour_wanted(int file_descriptor);

}  // namespace troupe
