// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/evaluator/similar.hpp"

#include <algorithm>

namespace troupe::shell {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string suggestion(std::string_view misspelt, const std::vector<std::string_view>& words) {
  constexpr std::size_t longest = 40;
  if (misspelt.size() > longest) return "";
  const std::size_t most = misspelt.size() < 3 ? 1 : misspelt.size() < 7 ? 2 : 3;
  std::string_view best;
  std::size_t least = most + 1;
  for (const auto one : words) {
    if (one.size() + most < misspelt.size() || one.size() > misspelt.size() + most) continue;
    if (const auto d = edit_distance(misspelt, one); d < least) {
      least = d;
      best = one;
    }
  }
  return best.empty() || least >= misspelt.size() ? ""
                                                  : "; did you mean " + std::string(best) + "?";
}

}  // namespace troupe::shell
