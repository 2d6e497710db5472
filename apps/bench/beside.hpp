// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace troupe::bench {

/// The path of a program that lies beside the running one, which need not be there.
inline std::string path_beside(std::string_view program) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(program).string();
}

}  // namespace troupe::bench
