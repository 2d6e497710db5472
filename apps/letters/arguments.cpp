// SPDX-License-Identifier: MIT
#include "troupe/apps/letters/arguments.hpp"

#include "troupe/apps/environment_text.hpp"
#include "troupe/apps/parse_words.hpp"

namespace troupe::letters {

namespace {

constexpr std::int64_t most = 1'000'000'000;

/// Options of the program, which are parsed into `given`.
struct grammar {
  explicit grammar(arguments& given) {
    const auto some = between(std::int64_t{1}, most), any = between(std::int64_t{0}, most);
    app.add_option("--text", given.text, "file to learn from, or directory of files")
        ->type_name("PATH")
        ->capture_default_str();
    app.add_option("--steps", given.steps, "steps of training; default: 1500, or 0 with --load")
        ->type_name("N")
        ->check(any);
    add("--batch", given.batch, "passages of the text in a step", some);
    add("--context", given.context, "letters that a prediction sees", between(2, 65'536));
    add("--width", given.width, "numbers for each letter, a multiple of the heads", some);
    add("--heads", given.heads, "heads of each attention", some);
    add("--blocks", given.blocks, "blocks of attention and dense layers", some);
    add("--rate", given.rate, "greatest learning rate", between(0., 1.));
    app.add_option("--save", given.save, "write what was learnt to a file")->type_name("FILE");
    app.add_option("--load", given.load, "read what was learnt from such a file; its sizes count")
        ->type_name("FILE");
    add("--length", given.length, "letters to write", any);
    app.add_option("--prompt", given.prompt, "beginning of what is written; default: a new line")
        ->type_name("TEXT")
        ->check([](const std::string& text) { return text.empty() ? "needs a letter" : ""; });
    add("--temperature", given.sampling.temperature,
        "below 1: safer, above: bolder; 0: the likeliest letters", between(0., 100.));
    add("--top-k", given.sampling.top_k, "draw among the likeliest N letters; 0: among all", any);
    add("--top-p", given.sampling.top_p,
        "draw among the likeliest letters whose probabilities reach this together",
        between(1e-9, 1.));
    add("--seed", given.seed, "key of the random numbers", any);
    app.set_help_flag("-h,--help", "this text");
  }

  /// Returns the check that a number is in a range, which --help leaves out.
  template <class T>
  static CLI::Validator between(T least, T greatest) {
    return CLI::Range(least, greatest).description("");
  }

  template <class T>
  void add(const char* name, T& to, const char* doc, const CLI::Validator& allowed) {
    app.add_option(name, to, doc)->type_name("N")->capture_default_str()->check(allowed);
  }

  CLI::App app{"", "troupe-letters"};
};

}  // namespace

arguments parse(const std::vector<std::string>& words) {
  arguments given;
  grammar expected(given);
  given.help = !parse_words(expected.app, words);
  if (given.width % given.heads != 0)
    throw std::invalid_argument("--width " + std::to_string(given.width) +
                                " is no multiple of --heads " + std::to_string(given.heads));
  return given;
}

std::string help_text() {
  arguments defaults;
  const grammar expected(defaults);
  return "Usage: troupe-letters [--steps N] [--text PATH] [--save FILE] [--load FILE] ...\n\n"
         "Learns to write like a text, letter by letter, with a small transformer, and writes.\n" +
         options_help(expected.app) + "\n" + environment_help(readers::all_programs);
}

}  // namespace troupe::letters
