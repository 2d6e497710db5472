// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

/// Texts about the variables of the environment, generated from the table of options.
namespace troupe {

/// Readers of the environment: all programs, or also the shell alone.
enum class readers { all_programs, shell };

/// Writes the section "Environment:" of --help.
std::string environment_help(readers who);
/// Writes the section ENVIRONMENT of the shell's manual page.
std::string environment_manual();
/// Writes the table of options of the README, or of those whose texts name `about`.
std::string options_markdown(std::string_view about = "");

}  // namespace troupe
