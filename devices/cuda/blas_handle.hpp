// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>

#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// Returns the cuBLAS handle for work on a stream of a GPU; each stream has its own.
cublasHandle_t blas_handle(stream& on);

}  // namespace troupe::cuda
