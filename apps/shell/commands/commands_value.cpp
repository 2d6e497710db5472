// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/commands/stand_ins.hpp"
#include "troupe/apps/shell/commands/type_only_engine.hpp"
#include "troupe/apps/shell/session/progress.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/text/display_width.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

void type(session& s, std::string_view expression) {
  if (expression.empty()) misused("type");
  type_only_engine none(s.engine().devices());
  const use_engine here(none.id());
  std::string text;
  {
    const stand_ins instead(
        s.variables(), [&](const tensor& x) -> std::optional<tensor> { return none.stand_in(x); });
    text = describe(s.evaluate(expression));
  }
  s.reporting().text("    " + text + "\n");
}

void vars(session& s, std::string_view) {
  std::vector<std::pair<std::string, std::string>> rows;
  std::size_t width = 0;
  for (const auto name : s.variables().names()) {
    const auto& value = *s.variables().find(name);
    const auto* array = std::get_if<tensor>(&value);
    rows.emplace_back(
        s.symbols().name(name),
        array ? to_string(array->type()) + ", " + s.progress_of(*array) : describe(value));
    width = std::max(width, rows.back().first.size());
  }
  std::sort(rows.begin(), rows.end());
  std::string out;
  for (auto& [name, text] : rows)
    out += "    " + name + std::string(width - name.size() + 2, ' ') + text + "\n";
  s.reporting().text(out.empty() ? "    nothing has a name yet\n" : out);
}

void info(session& s, std::string_view expression) {
  if (expression.empty()) misused("info");
  const auto value = s.evaluate(expression);
  const auto* array = std::get_if<tensor>(&value);
  if (!array) return s.reporting().text("    " + describe(value) + "\n");
  std::string strides;
  for (const auto one : array->strides())
    strides += (strides.empty() ? "" : ", ") + std::to_string(one);
  std::string out;
  const auto row = [&](const char* what, const std::string& text) {
    char label[24];
    std::snprintf(label, sizeof label, "    %-10s", what);
    out += label + text + "\n";
  };
  row("type", to_string(array->type()));
  row("elements", std::to_string(array->size()) + ", " +
                      bytes_text(static_cast<double>(array->size()) *
                                 static_cast<double>(size_of(array->dtype()))));
  row("strides", "[" + strides + "]" + (array->part() ? ", a view of another array" : ""));
  row("task", "number " + std::to_string(array->source()->sequence));
  const auto state = s.progress_of(*array);
  row("state", array->failed() ? "failed" : state);
  if (array->failed()) row("why", failure_text(*array));
  s.reporting().text(out);
}

/// Of a block or an expression: how long it takes, submitting and waiting.
void bench(session& s, std::string_view expression) {
  if (expression.empty()) misused("bench");
  constexpr double enough = 0.5;
  constexpr std::size_t most = 10'000;
  const auto e = parse_expression(expression, s.symbols(), s.origin_of(expression));
  std::vector<double> times;
  double total = 0;
  while (times.size() < most && (total < enough || times.size() < 5)) {
    s.look_up();
    const auto start = now();
    const auto value = s.variables().evaluate(e);
    if (const auto* array = std::get_if<tensor>(&value)) s.wait(*array, e.call_site);
    times.push_back(seconds_between(start, now()));
    total += times.back();
  }
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) {
    return duration_text(
        times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))]);
  };
  s.reporting().text("    median " + at(0.5) + ", from " + at(0) + " to " + at(0.9) +
                     " in nine of ten; " + std::to_string(times.size()) + " runs\n");
}

}  // namespace

std::vector<command> value_commands() {
  return {
      {"type", "Values", "EXPRESSION", "its shape and dtype; nothing is computed", type},
      {"vars", "Values", "", "the variables and how far they are", vars},
      {"info", "Values", "EXPRESSION", "all about an array", info},
      {"bench", "Values", "EXPRESSION", "how long it takes: the median of many runs", bench},
  };
}

}  // namespace troupe::shell
