// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// New array of the current engine, whose creator writes its elements before any reader sees it.
class tensor_builder {
 public:
  /// Allocates the array. Throws, in the name of `what`, if there is no engine, no such device or
  /// no memory.
  tensor_builder(std::string_view what, const tensor_type& wanted, caller where);
  /// Takes elements that are there, which stay where they are as long as `owner` exists; their
  /// memory counts as the device's. Throws likewise.
  tensor_builder(std::string_view what, const tensor_type& wanted, void* elements,
                 std::shared_ptr<const void> owner, caller where);

  /// Returns the memory for the elements, in row-major order, on the host.
  void* data() const noexcept { return value_->data(); }
  std::size_t bytes() const noexcept { return value_->bytes(); }
  /// Returns the tensor, which is ready, or on its way to another device than the host.
  tensor finish() &&;

 private:
  using taking = std::function<void(value&, const std::shared_ptr<memory>&)>;
  tensor_builder(std::string_view what, const tensor_type& wanted, const taking& take,
                 caller where);

  device device_;
  caller call_site_;
  value_ref value_;
};

}  // namespace troupe
