// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string>
#include <string_view>

#include "troupe/text/quantities.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

/// Call that reads or writes a file: the beginning and the end of its errors.
struct file_call {
  const char* function;
  std::string path;
  std::source_location call_site;

  /// Returns the same call, at work on a named part of the file.
  file_call inside(std::string_view part) const;

  /// Throws `load_npy: x.npy: <facts> (model.cpp:41)`.
  [[noreturn]] void fail(std::string_view facts) const;
  /// Throws the same with the system's words for an error number.
  [[noreturn]] void fail(std::string_view facts, int error_number) const;
  [[noreturn]] void fail_without_memory() const { fail("out of memory"); }
};

}  // namespace troupe
