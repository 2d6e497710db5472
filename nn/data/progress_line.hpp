// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace troupe::nn::detail {

/// Contents of a progress bar.
struct progress_state {
  std::string label = {};
  std::int64_t done = 0;
  std::optional<std::int64_t> total = {};
  double per_second = 0;        ///< 0: not known yet
  double seconds = 0;           ///< since the start
  bool over = false;            ///< no more iterations will come
  bool rest_under_way = false;  ///< over, but not all of it has been computed
  std::vector<std::pair<std::string, std::string>> shown = {};
};

/// Returns one line of at most `width` characters, whose bar fills the remaining space: `epoch 3
/// 45% |####     | 450/1000  12.3/s  0:37 left  loss 0.1234`.
std::string progress_line(const progress_state& s, int width);

}  // namespace troupe::nn::detail
