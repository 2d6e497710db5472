// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/sort_plan.hpp"

#include <algorithm>

#include "troupe/devices/layout/share.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t longest_alone = 65536;  // elements that one thread sorts in its cache
constexpr std::int64_t chunk_size = 16384;
constexpr std::int64_t share_size = 65536, most_shares = 64;
constexpr std::int64_t at_once = std::int64_t{1} << 21;  // elements, which bounds the scratch

}  // namespace

sort_plan::sort_plan(const array& in) noexcept : length(in.shape[in.rank - 1]) {
  rows = length == 0 ? 0 : in.size() / length;
  if (length <= longest_alone) {
    rows_per_chunk = std::max<std::int64_t>(1, chunk_size / std::max<std::int64_t>(1, length));
    return;
  }
  shares = std::min(parts(length, share_size), most_shares);
  rows_at_once = std::clamp<std::int64_t>(at_once / length, 1, std::max<std::int64_t>(1, rows));
}

std::int64_t sort_plan::chunks(std::int64_t phases) const noexcept {
  if (!shared()) return parts(rows, rows_per_chunk);
  return parts(rows, rows_at_once) * phases * width();
}

}  // namespace troupe::cpu_kernels
