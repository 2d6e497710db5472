// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// A new array of the current engine, whose elements its maker writes before anybody sees it.
class tensor_builder {
 public:
  /// Throws, in the name of `what`, if there is no engine, no such device or no memory.
  tensor_builder(std::string_view what, const tensor_type& wanted, caller where);

  /// Where the elements go, in row-major order: memory of the host.
  void* data() const noexcept { return value_->data(); }
  std::size_t bytes() const noexcept { return value_->bytes(); }
  /// The tensor, which is ready, or on its way to a device that is not the host.
  tensor finish() &&;

 private:
  device place_;
  caller where_;
  value_ref value_;
};

}  // namespace troupe
