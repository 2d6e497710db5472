// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/tensor/tensor.hpp"

/// Tensors of memory that the program gives away: elements in row-major order, which nobody may
/// change any more. They are not copied, and the tensor is ready at once. The memory counts as the
/// device's and goes back to its owner when the last tensor and task let go of it, on any of their
/// threads. Copied all the same, and given back at once, are elements that the options convert,
/// arrays of 16 bytes or fewer, and pointers that are not aligned for their type; alignment beyond
/// that is not needed.

namespace troupe {

/// `count` elements of dtype `from` that stay where they are as long as `owner` exists. Throws
/// unless they fill the shape.
tensor from_owner(const void* elements, dtype from, std::int64_t count, const shape& sizes,
                  std::shared_ptr<const void> owner, const tensor_options& options = {},
                  caller where = caller::current());

namespace detail {

/// Does so for another function, which errors name.
tensor from_owner(std::string_view what, const void* elements, dtype from, std::int64_t count,
                  const shape& sizes, std::shared_ptr<const void> owner,
                  const tensor_options& options, caller where);

}  // namespace detail

/// The elements of a vector. Throws unless they fill the shape.
template <class T>
tensor from_buffer(std::vector<T>&& elements, const shape& sizes,
                   const tensor_options& options = {}, caller where = caller::current()) {
  static_assert(!std::is_same_v<T, bool>,
                "std::vector<bool> is no array of bool: give a pointer to bool");
  auto owner = std::make_shared<std::vector<T>>(std::move(elements));
  const auto& kept = *owner;
  return from_owner(kept.data(), dtype_of<T>(), static_cast<std::int64_t>(kept.size()), sizes,
                    std::move(owner), options, where);
}
/// One axis with all the elements.
template <class T>
tensor from_buffer(std::vector<T>&& elements, caller where = caller::current()) {
  const shape sizes{static_cast<std::int64_t>(elements.size())};
  return from_buffer(std::move(elements), sizes, {}, where);
}

/// As many elements as the shape has; the pointer keeps them, alone or with others that only read
/// them.
template <class T>
tensor from_buffer(std::shared_ptr<T> elements, const shape& sizes,
                   const tensor_options& options = {}, caller where = caller::current()) {
  using element = std::remove_cv_t<std::remove_extent_t<T>>;
  const void* first = elements.get();
  return from_owner(first, dtype_of<element>(), sizes.size(), sizes, std::move(elements), options,
                    where);
}
template <class T, class Deleter>
tensor from_buffer(std::unique_ptr<T[], Deleter> elements, const shape& sizes,
                   const tensor_options& options = {}, caller where = caller::current()) {
  return from_buffer(std::shared_ptr<T[]>(std::move(elements)), sizes, options, where);
}

/// As many elements as the shape has, from `elements` on; `deleter(elements)` is called once, when
/// nothing needs them any more, also if this throws. It must not throw.
template <class T, std::invocable<T*> Deleter>
tensor from_buffer(T* elements, const shape& sizes, Deleter deleter,
                   const tensor_options& options = {}, caller where = caller::current()) {
  return from_buffer(std::shared_ptr<T>(elements, std::move(deleter)), sizes, options, where);
}

}  // namespace troupe
