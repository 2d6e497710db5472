// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

namespace troupe::testing {

/// Folder of one test, removed with everything in it.
class temporary_folder {
 public:
  temporary_folder() {
    auto pattern = (std::filesystem::temp_directory_path() / "troupe-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no folder for the test: " + pattern);
    path_ = pattern;
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  /// Returns the path of a file in it.
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string path() const { return path_; }

  /// Returns the names of all entries, in order, each followed by a space.
  std::string names() const {
    std::set<std::string> all;
    for (const auto& e : std::filesystem::directory_iterator(path_))
      all.insert(e.path().filename().string());
    std::string out;
    for (const auto& name : all) out += name + " ";
    return out;
  }

 private:
  std::string path_;
};

inline std::string bytes_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string put_bytes(const std::string& path, const std::string& bytes) {
  // Some file systems write a file to the disk at once if it is truncated and filled again.
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace troupe::testing
