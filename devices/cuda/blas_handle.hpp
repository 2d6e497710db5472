// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>

#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// What cuBLAS is called with for work on a stream of a GPU: each stream has its own.
cublasHandle_t blas_handle(stream& on);

}  // namespace troupe::cuda
