// SPDX-License-Identifier: MIT
#include "troupe/nn/optimisers/option_range.hpp"

#include <cmath>

#include "troupe/tensor/number_text.hpp"

namespace troupe::nn {

namespace {

void require(bool fits, std::string_view optimiser, std::string_view option, double number,
             const char* wanted, caller where) {
  if (!fits)
    throw error(std::string(optimiser) + ": " + std::string(option) + " is " + real_text(number) +
                    " and must be " + wanted,
                where);
}

}  // namespace

const option_range& option_range::amount(std::string_view option, double number) const {
  require(std::isfinite(number) && number >= 0, optimiser_, option, number, "0 or more",
          call_site_);
  return *this;
}

const option_range& option_range::fraction(std::string_view option, double number) const {
  require(number >= 0 && number < 1, optimiser_, option, number, "in [0, 1)", call_site_);
  return *this;
}

}  // namespace troupe::nn
