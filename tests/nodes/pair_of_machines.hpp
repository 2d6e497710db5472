// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

/// A node in this process, and the settings of an owner that uses it.
struct pair_of_machines {
  temporary_folder folder;
  std::string key = key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  runtime far{{.lanes = 2, .cpu_devices = 2}};
  node_server node{far, {.listen = "127.0.0.1:0", .key = key}};

  runtime_options owner(int lanes = 1) const {
    runtime_options o{.lanes = lanes};
    o.nodes = {"127.0.0.1:" + std::to_string(node.port())};
    o.key = key;
    return o;
  }
};

}  // namespace troupe::testing
