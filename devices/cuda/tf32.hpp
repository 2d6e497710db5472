// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string_view>

namespace troupe::cuda {

/// Returns true if the user wants float32 products with only the first 10 bits of the fractions,
/// which GPUs compute several times as fast.
inline bool tf32_wanted() noexcept {
  const char* const set = std::getenv("TROUPE_TF32");
  return set && std::string_view(set) == "1";
}

}  // namespace troupe::cuda
