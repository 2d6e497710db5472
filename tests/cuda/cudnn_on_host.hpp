// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace troupe::testing {

/// How what stands for cuDNN behaves where kernels run on the host.
enum class cudnn_behaviour { absent, refusing_at_launch, working };

inline std::atomic<cudnn_behaviour> cudnn_on_host = cudnn_behaviour::absent;
/// How many convolutions and pools it has done.
inline std::atomic<int> done_by_cudnn = 0;

}  // namespace troupe::testing
