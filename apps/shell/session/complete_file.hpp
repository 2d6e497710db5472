// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/apps/shell/terminal/line_reader.hpp"

namespace troupe::shell {

/// The files and folders that a path could become that begins at a place of the line.
completions complete_file(std::string_view typed, std::size_t begin);

}  // namespace troupe::shell
