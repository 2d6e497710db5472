// SPDX-License-Identifier: MIT
#pragma once

#include <torch/torch.h>
#include <torch/version.h>

#include <algorithm>
#include <string>
#include <thread>

namespace troupe::bench {

/// Makes LibTorch use all cores: Debian's build sometimes takes the machine for a smaller one.
/// Returns what it is: "LibTorch 1.13.1, 2 threads".
inline std::string libtorch_on_all_cores() {
  at::set_num_threads(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  return "LibTorch " TORCH_VERSION ", " + std::to_string(at::get_num_threads()) + " threads";
}

}  // namespace troupe::bench
