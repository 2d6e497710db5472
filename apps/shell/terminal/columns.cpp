// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/terminal/columns.hpp"

#include <algorithm>
#include <cstddef>

#include "troupe/text/display_width.hpp"

namespace troupe::shell {

namespace {

constexpr int gap = 2;

/// The width of each column if the words stand in columns of so many rows.
std::vector<int> column_widths(const std::vector<int>& widths, std::size_t rows) {
  std::vector<int> columns((widths.size() + rows - 1) / rows, 0);
  for (std::size_t i = 0; i < widths.size(); ++i)
    columns[i / rows] = std::max(columns[i / rows], widths[i]);
  return columns;
}

bool fits(const std::vector<int>& columns, int width) {
  int all = -gap;
  for (const int one : columns)
    if ((all += one + gap) >= width) return false;
  return true;
}

/// The fewest that will do.
std::size_t rows_for(const std::vector<int>& widths, int width) {
  const auto narrowest = std::max(1, *std::min_element(widths.begin(), widths.end()));
  const auto most = static_cast<std::size_t>(std::max(1, (width + gap) / (narrowest + gap)));
  auto rows = (widths.size() + most - 1) / most;
  while (rows < widths.size() && !fits(column_widths(widths, rows), width)) ++rows;
  return rows;
}

}  // namespace

std::string in_columns(const std::vector<std::string>& words, int width) {
  if (words.empty()) return {};
  std::vector<int> widths;
  widths.reserve(words.size());
  for (const auto& word : words) widths.push_back(display_width(word));
  const auto rows = rows_for(widths, width);
  const auto columns = column_widths(widths, rows);
  std::string out;
  for (std::size_t row = 0; row < rows; ++row) {
    for (auto i = row; i < words.size(); i += rows) {
      out += words[i];
      if (i + rows < words.size())
        out.append(static_cast<std::size_t>(columns[i / rows] - widths[i] + gap), ' ');
    }
    out += '\n';
  }
  return out;
}

}  // namespace troupe::shell
