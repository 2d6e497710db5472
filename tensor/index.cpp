// SPDX-License-Identifier: MIT
#include "troupe/tensor/index.hpp"

#include <algorithm>

namespace troupe {

stretch resolve(const range& r, std::int64_t size) noexcept {
  const auto step = std::max(r.step, -INT64_MAX);
  const bool forwards = step > 0;
  const std::int64_t lowest = forwards ? 0 : -1, highest = forwards ? size : size - 1;
  const auto end = [&](const std::optional<std::int64_t>& given, std::int64_t otherwise) {
    if (!given) return otherwise;
    return std::clamp(*given < 0 ? *given + size : *given, lowest, highest);
  };
  const auto start = end(r.start, forwards ? lowest : highest);
  const auto stop = end(r.stop, forwards ? highest : lowest);
  const auto distance = forwards ? stop - start : start - stop;
  return {start, step, distance <= 0 ? 0 : (distance - 1) / (forwards ? step : -step) + 1};
}

}  // namespace troupe
