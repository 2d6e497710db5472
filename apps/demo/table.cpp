// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/table.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace troupe::demo {

std::ostream& operator<<(std::ostream& out, const table& t) {
  std::vector<std::size_t> widths;
  for (const auto& row : t.rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : t.rows_) {
    out << "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - row[i].size(), ' ');
      if (i == 0) out << row[i] << (row.size() > 1 ? space : "");
      else out << "   " << space << row[i];
    }
    out << '\n';
  }
  return out;
}

std::string number_text(double x, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, x);
  return text;
}

}  // namespace troupe::demo
