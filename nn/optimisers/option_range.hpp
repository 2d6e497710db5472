// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/tensor/tensor.hpp"

namespace troupe::nn {

/// Checks of an optimiser's options; they throw errors such as `adam: beta1 is 1.5 and must be in
/// [0, 1)`.
class option_range {
 public:
  option_range(std::string_view optimiser, caller where) noexcept
      : optimiser_(optimiser), call_site_(where) {}

  /// Requires a finite number, 0 or more.
  const option_range& amount(std::string_view option, double number) const;
  /// Requires a number in [0, 1).
  const option_range& fraction(std::string_view option, double number) const;

 private:
  std::string_view optimiser_;
  caller call_site_;
};

}  // namespace troupe::nn
