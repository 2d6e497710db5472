// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace troupe::cpu_kernels {

/// Memory of the calling thread for the chunk that it runs, 64-byte aligned: what is in it lasts
/// until the thread asks again. It stays in the cache from one chunk to the next, as a chunk's part
/// of `kernel_args::scratch` would not. For a few megabytes; what is larger is given back at the
/// next call.
void* workspace(std::size_t bytes);

}  // namespace troupe::cpu_kernels
