// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/pictures/plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

namespace troupe::shell {

namespace {

constexpr int label_width = 12;
constexpr double dots_across = 2, dots_down = 4;  // of a Braille character

struct interval {
  double low, high;
};

std::optional<interval> finite_extent(std::span<const double> numbers) {
  std::optional<interval> out;
  for (const auto x : numbers) {
    if (!std::isfinite(x)) continue;
    if (!out) out = {x, x};
    out->low = std::min(out->low, x);
    out->high = std::max(out->high, x);
  }
  return out;
}

/// The same, and not empty: a scale.
std::optional<interval> extent(std::span<const double> numbers) {
  auto out = finite_extent(numbers);
  if (out && out->low == out->high) {
    const double margin = out->low == 0 ? 1 : std::abs(out->low) / 2;
    constexpr double most = std::numeric_limits<double>::max();
    out->low = std::max(out->low - margin, -most);
    out->high = std::min(out->high + margin, most);
  }
  return out;
}

/// Returns a number's position on a scale: 0 at its low end, 1 at its high end.
double part_below(const interval& scale, double x) {
  const double all = scale.high - scale.low;
  if (std::isfinite(all)) return (x - scale.low) / all;
  return (x / 2 - scale.low / 2) / (scale.high / 2 - scale.low / 2);
}

std::string label(double x) {
  char text[32];
  for (int digits = 5; digits >= 3; --digits) {
    if (std::snprintf(text, sizeof text, "%*.*g", label_width - 2, digits, x) == label_width - 2)
      break;
  }
  return text;
}

std::string braille(unsigned dots) {
  const unsigned code = 0x2800 + dots;
  return {static_cast<char>(0xe0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3f)),
          static_cast<char>(0x80 | (code & 0x3f))};
}

/// Returns the interval of the numbers in one of `columns` columns; with few numbers, a point
/// between two of them.
std::optional<interval> part_of(std::span<const double> numbers, int column, int columns) {
  const auto count = numbers.size();
  if (count < static_cast<std::size_t>(columns)) {
    const double at = static_cast<double>(column) * static_cast<double>(count - 1) / (columns - 1);
    const auto left = static_cast<std::size_t>(at);
    const double part = at - static_cast<double>(left);
    const double value =
        part == 0 ? numbers[left] : numbers[left] * (1 - part) + numbers[left + 1] * part;
    if (!std::isfinite(value)) return {};
    return interval{value, value};
  }
  const auto begin = count * static_cast<std::size_t>(column) / static_cast<std::size_t>(columns);
  const auto end = count * static_cast<std::size_t>(column + 1) / static_cast<std::size_t>(columns);
  return finite_extent(numbers.subspan(begin, end - begin));
}

/// A grid of dots, two by four in each character.
class canvas {
 public:
  canvas(int width, int height)
      : width_(width), cells_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  void dot(int x, int y) {
    static constexpr unsigned bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    cells_[static_cast<std::size_t>(y / 4 * width_ + x / 2)] |= bits[y % 4][x % 2];
  }
  std::string line(int row) const {
    std::string out;
    for (int x = 0; x < width_; ++x)
      out += braille(cells_[static_cast<std::size_t>(row * width_ + x)]);
    return out;
  }

 private:
  int width_;
  std::vector<unsigned> cells_;
};

}  // namespace

std::string draw_curve(std::span<const double> numbers, int width, int height) {
  const auto range = extent(numbers);
  if (!range) return "    nothing finite to draw\n";
  const int columns = std::max(width - label_width, 10);
  const int last_x = columns * static_cast<int>(dots_across) - 1;
  const int last_y = height * static_cast<int>(dots_down) - 1;
  canvas picture(columns, height);
  const auto y_of = [&](double v) {
    return last_y - static_cast<int>(std::lround(part_below(*range, v) * last_y));
  };
  const auto count = numbers.size();
  int before = -1;  // the height of the column to the left
  for (int x = 0; x <= last_x; ++x) {
    const auto part = part_of(numbers, x, last_x + 1);
    if (!part) {
      before = -1;
      continue;
    }
    int top = y_of(part->high), bottom = y_of(part->low);
    const int here = bottom;
    if (before >= 0 && top == bottom) {  // joined to its neighbour
      top = std::min(top, before + (before < top ? 1 : 0));
      bottom = std::max(bottom, before - (before > bottom ? 1 : 0));
    }
    for (int y = top; y <= bottom; ++y) picture.dot(x, y);
    before = here;
  }
  std::string out;
  for (int row = 0; row < height; ++row) {
    const bool marked = row == 0 || row == height - 1 || row == height / 2;
    const double value = std::lerp(range->high, range->low, double(row) / std::max(height - 1, 1));
    out += (marked ? label(value) : std::string(label_width - 2, ' ')) + " │" + picture.line(row) +
           "\n";
  }
  const std::string end = std::to_string(count - 1);
  const auto gap = std::max<int>(columns - 1 - static_cast<int>(end.size()), 1);
  return out + std::string(label_width, ' ') + "0" +
         std::string(static_cast<std::size_t>(gap), ' ') + end + "\n";
}

std::string draw_histogram(std::span<const double> numbers, int bins, int width) {
  const auto range = extent(numbers);
  if (!range) return "    nothing finite to count\n";
  std::vector<std::size_t> counts(static_cast<std::size_t>(bins));
  std::size_t left_out = 0;
  for (const auto x : numbers) {
    if (!std::isfinite(x)) {
      ++left_out;
      continue;
    }
    const auto bin = static_cast<int>(part_below(*range, x) * bins);
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0, bins - 1))];
  }
  const auto most = *std::max_element(counts.begin(), counts.end());
  const auto room = static_cast<std::size_t>(std::max(width - 2 * label_width, 10));
  std::string out;
  for (int i = 0; i < bins; ++i) {
    const auto n = counts[static_cast<std::size_t>(i)];
    const auto bar = most == 0 ? 0 : (n * room + most - 1) / most;
    out += label(std::lerp(range->low, range->high, double(i) / bins)) + " │";
    for (std::size_t k = 0; k < bar; ++k) out += "█";
    out += " " + std::to_string(n) + "\n";
  }
  out += label(range->high) + " │\n";
  if (left_out > 0) out += "    " + std::to_string(left_out) + " that are not finite\n";
  return out;
}

}  // namespace troupe::shell
