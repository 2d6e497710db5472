// SPDX-License-Identifier: MIT
#include "troupe/apps/environment_text.hpp"

#include <cctype>
#include <sstream>
#include <string_view>
#include <vector>

#include "troupe/actors/option_table.hpp"

namespace troupe {

namespace {

/// Variable of the environment and its meaning, with values between backticks.
struct entry {
  std::string variable;
  std::string doc;
};

std::string doc_of(const option_row& row) {
  return std::string(row.doc) + "; default: " + std::string(row.usual);
}

std::vector<entry> entries_for(readers who) {
  std::vector<entry> all;
  for (const auto& row : all_options()) all.push_back({row.variable, doc_of(row)});
  if (who == readers::shell)
    all.push_back({"TROUPE_HISTORY",
                   "the file that the history is kept in; default: "
                   "`~/.local/state/troupe/history`"});
  all.push_back({"NO_COLOR", "no colours if it is set and not empty"});
  return all;
}

/// Puts these texts in place of backticks, in turns.
std::string marked(std::string_view text, std::string_view begin, std::string_view end) {
  std::string out;
  bool inside = false;
  for (const char c : text) {
    if (c != '`') {
      out += c;
      continue;
    }
    out += inside ? end : begin;
    inside = !inside;
  }
  return out;
}

/// Breaks a text into lines of at most 100 columns; all but the first begin with `indent` spaces,
/// and the first has room for as much in front of it.
std::string wrapped(const std::string& text, std::size_t indent) {
  constexpr std::size_t width = 100;
  std::istringstream words(text);
  std::string out;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    const bool first = column == indent;
    if (!first && column + 1 + word.size() > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

/// Escapes roff's commands, and makes the text a sentence.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-' || c == '\\') out += '\\';
    out += c;
  }
  out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return marked(out, "\\fB", "\\fR") + '.';
}

}  // namespace

std::string environment_help(readers who) {
  constexpr std::size_t column = 27;
  std::string out = "Environment:\n";
  for (const auto& [variable, doc] : entries_for(who)) {
    auto left = "  " + variable;
    left.resize(column, ' ');
    out += left + wrapped(marked(doc, "", ""), column) + '\n';
  }
  return out;
}

std::string environment_manual() {
  std::string out = ".SH ENVIRONMENT\n";
  for (const auto& [variable, doc] : entries_for(readers::shell))
    out += ".TP\n.B " + variable + '\n' + roff(doc) + '\n';
  return out;
}

std::string options_markdown(std::string_view about) {
  std::ostringstream out;
  out << "| variable | option | means |\n|---|---|---|\n";
  for (const auto& row : all_options()) {
    if (row.doc.find(about) == std::string_view::npos) continue;
    out << "| `" << row.variable << "` | ";
    if (!row.name.empty()) out << '`' << row.name << "` ";
    out << "| " << doc_of(row) << " |\n";
  }
  return out.str();
}

}  // namespace troupe
