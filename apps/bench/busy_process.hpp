// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

namespace troupe::bench {

/// Process that computes as long as this object lives, to disturb what is measured. It ends with
/// the thread that started it, however that ends.
class busy_process {
 public:
  /// Starts it. Throws std::system_error if that is not possible.
  busy_process();
  busy_process(const busy_process&) = delete;
  busy_process& operator=(const busy_process&) = delete;
  ~busy_process();

  pid_t id() const noexcept { return id_; }

 private:
  pid_t id_;
};

}  // namespace troupe::bench
