// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

#include "troupe/tests/effort.hpp"

namespace troupe::testing {

/// Scope in which the process maps at most `more` bytes beyond its present ones. Sanitizers reserve
/// more address space than any limit leaves, so with them nothing is limited.
class address_limit {
 public:
  static constexpr bool possible = !sanitized;

  explicit address_limit(std::size_t more) {
    getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    if (!possible || pages == 0) return;
    auto limit = before_;
    limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more;
    setrlimit(RLIMIT_AS, &limit);
  }
  address_limit(const address_limit&) = delete;
  address_limit& operator=(const address_limit&) = delete;
  ~address_limit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

}  // namespace troupe::testing
