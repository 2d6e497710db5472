// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/graph_text.hpp"

#include <algorithm>

#include "troupe/tensor/program/step_text.hpp"
#include "troupe/tensor/program/view_text.hpp"

namespace troupe {

namespace {

std::string typed(const std::string& name, const tensor_type& type) {
  return name + ": " + std::string(troupe::name(type.element)) +
         list_text({type.dims.begin(), type.dims.end()});
}

/// Returns the line of a source that counts; empty for others.
std::string counting_text(const graph& of, const parameter_source& source) {
  if (source.counters.empty()) return "";
  const auto all = of.counters();
  std::string names;
  for (const auto& one : source.counters)
    names += (names.empty() ? "" : ", ") +
             counter_name(static_cast<std::size_t>(std::ranges::find(all, one) - all.begin()));
  return "  count_up([" + names + "])\n";
}

/// Returns the text behind the last step: variables get their new values, then come the results.
std::string end_text(const graph& of, std::vector<std::string> names) {
  std::string out;
  const auto text_of = [&](const program_result& r) {
    const auto number = static_cast<std::size_t>(r.value);
    return r.part ? view_text(names[number], of.types[number].dims, r.part->layout) : names[number];
  };
  const auto first = of.first_place();
  for (const auto& [to, r] : of.writes) {  // their old values may still be needed
    const auto place = std::ranges::find(of.places, to) - of.places.begin();
    auto& name = names[first + static_cast<std::size_t>(place)];
    out += "  " + name + "_before = " + name + '\n';
    name += "_before";
  }
  for (const auto& [to, r] : of.writes) {
    const auto place = std::ranges::find(of.places, to) - of.places.begin();
    out += "  w" + std::to_string(place) + " = " + text_of(r) + '\n';
  }
  if (of.results.empty()) return out + "  none\n";
  std::string results;
  for (const auto& r : of.results) results += (results.empty() ? "" : ", ") + text_of(r);
  return out + "  " + (of.results.size() == 1 ? results : '[' + results + ']') + '\n';
}

}  // namespace

std::string counter_name(std::size_t number) { return 'n' + std::to_string(number); }

std::vector<std::string> value_names(const graph& of) {
  std::vector<std::string> names;
  const auto add = [&](char kind, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) names.push_back(kind + std::to_string(i));
  };
  add('x', of.arguments);
  add('w', of.places.size());
  add('c', of.constants.size());
  names.resize(of.types.size());
  for (std::size_t i = 0; const auto& s : of.steps) {
    for (const auto number : s.outputs)
      names[static_cast<std::size_t>(number)] = 'v' + std::to_string(i++);
  }
  return names;
}

std::string graph_text(const graph& of) {
  const auto names = value_names(of);
  std::string out, arguments;
  for (std::size_t i = 0; i < of.first_computed(); ++i) {
    const auto one = typed(names[i], of.types[i]);
    if (i < of.arguments) arguments += (i > 0 ? ", " : "") + one;
    else out += (i < of.first_constant() ? "variable " : "constant ") + one + '\n';
  }
  const auto counters = of.counters();
  for (std::size_t i = 0; i < counters.size(); ++i)
    out += "counter " + counter_name(i) + ": int64[]\n";
  out += "def program(" + arguments + ") {\n";
  for (auto i = of.first_constant(); i < of.first_computed(); ++i) {
    if (of.types[i].device != of.home())
      out += "  " + names[i] + " = to(" + names[i] + ", " + place_text(of.types[i].device) + ")\n";
  }
  std::size_t begun = 0;
  for (const auto& s : of.steps) {
    if (s.renewed) {
      for (; begun < s.renewed->source; ++begun) out += counting_text(of, of.sources[begun]);
    }
    out += "  ";
    for (const auto number : s.outputs)
      out += names[static_cast<std::size_t>(number)] + (number == s.outputs.back() ? " = " : ", ");
    out += step_text(of, s, names) + '\n';
  }
  for (; begun < of.sources.size(); ++begun) out += counting_text(of, of.sources[begun]);
  return out + end_text(of, names) + "}\n";
}

}  // namespace troupe
