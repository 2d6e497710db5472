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

Environment:
  TROUPE_LANES        threads of each CPU device; default: its share of the cores
  TROUPE_CPU_DEVICES  CPU devices that share the cores; default: 1
  TROUPE_MEMORY_LIMIT
                      bytes that each CPU device may hold, such as 8G; default: half of what the
                      process may use, shared among them
  TROUPE_GPUS         GPUs to use, if there are so many; default: all
  TROUPE_GPU_MEMORY_LIMIT
                      bytes that each GPU may hold; default: nine tenths of what is free
  TROUPE_TF32         1: products of float32 on GPUs keep 10 bits of the fractions
  TROUPE_MAX_PENDING  tasks submitted and not ended before submitting waits; default: 8192
  TROUPE_TRACE_EVENTS
                      events that the trace keeps of each lane; default: 16384
  TROUPE_SEED         key of the random numbers; default: 0
  TROUPE_INSTRUCTION_SET
                      use no more than baseline, x86-64-v3 or x86-64-v4; default: all that the CPU has
  TROUPE_SYNC         1: run each operation at once, on the calling thread, for debugging
  TROUPE_HISTORY      the file that the history is kept in
  NO_COLOR            no colours if it is set and not empty
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
  const bool ours = first == "repl" || first == "devices" || first == "ops" || first == "run";
  if (ours && !rest.empty() && (rest[0] == "-h" || rest[0] == "--help"))
    return {.what = task::help};
  if ((first == "repl" || first == "devices") && !rest.empty())
    throw std::invalid_argument("troupe " + first + " takes nothing, not " + rest[0]);
  if (first == "repl") return out;
  if (first == "devices") {
    out.what = task::list_devices;
    return out;
  }
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
