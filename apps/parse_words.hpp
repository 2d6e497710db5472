// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe {

/// Says in one line that a program has no such option.
inline std::invalid_argument unknown_option(const CLI::App& app, const std::string& word) {
  return std::invalid_argument("no option \"" + word + "\"; " + app.get_name() +
                               " --help lists them");
}

/// Parses the words of a command line. Returns false if they ask for help. Throws
/// std::invalid_argument, with one line that says what is wrong.
inline bool parse_words(CLI::App& app, const std::vector<std::string>& words) {
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) { return false; } catch (const CLI::ExtrasError&) {
    throw unknown_option(app, app.remaining().front());
  } catch (const CLI::ParseError& e) { throw std::invalid_argument(e.what()); }
  return true;
}

/// Lists the options of a program, and its subcommands if it has some, as --help shows them.
inline std::string options_help(const CLI::App& app) {
  CLI::Formatter form;
  form.column_width(22);
  return form.make_groups(&app, CLI::AppFormatMode::Normal) +
         form.make_subcommands(&app, CLI::AppFormatMode::Normal);
}

}  // namespace troupe
