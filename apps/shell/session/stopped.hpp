// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <string>

namespace troupe::shell {

/// The user has had enough, with Ctrl-C: the input ends here, what it submitted goes on.
class stopped final : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

}  // namespace troupe::shell
