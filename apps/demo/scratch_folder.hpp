// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace troupe::demo {

/// Folder that is removed at the end.
class scratch_folder {
 public:
  scratch_folder() {
    auto name = (std::filesystem::temp_directory_path() / "troupe-demo-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error(name + " cannot be made");
    path_ = name;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace troupe::demo
