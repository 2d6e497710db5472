// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::bench {

/// Program that does the same work with somebody else's library, in a process of its own so that
/// its threads do not disturb ours. It says what it is, then answers each line "<case> <count>"
/// with seconds (see peers/serve.hpp).
class peer {
 public:
  /// Starts the program of this name that lies beside the running one, with these arguments.
  explicit peer(std::string_view program, const std::vector<std::string>& words = {});
  peer(const peer&) = delete;
  peer& operator=(const peer&) = delete;
  ~peer();

  /// Returns false if there is no such program, or it cannot start here.
  bool installed() const noexcept { return !description_.empty(); }
  /// Returns what the program says it is: "LibTorch 1.13.1, 2 threads".
  const std::string& description() const noexcept { return description_; }
  /// Asks it for a measurement. Throws std::runtime_error if it does not know the case or ended.
  double measure(std::string_view name, int count);

 private:
  std::string read_line();

  std::string program_;
  pid_t process_ = -1;
  int channel_ = -1;
  std::FILE* answers_ = nullptr;
  std::string description_;
};

}  // namespace troupe::bench
