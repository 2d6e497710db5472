// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe::testing {

/// Returns the bits of integers, and nothing of floats.
inline std::vector<std::int64_t> integers_of(const tensor& x) {
  if (is_floating(x.dtype())) return {};
  if (x.dtype() != uint64) return x.to_vector<std::int64_t>();
  const auto all = x.to_vector<std::uint64_t>();
  return {all.begin(), all.end()};
}

}  // namespace troupe::testing
