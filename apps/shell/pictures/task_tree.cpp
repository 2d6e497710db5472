// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/pictures/task_graph.hpp"

#include <set>

#include "troupe/text/display_width.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

constexpr int most_lines = 39;  // besides the one with the count of further tasks

/// Returns the beginning of a line that fits into that many columns.
std::string cut(std::string line, int width) {
  if (display_width(line) <= width) return line;
  return std::string(first_columns(line, width - 1)) + "…";
}

class tree {
 public:
  tree(const task_graph& g, int width) : graph_(g), width_(width) {}

  std::string draw() {
    const std::string margin = "    ";
    add_task(margin, graph_.target);
    add_inputs(graph_.target, margin);
    if (const auto more = graph_.tasks - drawn_.size(); more > 0)
      add_line(margin + "... and " + count_text(more, "task") + " more");
    return std::move(out_);
  }

 private:
  void add_line(const std::string& line) {
    out_ += cut(line, width_) + "\n";
    ++lines_;
  }
  /// Adds a task. Returns true if it was not drawn before.
  bool add_task(const std::string& before, std::uint64_t sequence) {
    const auto& node = graph_.nodes.at(sequence);
    const bool fresh = drawn_.insert(sequence).second;
    add_line(before + node.label +
             (!fresh               ? "  (see above)"
              : node.state.empty() ? ""
                                   : "  [" + node.state + "]"));
    return fresh;
  }
  std::vector<std::uint64_t> inputs_of(std::uint64_t sequence) const {
    auto out = graph_.nodes.at(sequence).inputs;
    std::erase_if(out, [this](std::uint64_t one) { return !graph_.nodes.contains(one); });
    return out;
  }
  void add_inputs(std::uint64_t sequence, const std::string& margin) {
    const auto inputs = inputs_of(sequence);
    for (std::size_t i = 0; i < inputs.size() && lines_ < most_lines; ++i) {
      const bool last = i + 1 == inputs.size();
      if (!add_task(margin + (last ? "└─ " : "├─ "), inputs[i])) continue;
      const auto below = margin + (last ? "   " : "│  ");
      if (display_width(below) <= width_ / 2) add_inputs(inputs[i], below);
      else if (inputs.size() == 1 && inputs_of(inputs[i]).size() == 1)
        add_inputs(inputs[i], margin);
    }
  }

  const task_graph& graph_;
  int width_;
  int lines_ = 0;
  std::set<std::uint64_t> drawn_;
  std::string out_;
};

}  // namespace

std::string draw_tree(const task_graph& g, int width) { return tree(g, width).draw(); }

}  // namespace troupe::shell
