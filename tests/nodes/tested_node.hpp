// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <string>

#include "troupe/apps/node_process.hpp"
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

}  // namespace troupe::testing
