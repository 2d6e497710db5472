// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "troupe/tests/nodes/tested_node.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

/// Some nodes in processes of their own, and the options of a runtime that uses them all.
struct tested_nodes {
  explicit tested_nodes(int count) {
    for (int i = 0; i < count; ++i) {
      all.push_back(std::make_unique<tested_node>(key));
      options.nodes->push_back(all.back()->address());
    }
  }

  temporary_folder folder;
  std::string key = key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  std::vector<std::unique_ptr<tested_node>> all;
  runtime_options options{.lanes = 1, .nodes = std::vector<std::string>(), .key = key};
};

/// A signal for a node after some time, on a thread of its own.
class disturbance {
 public:
  disturbance(const tested_node& whom, int signal, std::chrono::microseconds after)
      : thread_([&whom, signal, after] {
          std::this_thread::sleep_for(after);
          whom.send(signal);
        }) {}
  ~disturbance() { thread_.join(); }

 private:
  std::thread thread_;
};

}  // namespace troupe::testing
