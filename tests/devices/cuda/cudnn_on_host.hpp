// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace troupe::testing {

/// Behaviour of the substitute for cuDNN where kernels run on the host.
enum class cudnn_behaviour { absent, refusing_at_launch, working };

inline std::atomic<cudnn_behaviour> cudnn_on_host = cudnn_behaviour::absent;
/// Number of convolutions and pools that it has computed.
inline std::atomic<int> done_by_cudnn = 0;

}  // namespace troupe::testing
