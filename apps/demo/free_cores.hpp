// SPDX-License-Identifier: MIT
#pragma once

namespace troupe::demo {

/// How many cores this process gets if it wants them all, measured for a fifth of a second.
double measure_free_cores();

}  // namespace troupe::demo
