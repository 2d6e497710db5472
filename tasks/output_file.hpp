// SPDX-License-Identifier: MIT
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "troupe/tasks/atomic_file.hpp"
#include "troupe/tasks/file_call.hpp"

namespace troupe {

/// File that text is appended to, piece by piece, and that is there whole or not at all: an
/// atomic_file. A pipe or a device is written to as it is.
class output_file {
 public:
  /// Throws if the file cannot be written to.
  explicit output_file(const file_call& call);

  void write(std::string_view text);
  /// Writes what is still in memory, and gives the file its name.
  void commit();

 private:
  void write_waiting();

  file_call call_;
  std::optional<atomic_file> file_;
  std::ofstream device_;  // if there is no file
  std::string waiting_;   // many pieces for one write
};

}  // namespace troupe
