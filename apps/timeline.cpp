// SPDX-License-Identifier: MIT
#include "troupe/apps/timeline.hpp"

#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/text/display_width.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe {

bool colour_wanted(int file_descriptor) {
  if (!isatty(file_descriptor)) return false;
  if (const char* no = std::getenv("NO_COLOR"); no && *no) return false;
  const char* terminal = std::getenv("TERM");
  return terminal && *terminal && std::string_view(terminal) != "dumb";
}

namespace {

constexpr char idle = '.', failed = '!', beginning = '|', other = '#';
constexpr double long_enough = 3;  // columns that a task must last for its beginning to be marked

/// An operation's letter: the first of its name that is not taken yet, else any.
class alphabet {
 public:
  char letter_of(std::string_view name) {
    if (const auto known = letters_.find(name); known != letters_.end()) return known->second;
    std::string wanted;
    for (const unsigned char c : name) {
      if (std::isalpha(c)) wanted += static_cast<char>(std::toupper(c));
    }
    const char letter = first_free(wanted + "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    taken_ += letter;
    return letters_[name] = letter;
  }
  /// Returns the position of a letter among those given out.
  std::size_t position(char letter) const {
    return taken_.find(static_cast<char>(std::toupper(static_cast<unsigned char>(letter))));
  }

 private:
  char first_free(const std::string& wanted) const {
    const auto at = wanted.find_first_not_of(taken_);
    return at == std::string::npos ? other : wanted[at];
  }

  std::map<std::string_view, char> letters_;
  std::string taken_;
};

/// Activity of a lane during one column's time.
struct column {
  std::map<char, double> busy;  ///< parts of the column, by letter
  bool begins = false;
};

struct drawing {
  ticks first = 0;
  ticks last = 0;
  std::map<int, std::vector<column>> rows;                    ///< by lane
  std::map<std::string_view, std::set<std::uint64_t>> tasks;  ///< by operation
  alphabet letters;

  drawing(const trace_log& log, std::size_t columns);

 private:
  void add(const task_event& e, std::size_t columns);
};

drawing::drawing(const trace_log& log, std::size_t columns) : first(log.events.front().started) {
  for (const auto& e : log.events) {
    first = std::min(first, e.started);
    last = std::max(last, e.ended);
  }
  last = std::max(last, first + 1);
  for (const auto& e : log.events) add(e, columns);
}

void drawing::add(const task_event& e, std::size_t columns) {
  auto& row = rows[e.lane];
  row.resize(columns);
  tasks[e.name].insert(e.sequence);
  const char known = letters.letter_of(e.name);
  const char letter = e.failed ? failed : known;
  const double scale = static_cast<double>(columns) / static_cast<double>(last - first);
  const double from = static_cast<double>(e.started - first) * scale;
  const double to = std::max(static_cast<double>(e.ended - first) * scale, from);
  const auto begin = std::min(static_cast<std::size_t>(from), columns - 1);
  const auto end = std::min(static_cast<std::size_t>(to), columns - 1);
  for (auto i = begin; i <= end; ++i) {
    const auto left = static_cast<double>(i);
    const double part = std::min(to, left + 1) - std::max(from, left);
    if (part > 0 || i == begin) row[i].busy[letter] += part;
  }
  if (to - from >= long_enough) row[begin].begins = true;
}

char character_of(const column& c) {
  if (c.begins) return beginning;
  if (c.busy.empty()) return idle;
  if (c.busy.count(failed)) return failed;
  double together = 0;
  char most = other;
  double of_most = -1;
  for (const auto& [letter, part] : c.busy) {
    together += part;
    if (part > of_most) {
      of_most = part;
      most = letter;
    }
  }
  return together >= 0.5 ? most : static_cast<char>(std::tolower(static_cast<unsigned char>(most)));
}

/// A row's characters, coloured by operation.
std::string painted(const std::string& row, const alphabet& letters) {
  constexpr int colours[] = {36, 33, 32, 35, 34, 31};
  std::string out;
  std::size_t last = std::string::npos;
  for (const char c : row) {
    const auto which = letters.position(c);
    if (which != last)
      out += which == std::string::npos ? "\033[0m"
                                        : "\033[" + std::to_string(colours[which % 6]) + "m";
    last = which;
    out += c;
  }
  return out + "\033[0m";
}

/// Puts the parts on lines of at most `width` columns that begin with `indent` spaces.
void write_wrapped(std::ostream& out, const std::vector<std::string>& parts, std::size_t indent,
                   std::size_t width) {
  std::string line;
  for (const auto& part : parts) {
    if (!line.empty() && indent + line.size() + 3 + part.size() > width) {
      out << std::string(indent, ' ') << line << '\n';
      line.clear();
    }
    line += (line.empty() ? "" : "   ") + part;
  }
  out << std::string(indent, ' ') << line << '\n';
}

}  // namespace

timeline_style style_of_stdout() {
  timeline_style style;
  if (!isatty(STDOUT_FILENO)) return style;
  style.colour = colour_wanted(STDOUT_FILENO);
  style.width = terminal_width(STDOUT_FILENO);
  return style;
}

void draw_timeline(std::ostream& out, const trace_log& log, const timeline_style& style) {
  if (log.events.empty()) {
    out << "nothing ran\n";
    return;
  }
  std::size_t names = 0;
  for (const auto& e : log.events)
    names = std::max(names, log.lanes[static_cast<std::size_t>(e.lane)].size());
  const auto width = static_cast<std::size_t>(std::max(style.width, 0));
  const std::size_t indent = names + 2;
  const std::size_t columns = std::max(width, indent + 20) - indent;

  drawing d(log, columns);
  std::string seen;
  for (const auto& [lane, cells] : d.rows) {
    std::string row;
    for (const auto& cell : cells) row += character_of(cell);
    seen += row;
    const auto& name = log.lanes[static_cast<std::size_t>(lane)];
    out << name << std::string(indent - name.size(), ' ')
        << (style.colour ? painted(row, d.letters) : row) << '\n';
  }
  const auto end = duration_text(seconds_between(d.first, d.last));
  out << std::string(indent, ' ') << '0'
      << std::string(columns - 1 - std::min(columns - 1, end.size()), ' ') << end << '\n';

  std::vector<std::string> legend;
  for (const auto& [name, sequences] : d.tasks) {
    auto part = std::string(1, d.letters.letter_of(name)) + " " + std::string(name);
    if (sequences.size() > 1) part += " x " + std::to_string(sequences.size());
    legend.push_back(std::move(part));
  }
  const auto shows = [&](auto test) { return std::any_of(seen.begin(), seen.end(), test); };
  if (shows([](unsigned char c) { return c == failed; })) legend.push_back("! failed");
  if (shows([](unsigned char c) { return c == beginning; })) legend.push_back("| a task begins");
  if (shows([](unsigned char c) { return std::islower(c); }))
    legend.push_back("small letter: less than half busy");
  if (shows([](unsigned char c) { return c == idle; })) legend.push_back(". idle");
  write_wrapped(out, legend, indent, std::max(width, indent + 20));
}

}  // namespace troupe
