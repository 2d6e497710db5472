// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

#include "troupe/devices/cpu/blas.hpp"

namespace troupe {

/// OpenBLAS, for a call by one thread. OpenBLAS keeps a buffer for each of the calls that run at
/// the same time, and where there is no memory for another it tries for ever: so that is found out
/// here.
class blas_call {
 public:
  /// Throws std::bad_alloc if there is no memory for another call at the same time, and
  /// std::runtime_error if OpenBLAS cannot be loaded.
  blas_call();
  blas_call(const blas_call&) = delete;
  blas_call& operator=(const blas_call&) = delete;
  ~blas_call();

  const blas* operator->() const noexcept { return &functions_; }

 private:
  const blas& functions_;
  std::unique_lock<std::mutex> alone_;  ///< held if this build takes one call at a time
};

}  // namespace troupe
