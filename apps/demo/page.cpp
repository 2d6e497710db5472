// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/page.hpp"

#include <algorithm>
#include <sstream>

#include "troupe/tasks/overlap.hpp"

namespace troupe::demo {

void page::title(std::string_view text) {
  const char* on = settings_.style.colour ? "\033[1m" : "";
  const char* off = settings_.style.colour ? "\033[0m" : "";
  out_ << on << text << off << '\n' << std::string(text.size(), '=') << "\n\n" << std::flush;
}

void page::text(std::string_view paragraph) {
  const auto width = static_cast<std::size_t>(std::clamp(settings_.style.width, 40, 100));
  std::istringstream words{std::string(paragraph)};
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out_ << line << '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  out_ << line << "\n\n" << std::flush;
}

void page::code(std::string_view lines) {
  std::istringstream in{std::string(lines)};
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) out_ << "    " << line << '\n';
  }
  out_ << '\n' << std::flush;
}

void page::figures(const table& t) { out_ << t << '\n' << std::flush; }

void page::timeline(std::string_view caption, const trace_log& log) {
  out_ << caption << ":\n" << measure_overlap(log) << '\n';
  draw_timeline(out_, log, settings_.style);
  out_ << '\n' << std::flush;
}

void page::warn_of_missing_cores() {
  if (settings_.free_cores > 1.7) return;
  text("Only " + number_text(settings_.free_cores, 1) +
       " cores were to be had when the demo started, so expect times to add up here: a lane that "
       "has no core counts as "
       "busy, but gets nothing done.");
}

void page::keep_trace(const runtime& rt) {
  if (!settings_.trace_file.empty()) rt.save_trace(settings_.trace_file);
}

}  // namespace troupe::demo
