// SPDX-License-Identifier: MIT
#include "troupe/text/quantities.hpp"

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

std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  constexpr int last = 5;
  int unit = 0;
  for (; std::abs(bytes) >= 1024 && unit < last; ++unit) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text;
}

std::string count_text(std::uint64_t count, std::string_view thing) {
  return std::to_string(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

}  // namespace troupe
