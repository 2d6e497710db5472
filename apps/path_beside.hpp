// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace troupe {

/// Returns the path of a program in the folder of the one that runs.
inline std::string path_beside(std::string_view program) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(program).string();
}

}  // namespace troupe
