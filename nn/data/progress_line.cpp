// SPDX-License-Identifier: MIT
#include "troupe/nn/data/progress_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "troupe/text/display_width.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe::nn::detail {

namespace {

constexpr int widest_bar = 40, narrowest_bar = 4;
constexpr double most_seconds = 359'999;  // 99:59:59

template <class... Numbers>
std::string format(const char* how, Numbers... numbers) {
  char text[64];
  std::snprintf(text, sizeof text, how, numbers...);
  return text;
}

std::string time_text(double seconds) {
  const auto s = static_cast<int>(std::lround(std::clamp(seconds, 0., most_seconds)));
  if (s >= 3600) return format("%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
  return format("%d:%02d", s / 60, s % 60);
}

std::string rate_text(double per_second) {
  if (per_second < 0.1) return format("%.1f s each", 1 / per_second);
  return format(per_second >= 100 ? "%.0f/s" : per_second >= 10 ? "%.1f/s" : "%.2f/s", per_second);
}

double share_of(const progress_state& s) noexcept {
  if (*s.total <= 0) return 1;
  return std::clamp(static_cast<double>(s.done) / static_cast<double>(*s.total), 0., 1.);
}

/// Returns the text after the bar.
std::string facts(const progress_state& s) {
  auto out = std::to_string(s.done);
  if (s.total) out.append(1, '/').append(std::to_string(*s.total));
  if (s.rest_under_way) out += " computed, the rest is under way";
  if (s.per_second > 0) out.append("  ").append(rate_text(s.per_second));
  const bool foreseen = !s.over && s.total && s.per_second > 0;
  const auto left = foreseen ? static_cast<double>(*s.total - s.done) / s.per_second : s.seconds;
  out.append("  ").append(time_text(left)).append(foreseen ? " left" : "");
  for (const auto& [name, text] : s.shown)
    out.append("  ").append(on_one_line(name)).append(" ").append(on_one_line(text));
  return out;
}

}  // namespace

std::string progress_line(const progress_state& s, int width) {
  auto left = on_one_line(s.label);
  if (!left.empty()) left += "  ";
  const auto right = facts(s);
  if (!s.total) return std::string(first_columns(left + right, width));
  left += format("%d%% ", static_cast<int>(100 * share_of(s)));
  const int room = std::min(width - display_width(left) - display_width(right) - 3, widest_bar);
  if (room < narrowest_bar) return std::string(first_columns(left + right, width));
  const auto full = static_cast<std::size_t>(share_of(s) * room);
  return left + "|" + std::string(full, '#') +
         std::string(static_cast<std::size_t>(room) - full, ' ') + "| " + right;
}

}  // namespace troupe::nn::detail
