// SPDX-License-Identifier: MIT
#include "troupe/tasks/duration_text.hpp"

#include <cmath>
#include <cstdio>

namespace troupe {

std::string duration_text(double seconds) {
  const double size = std::abs(seconds);
  char text[32];
  if (size >= 1) std::snprintf(text, sizeof text, "%.2f s", seconds);
  else if (size >= 1e-3) std::snprintf(text, sizeof text, "%.2f ms", seconds * 1e3);
  else if (size >= 1e-6) std::snprintf(text, sizeof text, "%.2f us", seconds * 1e6);
  else std::snprintf(text, sizeof text, "%.0f ns", seconds * 1e9);
  return text;
}

}  // namespace troupe
