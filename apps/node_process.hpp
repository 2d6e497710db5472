// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>

namespace troupe {

/// A node in a process of its own on this machine, which ends with this object, and if this process
/// is killed.
class node_process {
 public:
  /// Starts the program `troupe-node` with a key file, and waits until it listens. `lanes` is its
  /// number of threads; 0: as many as there are cores. Throws std::runtime_error if it does not
  /// start.
  node_process(const std::string& program, const std::string& key,
               const std::string& listen = "127.0.0.1:0", int lanes = 0);
  node_process(const node_process&) = delete;
  node_process& operator=(const node_process&) = delete;
  ~node_process();

  const std::string& address() const noexcept { return address_; }
  void send(int signal) const noexcept;

 private:
  pid_t pid_;
  std::string address_;
};

}  // namespace troupe
