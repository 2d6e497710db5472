// SPDX-License-Identifier: MIT
#include <charconv>

#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/evaluator/similar.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

std::string switched(bool on) { return on ? "on" : "off"; }

bool to_switch(std::string_view text) {
  if (text == "on") return true;
  if (text == "off") return false;
  throw error("on or off, not " + std::string(text), {});
}

std::int64_t to_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const int shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : unit.empty() ? 0 : -1;
  if (failed != std::errc() || shift < 0 || value < 0 || value > (INT64_MAX >> shift))
    throw error("no number: " + std::string(text), {});
  return value << shift;
}

struct setting {
  std::string_view name;
  std::string_view doc;
  std::string (*get)(session& s);
  void (*set)(session& s, std::string_view text);
};

void restart(session& s, std::string_view text, void (*change)(runtime_options&, std::int64_t)) {
  auto options = s.engine().options();
  change(options, to_number(text));
  s.restart(options);
}

constexpr setting settings[] = {
    {"states", "say how far arrays are and how long they were waited for",
     [](session& s) { return switched(s.reporting().chatty()); },
     [](session& s, std::string_view text) { s.reporting().set_chatty(to_switch(text)); }},
    {"lanes", "threads of each CPU device",
     [](session& s) { return std::to_string(*s.engine().options().lanes); },
     [](session& s, std::string_view text) {
       restart(s, text, [](auto& o, auto n) {
         o.lanes = static_cast<int>(std::min<std::int64_t>(n, INT32_MAX));
       });
     }},
    {"memory_limit", "bytes that each device may hold: 512M, 8G",
     [](session& s) { return std::to_string(*s.engine().options().memory_limit >> 20) + "M"; },
     [](session& s, std::string_view text) {
       restart(s, text, [](auto& o, auto n) { o.memory_limit = static_cast<std::size_t>(n); });
     }},
    {"max_pending", "tasks that may be pending before submitting waits",
     [](session& s) { return std::to_string(*s.engine().options().max_pending); },
     [](session& s, std::string_view text) {
       restart(s, text, [](auto& o, auto n) {
         o.max_pending = static_cast<int>(std::min<std::int64_t>(n, INT32_MAX));
       });
     }},
    {"trace_events", "tasks of each lane that a trace keeps",
     [](session& s) { return std::to_string(*s.engine().options().trace_events); },
     [](session& s, std::string_view text) {
       restart(s, text, [](auto& o, auto n) {
         o.trace_events = static_cast<int>(std::min<std::int64_t>(n, INT32_MAX));
       });
     }},
};

void set(session& s, const command_input& given) {
  if (!given.has()) {
    std::string out;
    for (const auto& one : settings) {
      std::string left = "    " + std::string(one.name) + " " + one.get(s);
      left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
      out += left + std::string(one.doc) + "\n";
    }
    return s.reporting().text(out);
  }
  const auto& name = given.text();
  for (const auto& one : settings)
    if (one.name == name) return one.set(s, given.text(1));
  throw error("there is no setting " + name + suggestion(name, setting_names()), {});
}

}  // namespace

std::vector<std::string_view> setting_names() {
  std::vector<std::string_view> names;
  for (const auto& one : settings) names.push_back(one.name);
  return names;
}

std::vector<command> setting_commands() {
  return {{"set",
           "Session",
           {{"NAME", argument_kind::setting, false}, {"VALUE", argument_kind::text}},
           "the settings, or another value for one",
           set}};
}

}  // namespace troupe::shell
