// SPDX-License-Identifier: MIT
#include "troupe/tasks/file_call.hpp"

#include <system_error>

#include "troupe/tasks/error.hpp"

namespace troupe {

file_call file_call::inside(std::string_view part) const {
  return {function, path + ": " + quoted(part), call_site};
}

void file_call::fail(std::string_view facts) const {
  throw error(std::string(function) + ": " + on_one_line(path.empty() ? "\"\"" : path) + ": " +
                  std::string(facts),
              call_site);
}

void file_call::fail(std::string_view facts, int error_number) const {
  fail(std::string(facts) + ": " + std::generic_category().message(error_number));
}

}  // namespace troupe
