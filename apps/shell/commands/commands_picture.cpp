// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/commands/write_file.hpp"
#include "troupe/apps/shell/pictures/plot.hpp"
#include "troupe/apps/shell/pictures/task_graph.hpp"
#include "troupe/apps/shell/pictures/task_tree.hpp"
#include "troupe/apps/shell/pictures/timeline_svg.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/timeline.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

constexpr int plot_height = 12;
constexpr int bins = 16;

void graph(session& s, std::string_view arguments) {
  auto words = words_of(arguments);
  const auto svg = take_option(words, "--svg"), dot = take_option(words, "--dot");
  if (words.size() != 1) misused("graph");
  const auto value = s.evaluate(words[0]);
  const auto* array = std::get_if<tensor>(&value);
  if (!array || !array->defined()) throw error("graph: wants an array, not " + describe(value), {});
  const auto g = graph_of(s, *array);
  if (!svg.empty()) write_file(svg, to_svg(g));
  if (!dot.empty()) write_file(dot, to_dot(g));
  if (svg.empty() && dot.empty()) s.reporting().text(draw_tree(g, style_of_stdout().width));
}

void timeline(session& s, std::string_view arguments) {
  auto words = words_of(arguments);
  const auto svg = take_option(words, "--svg");
  const bool all = words == std::vector<std::string>{"all"};
  if (!all && !words.empty()) misused("timeline");
  const auto log = all ? s.engine().trace() : s.latest_trace();
  if (!svg.empty()) return write_file(svg, timeline_svg(log));
  std::ostringstream out;
  draw_timeline(out, log, style_of_stdout());
  s.reporting().text(out.str());
}

void trace(session& s, std::string_view arguments) {
  const auto words = words_of(arguments);
  if (words.size() != 1) misused("trace");
  s.engine().save_trace(words[0], 0, {});
  s.reporting().text("    what ran is in " + words[0] + ": ui.perfetto.dev opens it\n");
}

std::vector<double> numbers_of(session& s, std::string_view name, std::string_view expression) {
  if (expression.empty()) misused(name);
  const auto value = s.evaluate(expression);
  const auto array = to_array(value, std::string(name), {});
  s.wait(array, {});
  if (array.size() == 0) throw error(std::string(name) + ": the array is empty", {});
  return array.to_vector<double>();
}

void plot(session& s, std::string_view expression) {
  const auto numbers = numbers_of(s, "plot", expression);
  s.reporting().text(draw_curve(numbers, std::min(style_of_stdout().width, 100), plot_height));
}

void hist(session& s, std::string_view expression) {
  const auto numbers = numbers_of(s, "hist", expression);
  s.reporting().text(draw_histogram(numbers, bins, std::min(style_of_stdout().width, 100)));
}

}  // namespace

std::vector<command> picture_commands() {
  return {
      {"graph", "Pictures", "NAME [--svg FILE] [--dot FILE]",
       "what an array was or will be computed from", graph},
      {"timeline", "Pictures", "[all] [--svg FILE]",
       "what ran when on which lane, in the latest input that ran anything", timeline},
      {"trace", "Pictures", "FILE.json", "what ran, for ui.perfetto.dev", trace},
      {"plot", "Pictures", "EXPRESSION", "the elements as a curve", plot},
      {"hist", "Pictures", "EXPRESSION", "how often the elements have which value", hist},
  };
}

}  // namespace troupe::shell
