// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace troupe::cuda {

/// Compiles CUDA source, by NVRTC, for GPUs of a compute capability, such as 90; products and sums
/// are not contracted. Returns the machine code; nothing where NVRTC cannot be loaded or refuses.
std::vector<char> machine_code_of(const std::string& source, int compute_capability);

}  // namespace troupe::cuda
