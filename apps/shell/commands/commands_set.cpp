// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cstdint>

#include "troupe/actors/option_table.hpp"
#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

// Settings that no runtime has.
constexpr std::string_view states = "states";
constexpr std::string_view states_doc = "say how far arrays are and how long they were waited for";
constexpr std::string_view priority = "priority";
constexpr std::string_view priority_doc =
    "of what later inputs compute, from -128 to 127: higher ones go first";

std::string switched(bool on) { return on ? "on" : "off"; }

bool to_switch(std::string_view text) {
  if (text == "on") return true;
  if (text == "off") return false;
  throw error("on or off, not " + std::string(text), {});
}

int to_priority(const std::string& text) {
  int number = 0;
  const auto end = text.data() + text.size();
  const auto [rest, why] = std::from_chars(text.data(), end, number);
  if (why != std::errc() || rest != end || number < INT8_MIN || number > INT8_MAX)
    throw error("the priority is a number from -128 to 127, not " + text, {});
  return number;
}

std::string value_text(const option_row& row, const runtime_options& options) {
  const auto number = *row.get(options);
  return row.kind == option_kind::bytes ? std::to_string(number >> 20) + "M"
                                        : std::to_string(number);
}

std::string line_of(std::string_view name, const std::string& value, std::string_view doc) {
  std::string left = "    " + std::string(name) + " " + value;
  left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
  left += doc;
  left.erase(std::remove(left.begin(), left.end(), '`'), left.end());
  return left + "\n";
}

/// Returns a line for each setting, or for that with a name.
std::string settings_text(session& s, std::string_view only = {}) {
  std::string out;
  const auto add = [&](std::string_view name, const std::string& value, std::string_view doc) {
    if (only.empty() || name == only) out += line_of(name, value, doc);
  };
  add(states, switched(s.reporting().chatty()), states_doc);
  add(priority, std::to_string(s.priority()), priority_doc);
  for (const auto& row : all_options()) {
    if (row.in_shell) add(row.name, value_text(row, s.engine().options()), row.doc);
  }
  return out;
}

error no_setting(const std::string& name) {
  return error("there is no setting " + name + suggestion(name, setting_names()), {});
}

void set(session& s, const command_input& given) {
  if (!given.has()) return s.reporting().text(settings_text(s));
  const auto& name = given.text();
  if (!given.has(1)) {
    if (const auto line = settings_text(s, name); !line.empty()) return s.reporting().text(line);
    throw no_setting(name);
  }
  const auto& value = given.text(1);
  if (name == states) return s.reporting().set_chatty(to_switch(value));
  if (name == priority) return s.set_priority(to_priority(value));
  for (const auto& row : all_options()) {
    if (!row.in_shell || row.name != name) continue;
    auto options = s.engine().options();
    row.set(options, parse_option(row, row.name, value));
    return s.restart(options);
  }
  throw no_setting(name);
}

}  // namespace

std::vector<std::string_view> setting_names() {
  std::vector<std::string_view> names{states, priority};
  for (const auto& row : all_options()) {
    if (row.in_shell) names.push_back(row.name);
  }
  return names;
}

std::vector<command> setting_commands() {
  return {{"set",
           "Session",
           {{"NAME", argument_kind::setting, false}, {"VALUE", argument_kind::text, false}},
           "the settings, or one of them, or another value for it",
           set}};
}

}  // namespace troupe::shell
