// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/command_line.hpp"

#include <stdexcept>

namespace troupe::shell {

std::string help_text() {
  return R"(Usage: troupe [OPTION...] [SCRIPT [ARGUMENT...]]

  troupe                             a shell: submitting is instant, showing waits
  troupe -e 'ones(2) + 1'            run an input and show what comes of it
  troupe train.tr data.npy           run a script; its arguments are the list `arguments`
  troupe < inputs.tr                 run the inputs of a file, one after the other
  troupe --json -e 'arange(3)'       for programs: a JSON object on a line for each value and error

Options:
  -e, --eval INPUT    run this input; may be given several times
      --json          write JSON
      --version       say which version this is
  -h, --help          this text

Commands:
  troupe repl         the shell, whatever standard input is
  troupe run SCRIPT   run a script
  troupe demo [...]   what runs when, with figures measured on this machine
  troupe bench [...]  how fast it is on this machine
  troupe devices      where arrays live and tasks run
  troupe ops [--markdown]
                      the functions of the language

In the shell, :help shows the language on a page, and :lesson 1 begins a tour.
The exit status is 1 if an input was a mistake, 2 for a mistake on the command line.
Environment: NO_COLOR, TROUPE_LANES, TROUPE_CPU_DEVICES, TROUPE_MEMORY_LIMIT, TROUPE_SEED, TROUPE_SYNC,
and TROUPE_HISTORY, the file that the history is kept in.
)";
}

command_line parse_command_line(const std::vector<std::string>& words) {
  using task = command_line::task;
  command_line out;
  std::size_t i = 0;
  for (; i < words.size() && words[i].starts_with('-') && words[i] != "-"; ++i) {
    const auto& word = words[i];
    if (word == "-h" || word == "--help") return {.what = task::help};
    if (word == "--version") return {.what = task::version};
    if (word == "--json") {
      out.json = true;
    } else if (word == "-e" || word == "--eval") {
      if (++i == words.size()) throw std::invalid_argument(word + " wants an input behind it");
      out.what = task::evaluate;
      out.inputs.push_back(words[i]);
    } else if (word == "--") {
      ++i;
      break;
    } else {
      throw std::invalid_argument("no option " + word + "; troupe --help lists them");
    }
  }
  if (i == words.size()) return out;
  const auto first = words[i++];
  const std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  if (out.what == task::evaluate)
    throw std::invalid_argument("-e and " + first + " do not go together");
  if (first == "repl" && rest.empty()) return out;
  if (first == "devices" && rest.empty()) return {.what = task::list_devices};
  if (first == "demo" || first == "bench")
    return {.what = task::start, .file = "troupe-" + first, .rest = rest};
  if (first == "ops") {
    out.what = task::list_operations;
    out.markdown = rest == std::vector<std::string>{"--markdown"};
    if (!rest.empty() && !out.markdown)
      throw std::invalid_argument("troupe ops takes --markdown or nothing");
    return out;
  }
  out.what = task::run_script;
  out.file = first;
  out.rest = rest;
  if (first == "run") {
    if (rest.empty()) throw std::invalid_argument("troupe run wants a script");
    out.file = rest[0];
    out.rest.erase(out.rest.begin());
  }
  return out;
}

}  // namespace troupe::shell
