// SPDX-License-Identifier: MIT
#pragma once

#include <cudnn.h>

#include <stdexcept>

#include "troupe/devices/dtype.hpp"

namespace troupe::cuda {

/// Description of a computation with a dtype for cuDNN.
struct cudnn_type {
  dtype type;
  cudnnDataType_t data, sums;
  cudnnMathType_t math;  ///< without TF32, which cuDNN uses for float32 by default
};

inline constexpr cudnn_type cudnn_types[] = {
    {float32, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_FMA_MATH},
    {float64, CUDNN_DATA_DOUBLE, CUDNN_DATA_DOUBLE, CUDNN_DEFAULT_MATH},
};

/// Returns the entry of a dtype. Throws std::runtime_error for dtypes that cuDNN does not compute
/// with.
inline const cudnn_type& cudnn_type_of(dtype type) {
  for (const auto& one : cudnn_types) {
    if (one.type == type) return one;
  }
  throw std::runtime_error("not possible with cuDNN");
}

/// Factors of the result and of the previous contents, in the type that cuDNN reads for a dtype.
class cudnn_factors {
 public:
  explicit cudnn_factors(dtype type) : wide_(cudnn_type_of(type).sums == CUDNN_DATA_DOUBLE) {}
  const void* one() const noexcept { return at(1); }
  const void* zero() const noexcept { return at(0); }

 private:
  static constexpr float numbers_[] = {0, 1};
  static constexpr double wide_numbers_[] = {0, 1};

  const void* at(int i) const noexcept {
    return wide_ ? static_cast<const void*>(wide_numbers_ + i) : numbers_ + i;
  }

  bool wide_;
};

}  // namespace troupe::cuda
