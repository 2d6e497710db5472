// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/pictures/plot.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

constexpr int left = 130, width = 1000, row_height = 34, box_height = 24, top = 10;
constexpr const char* colours[] = {"#4e79a7", "#f28e2b", "#59a14f", "#b07aa1",
                                   "#76b7b2", "#e15759", "#edc948", "#9c755f"};

}  // namespace

std::string timeline_svg(const trace_log& log) {
  ticks first = log.events.empty() ? 0 : log.events.front().started, last = first + 1;
  std::map<int, int> rows;
  std::map<std::string_view, std::size_t> kinds;
  for (const auto& e : log.events) {
    first = std::min(first, e.started);
    last = std::max(last, e.ended);
    rows.emplace(e.lane, 0);
    kinds.emplace(e.name, kinds.size());
  }
  for (int next = 0; auto& [lane, row] : rows) row = next++;
  const double scale = width / static_cast<double>(last - first);
  const int height = top + static_cast<int>(rows.size()) * row_height + 30;
  char text[512];
  std::snprintf(text, sizeof text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "font-family=\"sans-serif\" font-size=\"12\">\n",
                left + width + 20, height);
  std::string out = text;
  for (const auto& [lane, row] : rows) {
    std::snprintf(text, sizeof text, "<text x=\"8\" y=\"%d\">%s</text>\n",
                  top + row * row_height + 17, log.lanes[static_cast<std::size_t>(lane)].c_str());
    out += text;
  }
  for (const auto& e : log.events) {
    const double from = static_cast<double>(e.started - first) * scale;
    const double length = std::max(static_cast<double>(e.ended - e.started) * scale, 0.5);
    const std::string name(e.name.substr(0, 60));
    std::snprintf(text, sizeof text,
                  "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" "
                  "stroke=\"#fff\" stroke-width=\"0.5\"><title>%s, %s</title></rect>\n",
                  left + from, top + rows[e.lane] * row_height, length, box_height,
                  e.failed ? "#d00" : colours[kinds[e.name] % std::size(colours)], name.c_str(),
                  duration_text(seconds_between(e.started, e.ended)).c_str());
    out += text;
    if (length > 8 * static_cast<double>(name.size())) {
      std::snprintf(text, sizeof text,
                    "<text x=\"%.1f\" y=\"%d\" fill=\"#fff\" pointer-events=\"none\">%s</text>\n",
                    left + from + 4, top + rows[e.lane] * row_height + 16, name.c_str());
      out += text;
    }
  }
  std::snprintf(text, sizeof text,
                "<text x=\"%d\" y=\"%d\">0</text><text x=\"%d\" y=\"%d\" "
                "text-anchor=\"end\">%s</text>\n</svg>\n",
                left, height - 10, left + width, height - 10,
                duration_text(seconds_between(first, last)).c_str());
  return out + text;
}

}  // namespace troupe::shell
