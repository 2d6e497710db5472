// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/command_line.hpp"

#include "troupe/language/evaluator/word.hpp"

namespace troupe::shell {

std::string operations_text() {
  std::string out;
  for (const auto group : word_groups()) {
    out.append(out.empty() ? "" : "\n").append(group).append("\n");
    for (const auto& w : all_words()) {
      if (w.group == group)
        out.append("  ").append(usage(w)).append("\n      ").append(w.doc).append("\n");
    }
  }
  return out;
}

std::string operations_markdown() {
  std::string out =
      "# The functions of the shell\n\n"
      "`troupe ops --markdown` wrote this page. Each is the C++ function of the same name, unless\n"
      "another is given. Options follow the array or come by name: `sum(x, axis=1)`,\n"
      "`x.sum(axis=1)`.\n";
  for (const auto group : word_groups()) {
    out.append("\n## ").append(group).append("\n\n| function | what it does |\n|---|---|\n");
    for (const auto& w : all_words()) {
      if (w.group != group) continue;
      out.append("| `").append(usage(w)).append("` | ").append(w.doc);
      if (!w.cpp.empty()) out.append(" In C++ `").append(w.cpp).append("`.");
      out.append(" |\n");
    }
  }
  out += "\n## Attributes of arrays\n\n| attribute | what it is |\n|---|---|\n";
  for (const auto& row : all_attributes())
    out.append("| `x.").append(row.name).append("` | ").append(row.doc).append(" |\n");
  return out;
}

}  // namespace troupe::shell
