// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/fold_plan.hpp"

#include <algorithm>
#include <bit>

namespace troupe::cuda {

namespace {

constexpr int block = 256;               // threads
constexpr int warp = 32;                 // threads that read together
constexpr std::int64_t enough = 1024;    // blocks that keep any GPU busy
constexpr std::int64_t least_share = 8;  // elements that justify a thread of another block

/// Returns the smallest power of two that is not below a number, at most a block.
int power_of_two(std::int64_t n) noexcept {
  return static_cast<int>(
      std::bit_ceil(static_cast<std::uint64_t>(std::clamp<std::int64_t>(n, 1, block))));
}

}  // namespace

fold_plan plan_whole_rows(std::int64_t rows, std::int64_t length, bool along_rows) noexcept {
  fold_plan plan{.rows = rows, .length = length, .along_rows = along_rows};
  if (along_rows) {
    plan.part_threads =
        std::max(power_of_two((length + 3) / 4), std::min(power_of_two(length), warp));
  } else {
    plan.part_threads = std::min(power_of_two(length), block / std::min(power_of_two(rows), warp));
  }
  plan.row_threads = std::min(power_of_two(rows), block / plan.part_threads);
  return plan;
}

fold_plan plan_fold(std::int64_t rows, std::int64_t length, bool along_rows) noexcept {
  auto plan = plan_whole_rows(rows, length, along_rows);
  if (rows == 0) return plan;
  const auto most = length / (plan.part_threads * least_share);
  plan.parts = std::clamp<std::int64_t>(enough / plan.blocks(), 1, std::max<std::int64_t>(most, 1));
  return plan;
}

}  // namespace troupe::cuda
