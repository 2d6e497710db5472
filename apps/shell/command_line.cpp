// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/command_line.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "troupe/apps/environment_text.hpp"
#include "troupe/apps/parse_words.hpp"

namespace troupe::shell {

namespace {

constexpr auto usage_text = R"(Usage: troupe [OPTION...] [SCRIPT [ARGUMENT...]]

  troupe                             a shell: submitting is instant, showing waits
  troupe -e 'ones(2) + 1'            run an input and show what comes of it
  troupe train.tr data.npy           run a script; its arguments are the list `arguments`
  troupe run step.safetensors x.npy  run a program that was saved, on arrays in files; its result is
                                     shown, or written: --output y.npy
  troupe < inputs.tr                 run the inputs of a file, one after the other
  troupe --json -e 'arange(3)'       for programs: a JSON object on a line for each value and error
)";

constexpr auto notes = R"(
In the shell, :help shows the language on a page, and :lesson 1 begins a tour.
The exit status is 1 if an input was a mistake, 2 for a mistake on the command line.

)";

/// Options and commands of the program. The first other word ends them: the words from there on are
/// a script and its arguments, or the arguments of a command.
class grammar {
 public:
  CLI::App app{"", "troupe"};
  CLI::Option* eval = app.add_option("-e,--eval")
                          ->type_name("INPUT")
                          ->description("run this input; may be given several times")
                          ->allow_extra_args(false)
                          ->take_all();
  CLI::Option* json = app.add_flag("--json")->description("write JSON");
  CLI::Option* version = app.add_flag("--version")->description("say which version this is");
  CLI::Option* help = app.set_help_flag("-h,--help", "this text");
  CLI::App* repl = add("repl", "the shell, whatever standard input is");
  CLI::App* run = add("run", "run a script, or a saved program: troupe run FILE [ARGUMENT...]");
  CLI::App* program =
      add("program", "the text of a saved program: troupe program FILE [--svg PICTURE]");
  CLI::App* demo = add("demo", "what runs when, with figures measured on this machine");
  CLI::App* bench = add("bench", "how fast it is on this machine");
  CLI::App* node = add("node", "offer this machine's devices to programs on others");
  CLI::App* devices = add("devices", "where arrays live and tasks run");
  CLI::App* ops = add("ops", "the functions of the language; with --markdown for a document");
  CLI::Option* markdown = ops->add_flag("--markdown");

  grammar() {
    app.prefix_command();
    app.require_subcommand(0, 1);
    for (auto* command : app.get_subcommands({})) command->prefix_command();
    for (auto* own : {demo, bench, node}) own->set_help_flag();  // they have their own
  }

  /// Returns what is left over, without the `--` that ends the options. Throws
  /// std::invalid_argument if it begins with an option.
  std::vector<std::string> left_over() const {
    auto words = app.remaining();
    if (!words.empty() && words[0] == "--") words.erase(words.begin());
    else if (!words.empty() && words[0].starts_with('-') && words[0] != "-")
      throw unknown_option(app, words[0]);
    if (const auto* command = given_command()) {
      const auto before = command->remaining();
      words.insert(words.begin(), before.begin(), before.end());
    }
    return words;
  }

  const CLI::App* given_command() const {
    const auto given = app.get_subcommands();
    return given.empty() ? nullptr : given[0];
  }

 private:
  CLI::App* add(const char* name, const char* doc) {
    return app.add_subcommand(name, doc)->group("Commands");
  }
};

[[noreturn]] void refuse(const std::string& mistake) { throw std::invalid_argument(mistake); }

/// Runs the file that stands first, with the other words. Those after a saved program may say where
/// its result is written.
void run_file(command_line& out, const std::vector<std::string>& words) {
  out.what = command_line::task::run_script;
  out.file = words[0];
  out.rest.assign(words.begin() + 1, words.end());
  if (!out.runs_saved_program()) return;
  const auto option = std::ranges::find(out.rest, "--output");
  if (option != out.rest.end()) {
    if (option + 1 == out.rest.end()) refuse("--output: 1 required FILE missing");
    out.output = option[1];
    out.rest.erase(option, option + 2);
  }
  for (const auto& word : out.rest) {
    if (word.starts_with("--"))
      refuse(word + ": a saved program takes arrays, and --output; other options stand before it");
  }
}

command_line for_command(const grammar& known, const std::vector<std::string>& words) {
  using task = command_line::task;
  command_line out{.json = known.json->count() > 0};
  const auto* command = known.given_command();
  if (command == known.demo || command == known.bench || command == known.node) {
    out.what = task::start;
    out.file = "troupe-" + command->get_name();
    out.rest = words;
  } else if (command == known.run) {
    if (words.empty()) refuse("troupe run wants a script or a program");
    if (words[0].starts_with("--") && words[0] != "--")
      refuse("troupe run wants a script or a program, not " + words[0] +
             ": options stand before run");
    run_file(out, words);
  } else if (command == known.program) {
    const bool draws = words.size() == 3 && words[1] == "--svg";
    if (words.size() != 1 && !draws) refuse("troupe program wants a file, and --svg with another");
    out.what = task::show_program;
    out.file = words[0];
    if (draws) out.rest = {words[2]};
  } else if (!words.empty()) {
    refuse("troupe " + command->get_name() + " takes " +
           (command == known.ops ? "--markdown or nothing" : "nothing") + ", not " + words[0]);
  } else if (command == known.ops) {
    out.what = task::list_operations;
    out.markdown = known.markdown->count() > 0;
  } else if (command == known.devices) {
    out.what = task::list_devices;
  }
  return out;
}

}  // namespace

bool command_line::runs_saved_program() const {
  if (file.ends_with(".safetensors")) return true;
  std::error_code none;
  const auto size =
      std::filesystem::is_regular_file(file, none) ? std::filesystem::file_size(file, none) : 0;
  std::uint64_t header = 0;  // its length, before the header itself
  char first = 0;
  std::ifstream in(file, std::ios::binary);
  return size > sizeof header && in.read(reinterpret_cast<char*>(&header), sizeof header) &&
         in.get(first) && first == '{' && header < size;
}

command_line parse_command_line(const std::vector<std::string>& words) {
  using task = command_line::task;
  grammar known;
  if (!parse_words(known.app, words)) return {.what = task::help};
  if (known.version->count() > 0) return {.what = task::version};
  auto left = known.left_over();
  const auto* command = known.given_command();
  if (known.eval->count() > 0) {
    if (command) refuse("-e and " + command->get_name() + " do not go together");
    if (!left.empty()) refuse("-e and " + left[0] + " do not go together");
    return {
        .what = task::evaluate, .inputs = known.eval->results(), .json = known.json->count() > 0};
  }
  if (command) return for_command(known, left);
  command_line out{.json = known.json->count() > 0};
  if (left.empty()) return out;
  run_file(out, left);
  return out;
}

std::string help_text() {
  const grammar known;
  return usage_text + options_help(known.app) + notes + environment_help(readers::shell);
}

}  // namespace troupe::shell
