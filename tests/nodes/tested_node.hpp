// SPDX-License-Identifier: MIT
#pragma once

#include <stdlib.h>
#include <sys/stat.h>

#include <string>

#include "troupe/apps/node_process.hpp"
#include "troupe/tests/comes_true.hpp"
#include "troupe/tests/temporary_folder.hpp"

namespace troupe::testing {

inline std::string key_in(const temporary_folder& folder, const std::string& name,
                          const std::string& bytes) {
  auto path = put_bytes(folder / name, bytes);
  ::chmod(path.c_str(), 0600);
  return path;
}

/// The node that was built with the tests, in a process of its own.
struct tested_node : node_process {
  explicit tested_node(const std::string& key, const std::string& listen = "127.0.0.1:0")
      : node_process(TROUPE_NODE, key, listen) {}
};

/// A variable of the environment, for processes that are started meanwhile.
class set_variable {
 public:
  set_variable(const char* name, const std::string& text) : name_(name) {
    ::setenv(name, text.c_str(), 1);
  }
  set_variable(const set_variable&) = delete;
  set_variable& operator=(const set_variable&) = delete;
  ~set_variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

}  // namespace troupe::testing
