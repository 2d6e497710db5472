// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "troupe/tensor/program/program.hpp"

namespace troupe {

/// Text of a program that is being written, in the shell's language, with the constants in it.
class program_writer {
 public:
  /// Adds an argument, a constant or a line, and returns its name.
  std::string argument(const tensor_type& type);
  std::string constant(const tensor& x);
  std::string line(const std::string& expression);

  /// Says which name in the text stands for a value of the model.
  void name_value(const std::string& value, const std::string& name) { names_[value] = name; }
  /// Returns the name of a value, or nullptr.
  const std::string* name_of(const std::string& value) const;

  /// Makes the program whose results are these names.
  program finish(const std::vector<std::string>& results, caller where) const;

 private:
  std::string declarations_, arguments_, lines_;
  std::size_t argument_count_ = 0, line_count_ = 0;
  named_tensors constants_;
  std::map<std::string, std::string> names_;
};

}  // namespace troupe
