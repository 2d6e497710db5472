// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string>
#include <string_view>

#include "troupe/text/quantities.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

/// Who reads or writes which file: what its errors begin and end with.
struct file_call {
  const char* what;
  std::string path;
  std::source_location call_site;

  /// The same call at work on a named part of the file.
  file_call inside(std::string_view part) const;

  /// Throws `load_npy: x.npy: <facts> (model.cpp:41)`.
  [[noreturn]] void fail(std::string_view facts) const;
  /// Adds what the system says about an error number.
  [[noreturn]] void fail(std::string_view facts, int error_number) const;
  [[noreturn]] void fail_without_memory() const { fail("out of memory"); }
};

}  // namespace troupe
