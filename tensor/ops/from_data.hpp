// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

/// Tensors of numbers that the program has. The numbers are copied at the call, and the tensor is
/// ready at once. Where they do not fit under the device's memory limit, the calling thread first
/// waits until they do, or until the tasks submitted before have ended. `from_buffer` takes them
/// without a copy.

namespace troupe {

/// `count` elements of dtype `from` in row-major order, converted if the options name another
/// dtype. Throws unless they fill the shape.
tensor from_bytes(const void* data, dtype from, std::int64_t count, const shape& sizes,
                  const tensor_options& options = {}, caller where = caller::current());

namespace detail {

/// Does so for another function, which errors name.
tensor from_bytes(std::string_view what, const void* data, dtype from, std::int64_t count,
                  const shape& sizes, const tensor_options& options, caller where);

}  // namespace detail

/// Elements in row-major order.
template <class T>
tensor from_data(const T* data, const shape& sizes, const tensor_options& options = {},
                 caller where = caller::current()) {
  return from_bytes(data, dtype_of<T>(), sizes.size(), sizes, options, where);
}

/// Elements in row-major order. Throws unless they fill the shape.
template <class T>
tensor from_data(const std::vector<T>& elements, const shape& sizes,
                 const tensor_options& options = {}, caller where = caller::current()) {
  static_assert(!std::is_same_v<T, bool>,
                "std::vector<bool> is no array of bool: give a pointer to bool");
  return from_bytes(elements.data(), dtype_of<T>(), static_cast<std::int64_t>(elements.size()),
                    sizes, options, where);
}
template <class T>
tensor from_data(std::span<T> elements, const shape& sizes, const tensor_options& options = {},
                 caller where = caller::current()) {
  return from_bytes(elements.data(), dtype_of<std::remove_const_t<T>>(),
                    static_cast<std::int64_t>(elements.size()), sizes, options, where);
}

/// One axis with all the elements.
template <class T>
tensor from_data(const std::vector<T>& elements, caller where = caller::current()) {
  return from_data(elements, shape{static_cast<std::int64_t>(elements.size())}, {}, where);
}
template <class T>
tensor from_data(std::span<T> elements, caller where = caller::current()) {
  return from_data(elements, shape{static_cast<std::int64_t>(elements.size())}, {}, where);
}

}  // namespace troupe
