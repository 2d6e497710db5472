// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/tests/temporary_folder.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

/// Fixture with an engine, and the path of a file in a folder of its own.
struct one_file : test_engine {
  explicit one_file(const std::string& name) : path(folder / name) {}

  /// Returns an error of a function that read the file, without its constant part.
  std::string facts_of(const std::string& error, const std::string& function) const {
    const auto start = function + ": " + path + ": ";
    return error.starts_with(start) ? error.substr(start.size()) : error;
  }

  temporary_folder folder;
  std::string path;
};

}  // namespace troupe::testing
