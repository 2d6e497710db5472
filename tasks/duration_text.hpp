// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace troupe {

/// Returns seconds as readable text: "1.23 s", "4.56 ms", "7.89 us", "12 ns".
std::string duration_text(double seconds);

}  // namespace troupe
