// SPDX-License-Identifier: MIT
#include "troupe/apps/demo/page.hpp"

#include <algorithm>
#include <sstream>
#include <thread>
#include <utility>

#include "troupe/tensor/overlap.hpp"

namespace troupe::demo {

page::page(std::ostream& out, const timeline_style& style, bool quick, std::string trace_file)
    : out_(out), style_(style), quick_(quick), trace_file_(std::move(trace_file)) {}

void page::title(std::string_view text) {
  const char* on = style_.colour ? "\033[1m" : "";
  const char* off = style_.colour ? "\033[0m" : "";
  out_ << on << text << off << '\n' << std::string(text.size(), '=') << "\n\n" << std::flush;
}

void page::text(std::string_view paragraph) {
  const auto width = static_cast<std::size_t>(std::clamp(style_.width, 40, 100));
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
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) out_ << "    " << line << '\n';
  out_ << '\n' << std::flush;
}

void page::figures(const table& t) { out_ << t << '\n' << std::flush; }

void page::timeline(std::string_view caption, const trace_log& log) {
  out_ << caption << ": " << measure_overlap(log) << '\n';
  draw_timeline(out_, log, style_);
  out_ << '\n' << std::flush;
}

void page::keep_trace(const runtime& rt) {
  if (trace_file_.empty()) return;
  rt.save_trace(trace_file_);
  text("Trace saved in " + trace_file_ + "; ui.perfetto.dev opens it.");
}

void say_if_one_core(page& p) {
  if (std::thread::hardware_concurrency() == 1)
    p.text(
        "This machine has one core, so nothing here can run at the same time: expect the times to "
        "add up.");
}

}  // namespace troupe::demo
