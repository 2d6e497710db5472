// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/pictures/plot.hpp"
#include "troupe/apps/shell/pictures/task_graph.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/session/sources.hpp"
#include "troupe/apps/timeline.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/file_call.hpp"
#include "troupe/tasks/profile.hpp"
#include "troupe/tasks/trace.hpp"

namespace troupe::shell {

namespace {

constexpr int plot_height = 12;
constexpr int bins = 16;

task_graph graph_of(session& s, const dynamic_value& x, std::string_view expression) {
  if (const auto* array = std::get_if<tensor>(&x); array && array->defined())
    return shell::graph_of(s, *array);
  const auto* f = std::get_if<std::shared_ptr<const function>>(&x);
  if (!f || !(*f)->only_program) {
    const auto instead = "; parse_program(program_text(" + std::string(expression) +
                         ", [x])) is its program for arguments such as x";
    throw error("graph: wants an array or a program, not " + describe(x) + (f ? instead : ""), {});
  }
  return shell::graph_of((*f)->as_program({}, {}));
}

void graph(session& s, const command_input& given) {
  const auto g = graph_of(s, s.evaluate(given.expression()), given.expression());
  const auto &svg = given.option("--svg"), &dot = given.option("--dot");
  if (!svg.empty()) write_text_file("graph", svg, to_svg(g));
  if (!dot.empty()) write_text_file("graph", dot, to_dot(g));
  if (svg.empty() && dot.empty()) s.reporting().text(draw_tree(g, style_of_stdout().width));
}

/// Throws if the trace keeps nothing.
void check_trace(session& s, const command_input& given) {
  if (*s.engine().options().trace_events == 0)
    throw error(std::string(given.record().name) +
                    ": nothing that ran is kept; :set trace_events 16384 keeps some",
                {});
}

void timeline(session& s, const command_input& given) {
  check_trace(s, given);
  const auto log = given.has() ? s.engine().trace() : s.latest_trace();
  if (const auto& svg = given.option("--svg"); !svg.empty())
    return write_text_file("timeline", svg, timeline_svg(log));
  std::ostringstream out;
  draw_timeline(out, log, style_of_stdout());
  s.reporting().text(out.str());
}

void trace(session& s, const command_input& given) {
  check_trace(s, given);
  write_chrome_trace(s.engine().trace(), {"trace", given.text(), {}});
  s.reporting().text("    what ran is in " + given.text() + ": ui.perfetto.dev opens it\n");
}

void profile(session& s, const command_input& given) {
  check_trace(s, given);
  const auto& word = given.text();
  if (word == "start") {
    s.profile_from(now());
    return s.reporting().text("    started; :profile stop shows what took the time since\n");
  }
  const auto start = s.profiled_from();
  if (word == "stop" && !start) throw error("profile: not started; :profile start does", {});
  const auto log = word == "all" ? s.engine().trace()
                   : start       ? s.engine().trace(*start)
                                 : s.latest_trace();
  if (word == "stop") s.profile_from({});
  std::ostringstream out;
  out << measure_profile(log);
  s.reporting().text(out.str());
}

std::vector<double> numbers_of(session& s, const command_input& given) {
  const std::string name(given.record().name);
  const caller where(s.parsed(given.expression()).call_site);
  const auto array = to_array(s.evaluate(given.expression()), name, where);
  s.wait(array, where);
  if (array.size() == 0) throw error(name + ": the array is empty", where);
  if (is_complex(array.dtype()))
    throw error(name + ": complex numbers have no order: " + to_string(array.type()), where);
  return array.to_vector<double>();
}

void plot(session& s, const command_input& given) {
  const auto numbers = numbers_of(s, given);
  s.reporting().text(draw_curve(numbers, std::min(style_of_stdout().width, 100), plot_height));
}

void hist(session& s, const command_input& given) {
  const auto numbers = numbers_of(s, given);
  s.reporting().text(draw_histogram(numbers, bins, std::min(style_of_stdout().width, 100)));
}

}  // namespace

std::vector<command> picture_commands() {
  const command_argument array{"ARRAY", argument_kind::expression};
  const command_argument all{"", argument_kind::word, false, {"all"}};
  const command_argument all_or_span{"", argument_kind::word, false, {"all", "start", "stop"}};
  const command_argument file{"FILE.json", argument_kind::file};
  const command_argument expression{"EXPRESSION", argument_kind::expression};
  return {
      {"graph",
       "Pictures",
       {array},
       "what an array was or will be computed from; the steps of a program",
       graph,
       {"--svg", "--dot"}},
      {"timeline",
       "Pictures",
       {all},
       "what ran when on which lane, in the latest input that ran anything",
       timeline,
       {"--svg"}},
      {"profile",
       "Pictures",
       {all_or_span},
       "time of each operation, in the latest input that ran anything or since :profile start",
       profile},
      {"trace", "Pictures", {file}, "what ran, for ui.perfetto.dev", trace},
      {"plot", "Pictures", {expression}, "the elements as a curve", plot},
      {"hist", "Pictures", {expression}, "how often the elements have which value", hist},
  };
}

}  // namespace troupe::shell
