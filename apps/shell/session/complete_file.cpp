// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/complete_file.hpp"

#include <filesystem>

#include "troupe/apps/shell/session/candidates.hpp"

namespace troupe::shell {

completions complete_file(std::string_view typed, std::size_t begin) {
  candidates all(typed, begin);
  const auto slash = typed.rfind('/');
  const std::string folder(slash == std::string_view::npos ? "" : typed.substr(0, slash + 1));
  std::error_code failed;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? "." : folder, failed)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with('.')) continue;
    all.offer(folder + name, entry.is_directory(failed) ? "/" : "");
  }
  return all.finish();
}

}  // namespace troupe::shell
