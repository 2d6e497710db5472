// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>
#include <system_error>

#include "troupe/apps/path_beside.hpp"
#include "troupe/apps/shell/command_line.hpp"
#include "troupe/apps/shell/session/open_call.hpp"
#include "troupe/apps/shell/session/report.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/session/sources.hpp"
#include "troupe/apps/shell/terminal/colours.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/apps/shell/terminal/signals.hpp"
#include "troupe/apps/timeline.hpp"
#include "troupe/language/syntax/lexer.hpp"
#include "troupe/text/display_width.hpp"
#include "troupe/text/quantities.hpp"
#include "troupe/text/quoted.hpp"

namespace {

using namespace troupe;
using namespace troupe::shell;

/// A line at the bottom of the terminal, if there is one, that says what is waited for, and goes
/// away.
class waiting_line {
 public:
  explicit waiting_line(bool shown) noexcept : shown_(shown) {}
  waiting_line(const waiting_line&) = delete;
  waiting_line& operator=(const waiting_line&) = delete;
  ~waiting_line() { show(""); }

  /// Says it, or goes away for an empty text.
  void show(const std::string& what) {
    if (!shown_ || what == there_) return;
    there_ = what;
    const auto text = on_one_line("... waits: " + what + " (Ctrl-C stops waiting)");
    std::cout << "\r\033[K";
    if (!what.empty()) std::cout << first_columns(text, terminal_width(STDOUT_FILENO) - 1);
    std::cout << std::flush;
  }

 private:
  bool shown_;
  std::string there_;
};

std::string history_file() {
  if (const char* chosen = std::getenv("TROUPE_HISTORY")) return chosen;
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state)
    return std::string(state) + "/troupe/history";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.local/state/troupe/history";
  return "";
}

/// demo, bench and node are programs of their own, beside this one.
int start(const command_line& given) {
  const auto path = path_beside(given.file);
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const auto& word : given.rest) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(path.c_str(), words.data());
  throw std::runtime_error(path + " cannot be started");
}

void greet(session& s) {
  const auto& options = s.engine().options();
  s.reporting().text("troupe: " + count_text(static_cast<std::uint64_t>(*options.lanes), "lane") +
                     "; submitting is instant, showing waits. :help, :lesson 1, Ctrl-D leaves.\n");
}

/// Asks the user for the next step. Returns false if they want no more.
bool go_on(line_reader& lines) {
  const auto answer = lines.read("    Enter goes on, q ends ");
  return answer.what == input::kind::line && answer.text != "q";
}

int evaluate(session& s, const std::vector<std::string>& inputs, const interrupts& ctrl_c) {
  bool good = true;
  for (const auto& text : inputs) {
    if (ctrl_c.count() > 0) return interrupted(s);
    try {
      good = s.enter(text) && good;
    } catch (const incomplete_input& e) {
      s.refuse(text, e);
      good = false;
    }
    if (s.ended()) break;
  }
  if (ctrl_c.count() > 0) return interrupted(s);
  return status_at_end(s, good);
}

/// Writes a text as the language does.
std::string literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// Returns true for the name of a file, even if it is not there.
bool names_file(const std::string& word) {
  constexpr std::string_view endings[] = {".npy", ".npz", ".csv", ".safetensors"};
  return std::filesystem::exists(word) ||
         std::ranges::any_of(endings, [&](auto ending) { return word.ends_with(ending); });
}

/// Returns the call of a saved program: its arguments are files, or expressions. Its result may be
/// written to a file.
std::string call_of(const command_line& given) {
  std::string out;
  for (const auto& word : given.rest)
    out += (out.empty() ? "" : ", ") + (names_file(word) ? "load(" + literal(word) + ")" : word);
  out = "load_program(" + literal(given.file) + ")(" + out + ")";
  return given.output.empty() ? out : "save(" + literal(given.output) + ", " + out + ")";
}

int show_program(session& s, const command_line& given, const interrupts& ctrl_c) {
  const auto program = "load_program(" + literal(given.file) + ")";
  if (given.rest.empty()) return evaluate(s, {"print program_text(" + program + ")"}, ctrl_c);
  return evaluate(s, {":graph " + program + " --svg " + given.rest[0]}, ctrl_c);
}

int run_script(session& s, const command_line& given, const interrupts& ctrl_c) {
  if (given.runs_saved_program()) return evaluate(s, {call_of(given)}, ctrl_c);
  if (!std::filesystem::exists(given.file)) {
    s.reporting().error({on_one_line(given.file) +
                         " is no script, and no command either: troupe --help lists them"});
    return 1;
  }
  const auto text = read_script(given.file);
  list arguments;
  for (const auto& word : given.rest) arguments.items.emplace_back(word);
  s.variables().assign(s.symbols().of("arguments"), std::make_shared<const list>(arguments));
  const bool good = s.run_script(given.file, text);
  if (ctrl_c.count() > 0) return interrupted(s);
  return status_at_end(s, good);
}

/// Files that are opened must not take the places of standard input and output where these are
/// closed: reading and writing there is to fail.
void keep_closed_places() {
  for (const int place : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(place, F_GETFD) < 0) open("/dev/null", place == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Throws if standard input ended because it cannot be read.
void check_input() {
  char next = 0;
  if (::read(STDIN_FILENO, &next, 1) < 0 && errno != EAGAIN && errno != EINTR)
    throw std::runtime_error("standard input cannot be read: " +
                             std::generic_category().message(errno));
}

/// Output that was lost is a failure.
int checked(int status) {
  std::cout.flush();
  if (std::cout) return status;
  std::cerr << "troupe: the output cannot be written\n";
  return status == 0 ? 1 : status;
}

int run(const command_line& given) {
  using task = command_line::task;
  switch (given.what) {
    case task::help: std::cout << help_text(); return 0;
    case task::version: std::cout << "troupe " TROUPE_VERSION "\n"; return 0;
    case task::list_operations:
      std::cout << (given.markdown ? operations_markdown() : operations_text());
      return 0;
    case task::start: return start(given);
    default: break;
  }
  const bool asks = given.what == task::converse && isatty(STDIN_FILENO) != 0;
  const palette colours{colour_wanted(STDOUT_FILENO)};
  text_report text(std::cout, asks ? std::cout : std::cerr, colours);
  text.set_chatty(asks);
  json_report json(std::cout);
  report& to = given.json ? static_cast<report&>(json) : text;

  interrupts ctrl_c;
  const bool terminal = asks && isatty(STDOUT_FILENO) != 0;
  waiting_line waiting(terminal);
  std::unique_ptr<line_reader> lines;
  session s({.terminal = terminal,
             .interrupted = [&] { return ctrl_c.count(); },
             .next_step = terminal ? std::function<bool()>([&] { return lines && go_on(*lines); })
                                   : std::function<bool()>(),
             .waiting_for = [&](const std::string& what) { waiting.show(what); }},
            to);
  if (given.what == task::list_devices) return evaluate(s, {":devices"}, ctrl_c);
  if (given.what == task::show_program) return show_program(s, given, ctrl_c);
  if (given.what == task::evaluate) return evaluate(s, given.inputs, ctrl_c);
  if (given.what == task::run_script) return run_script(s, given, ctrl_c);
  lines = make_line_reader(
      {.complete = [&](std::string_view line, std::size_t at) { return complete(s, line, at); },
       .history_file = history_file(),
       .colour = colours.on});
  if (asks && !given.json) greet(s);
  const int status = converse(s, *lines, ctrl_c, asks);
  if (!asks && !s.ended() && ctrl_c.count() == 0) check_input();
  return status;
}

}  // namespace

int main(int count, char** words) {
  keep_closed_places();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of one command
  std::setlocale(LC_CTYPE, "");
  // As Python does: machines without settings have no letters but English ones.
  if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
  command_line given;
  try {
    given = parse_command_line({words + 1, words + count});
  } catch (const std::invalid_argument& e) {
    std::cerr << "troupe: " << e.what() << '\n';
    return 2;
  }
  try {
    return checked(run(given));
  } catch (const std::bad_alloc&) {
    std::cerr << "troupe: there is no memory for the input\n";
    return 1;
  } catch (const std::exception& e) {
    std::cout << std::flush;
    std::cerr << "troupe: " << e.what() << '\n';
    return 1;
  }
}
