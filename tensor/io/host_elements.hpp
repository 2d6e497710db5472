// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "troupe/devices/array.hpp"
#include "troupe/tasks/file_call.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Writes the elements of an array with any strides to `to`, in row-major order and as another
/// dtype, on this thread.
void convert(const array& from, void* to, dtype as);

/// Waits for the tensor. Throws the tensor's error if it failed, and inside a task.
void await_elements(const tensor& x, const file_call& call);

/// Elements of a tensor in row-major order in the host's memory: a sync point.
class host_elements {
 public:
  /// Waits as `await_elements` does. Views are copied.
  host_elements(const tensor& x, const file_call& call);

  const std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  tensor array_;  // keeps the elements
  std::unique_ptr<std::byte[]> packed_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace troupe
