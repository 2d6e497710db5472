// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "troupe/actors/options.hpp"
#include "troupe/apps/node_process.hpp"

namespace troupe {

/// Nodes in processes of their own on this machine, each with one lane, and a key that is theirs
/// alone.
class local_nodes {
 public:
  /// Throws std::runtime_error if they do not start.
  explicit local_nodes(int count);
  local_nodes(const local_nodes&) = delete;
  local_nodes& operator=(const local_nodes&) = delete;
  ~local_nodes();

  /// Returns the options of a runtime of one lane that uses them.
  runtime_options owner() const;
  const node_process& last() const { return *all_.back(); }

 private:
  int file_;
  std::string key_;  ///< the path of the file, for all these processes
  std::vector<std::unique_ptr<node_process>> all_;
};

}  // namespace troupe
