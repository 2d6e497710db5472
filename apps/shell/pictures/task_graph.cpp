// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/pictures/task_graph.hpp"

#include <set>

#include "troupe/apps/shell/session/progress.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tensor/duration_text.hpp"

namespace troupe::shell {

namespace {

constexpr std::size_t most_nodes = 300;

/// All tasks that are known of: those that ran, from the trace, and those that have not ended.
std::map<std::uint64_t, graph_node> known_tasks(session& s) {
  std::map<std::uint64_t, graph_node> all;
  const auto label = [&](std::uint64_t sequence, std::string_view op,
                         const std::source_location& where) {
    const auto name = s.name_of(sequence);
    return name.empty() ? std::string(op) + ", " + place_text(where)
                        : name + " = " + std::string(op);
  };
  const auto log = s.engine().trace();
  for (const auto& e : log.events) {
    auto& node = all[e.sequence];
    if (!node.label.empty()) continue;  // several lanes shared it
    node.label = label(e.sequence, e.name, e.where);
    node.state = e.failed ? "failed"
                          : "ran " + duration_text(seconds_between(e.started, e.ended)) + " on " +
                                log.lanes[static_cast<std::size_t>(e.lane)];
    for (const auto i : e.inputs)
      if (i != 0) node.inputs.push_back(i);
  }
  const auto pending = s.engine().tasks();
  for (const auto& t : pending)
    all[t.sequence] = {label(t.sequence, t.name, t.where), progress_text(s, t, pending),
                       t.waits_for};
  return all;
}

}  // namespace

task_graph graph_of(session& s, std::uint64_t target) {
  const auto known = known_tasks(s);
  task_graph g{target, {}};
  std::vector<std::uint64_t> open{target};
  while (!open.empty() && g.nodes.size() < most_nodes) {
    const auto one = open.back();
    open.pop_back();
    if (g.nodes.contains(one)) continue;
    const auto found = known.find(one);
    const auto name = s.name_of(one);
    auto& node = g.nodes[one];
    if (found != known.end()) node = found->second;
    else node = {name.empty() ? "task " + std::to_string(one) : name, "there", {}};
    open.insert(open.end(), node.inputs.begin(), node.inputs.end());
  }
  return g;
}

namespace {

void draw_inputs(const task_graph& g, std::uint64_t of, const std::string& margin,
                 std::set<std::uint64_t>& drawn, std::string& out) {
  const auto& inputs = g.nodes.at(of).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto found = g.nodes.find(inputs[i]);
    if (found == g.nodes.end()) continue;
    const bool last = i + 1 == inputs.size();
    const bool again = !drawn.insert(inputs[i]).second;
    out += margin + (last ? "└─ " : "├─ ") + found->second.label;
    out += again ? "  (see above)\n" : "  [" + found->second.state + "]\n";
    if (!again) draw_inputs(g, inputs[i], margin + (last ? "   " : "│  "), drawn, out);
  }
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else out += c;
  return out;
}

}  // namespace

std::string draw(const task_graph& g) {
  const auto& top = g.nodes.at(g.target);
  std::string out = "    " + top.label + "  [" + top.state + "]\n";
  std::set<std::uint64_t> drawn{g.target};
  draw_inputs(g, g.target, "    ", drawn, out);
  return out;
}

std::string to_dot(const task_graph& g) {
  std::string out = "digraph tasks {\n  node [shape=box];\n";
  for (const auto& [number, node] : g.nodes) {
    out += "  t" + std::to_string(number) + " [label=" + quoted(node.label) +
           ", tooltip=" + quoted(node.state) + "];\n";
    for (const auto input : node.inputs)
      if (g.nodes.contains(input))
        out += "  t" + std::to_string(input) + " -> t" + std::to_string(number) + ";\n";
  }
  return out + "}\n";
}

std::string to_svg(const task_graph& g) {
  constexpr int width = 190, height = 44, across = 210, down = 80;
  std::map<std::uint64_t, std::pair<int, int>> places;  // row and column
  std::map<int, int> columns;
  int most = 1;
  for (const auto& [number, node] : g.nodes) {  // inputs have lower numbers
    int row = 0;
    for (const auto input : node.inputs)
      if (const auto found = places.find(input); found != places.end())
        row = std::max(row, found->second.first + 1);
    places[number] = {row, columns[row]++};
    most = std::max(most, columns[row]);
  }
  const int rows = columns.empty() ? 1 : columns.rbegin()->first + 1;
  const auto n = [](int x) { return std::to_string(x); };
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + n(most * across + 20) +
                    "\" height=\"" + n(rows * down + 20) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n";
  const auto x_of = [&](std::uint64_t t) { return 10 + places[t].second * across; };
  const auto y_of = [&](std::uint64_t t) { return 10 + places[t].first * down; };
  for (const auto& [number, node] : g.nodes)
    for (const auto input : node.inputs)
      if (places.contains(input))
        out += "<line x1=\"" + n(x_of(input) + width / 2) + "\" y1=\"" + n(y_of(input) + height) +
               "\" x2=\"" + n(x_of(number) + width / 2) + "\" y2=\"" + n(y_of(number)) +
               "\" stroke=\"#888\"/>\n";
  for (const auto& [number, node] : g.nodes) {
    out += "<g><title>" + escaped(node.state) + "</title><rect x=\"" + n(x_of(number)) + "\" y=\"" +
           n(y_of(number)) + "\" width=\"" + n(width) + "\" height=\"" + n(height) +
           "\" rx=\"6\" fill=\"#eef3fb\" stroke=\"#456\"/><text x=\"" + n(x_of(number) + 8) +
           "\" y=\"" + n(y_of(number) + 18) + "\">" + escaped(node.label) + "</text><text x=\"" +
           n(x_of(number) + 8) + "\" y=\"" + n(y_of(number) + 35) +
           "\" fill=\"#666\" font-size=\"10\">" + escaped(node.state.substr(0, 34)) +
           "</text></g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace troupe::shell
