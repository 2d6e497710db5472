// SPDX-License-Identifier: MIT
#include <variant>

#include "troupe/apps/shell/pictures/task_graph.hpp"
#include "troupe/language/syntax/lexer.hpp"
#include "troupe/language/syntax/parser.hpp"
#include "troupe/tensor/program/program.hpp"

namespace troupe::shell {

namespace {

using namespace language;

std::string kind_of(declaration::kind k) {
  switch (k) {
    case declaration::kind::variable: return "variable";
    case declaration::kind::constant: return "constant";
    case declaration::kind::counter: break;
  }
  return "counter";
}

/// Graph of the statements of a text, in order.
class drawing {
 public:
  explicit drawing(std::string_view text) : text_(text) {
    const auto statements = parse(text_, symbols_, {.file = "program"});
    for (const auto& s : statements) {
      if (const auto* array = std::get_if<declaration>(&s.node))
        add({symbols_.name(array->name), kind_of(array->is), {}}, array->name);
    }
    const auto& f = std::get<definition>(statements.back().node);
    for (const auto& one : f.parameters) add({symbols_.name(one.name), "argument", {}}, one.name);
    for (const auto& s : *f.body) add(s, &s == &f.body->back());
  }

  task_graph take() {
    graph_.target = graph_.nodes.rbegin()->first;
    graph_.tasks = graph_.nodes.size();
    return std::move(graph_);
  }

 private:
  void add(const statement& s, bool last) {
    const auto own = text_.substr(s.span.begin, s.span.end - s.span.begin);
    const auto tokens = tokenise(own);
    const auto* assigned = std::get_if<assignment>(&s.node);
    graph_node node{std::string(own), last ? "result" : "", {}};
    for (std::size_t i = assigned ? assigned->targets.size() * 2 : 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != token_kind::name) continue;
      const auto found = places_.find(symbols_.of(tokens[i].text));
      if (found != places_.end()) node.inputs.push_back(found->second);
    }
    const auto number = add(std::move(node));
    if (!assigned) return;
    for (const auto name : assigned->targets) places_[name] = number;
  }
  std::uint64_t add(graph_node node) {
    const auto number = graph_.nodes.size() + 1;
    graph_.nodes.emplace(number, std::move(node));
    return number;
  }
  void add(graph_node node, symbol name) { places_[name] = add(std::move(node)); }

  std::string_view text_;
  symbol_table symbols_;
  std::map<symbol, std::uint64_t> places_;  // node that computed what a name means
  task_graph graph_;
};

}  // namespace

task_graph graph_of(const program& p) { return drawing(p.text()).take(); }

}  // namespace troupe::shell
