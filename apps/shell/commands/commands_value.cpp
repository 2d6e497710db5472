// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/progress.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/text/display_width.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

constexpr std::string_view not_computed = "not computed: only its type is asked for";

/// Engine that takes tasks and runs none of them: their results have a shape and a dtype, and fail
/// when they are read.
class type_only_engine final : public engine {
 public:
  explicit type_only_engine(drivers devices) : engine(std::move(devices)) {}
  ~type_only_engine() override { retire(); }

  void submit(task_ptr t) override { t->fail(not_computed); }
  bool wait(const value_ref&, const wait_limit&) override { return true; }
  void wait_all() override {}
  void cancel_all() override {}
  trace_log trace(ticks) override { return {}; }
  std::uint64_t pending() const noexcept override { return 0; }
  std::vector<task_state> tasks() override { return {}; }

  /// Returns an array of this engine with the type of another one.
  tensor stand_in(const tensor& x) const {
    value_ref v(new value(x.type()));
    v->engine = id();
    auto why = std::make_shared<failure>();
    why->text = not_computed;
    v->fail(std::move(why));
    return tensor(std::move(v));
  }
};

void type(session& s, const command_input& given) {
  type_only_engine none(s.engine().devices());
  const use_engine here(none.id());
  std::string text;
  {
    const stand_ins instead(
        s.variables(), [&](const tensor& x) -> std::optional<tensor> { return none.stand_in(x); });
    text = describe(s.evaluate(given.expression()));
  }
  s.reporting().text("    " + text + "\n");
}

void vars(session& s, const command_input&) {
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

void info(session& s, const command_input& given) {
  const auto value = s.evaluate(given.expression());
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

/// Measures a block or an expression: how long it takes, submitting and waiting.
void bench(session& s, const command_input& given) {
  constexpr double enough = 0.5;
  constexpr std::size_t most = 10'000;
  const auto e = s.parsed(given.expression());
  std::vector<double> times;
  double total = 0;
  while (times.size() < most && (total < enough || times.size() < 5)) {
    s.look_up();
    const auto start = now();
    const auto value = s.variables().evaluate(e);
    s.variables().wait_for(value, e.call_site);
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
  const command_argument expression{"EXPRESSION", argument_kind::expression};
  return {
      {"type", "Values", {expression}, "its shape and dtype; nothing is computed", type},
      {"vars", "Values", {}, "the variables and how far they are", vars},
      {"info", "Values", {expression}, "all about an array", info},
      {"bench", "Values", {expression}, "how long it takes: the median of many runs", bench},
  };
}

}  // namespace troupe::shell
