// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/pictures/task_graph.hpp"

#include <set>

#include "troupe/apps/shell/pictures/known_tasks.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe::shell {

namespace {

constexpr std::size_t most_nodes = 300;

}  // namespace

task_graph graph_of(session& s, const tensor& x) {
  const auto& v = *x.source();
  task_graph g{v.sequence, {}, 0};
  if (v.engine != s.engine().engine().id()) {
    g.nodes[g.target] = {"an array of an engine before this one",
                         v.failed() ? "failed: " + on_one_line(v.why()->text) : "done",
                         {}};
    g.tasks = 1;
    return g;
  }
  const known_tasks known(s, x);
  std::vector<std::uint64_t> open{g.target};
  std::set<std::uint64_t> met;
  while (!open.empty()) {
    const auto one = open.back();
    open.pop_back();
    if (!met.insert(one).second) continue;
    const auto& inputs = known.inputs(one);
    open.insert(open.end(), inputs.begin(), inputs.end());
    if (g.nodes.size() < most_nodes) g.nodes[one] = {known.label(one), known.state(one), inputs};
  }
  g.tasks = met.size();
  return g;
}

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else out += c;
  }
  return out;
}

}  // namespace

std::string to_dot(const task_graph& g) {
  std::string out = "digraph tasks {\n  node [shape=box];\n";
  for (const auto& [number, node] : g.nodes) {
    out += "  t" + std::to_string(number) + " [label=" + json_text(node.label) +
           ", tooltip=" + json_text(node.state) + "];\n";
    for (const auto input : node.inputs) {
      if (g.nodes.contains(input))
        out += "  t" + std::to_string(input) + " -> t" + std::to_string(number) + ";\n";
    }
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
    for (const auto input : node.inputs) {
      if (const auto found = places.find(input); found != places.end())
        row = std::max(row, found->second.first + 1);
    }
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
  for (const auto& [number, node] : g.nodes) {
    for (const auto input : node.inputs) {
      if (places.contains(input))
        out += "<line x1=\"" + n(x_of(input) + width / 2) + "\" y1=\"" + n(y_of(input) + height) +
               "\" x2=\"" + n(x_of(number) + width / 2) + "\" y2=\"" + n(y_of(number)) +
               "\" stroke=\"#888\"/>\n";
    }
  }
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
