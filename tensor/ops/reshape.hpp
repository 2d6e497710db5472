// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/tensor/tensor.hpp"

/// The same elements under another shape, or with their axes in another order or direction. No
/// elements are copied, except where `reshape` and `flatten` of elements that do not lie evenly in
/// memory say so.

namespace troupe {

/// Another shape with as many elements; one size may be -1: what is left for it. Copies only where
/// no view can show the elements in that order.
tensor reshape(const tensor& x, std::span<const std::int64_t> sizes,
               caller where = caller::current());
inline tensor reshape(const tensor& x, std::initializer_list<std::int64_t> sizes,
                      caller where = caller::current()) {
  return reshape(x, std::span(sizes.begin(), sizes.size()), where);
}
inline tensor reshape(const tensor& x, const shape& sizes, caller where = caller::current()) {
  return reshape(x, std::span(sizes.begin(), sizes.end()), where);
}
inline tensor reshape(const tensor& x, const std::vector<std::int64_t>& sizes,
                      caller where = caller::current()) {
  return reshape(x, std::span(sizes), where);
}
/// One axis divided into several, with as many positions together; one size may be -1. The other
/// axes stay. Copies as `reshape` does.
tensor unflatten(const tensor& x, int axis, std::span<const std::int64_t> sizes,
                 caller where = caller::current());
inline tensor unflatten(const tensor& x, int axis, std::initializer_list<std::int64_t> sizes,
                        caller where = caller::current()) {
  return unflatten(x, axis, std::span(sizes.begin(), sizes.size()), where);
}
/// One axis with all elements; copies as `reshape` does. NumPy's ravel.
tensor flatten(const tensor& x, caller where = caller::current());
/// Without the axes of size 1.
tensor squeeze(const tensor& x, caller where = caller::current());
/// Without one axis; throws unless its size is 1.
tensor squeeze(const tensor& x, int axis, caller where = caller::current());
/// Without several axes.
tensor squeeze(const tensor& x, std::span<const int> over, caller where = caller::current());
inline tensor squeeze(const tensor& x, std::initializer_list<int> over,
                      caller where = caller::current()) {
  return squeeze(x, std::span(over.begin(), over.size()), where);
}
/// With a new axis of size 1 that will be number `axis`.
tensor expand_dims(const tensor& x, int axis, caller where = caller::current());
/// With several new axes, which will have these numbers. Throws for the same number twice.
tensor expand_dims(const tensor& x, std::span<const int> over, caller where = caller::current());
inline tensor expand_dims(const tensor& x, std::initializer_list<int> over,
                          caller where = caller::current()) {
  return expand_dims(x, std::span(over.begin(), over.size()), where);
}
/// With at least one axis: a scalar becomes a vector of one element.
tensor atleast_1d(const tensor& x, caller where = caller::current());
/// With at least two axes: a vector becomes a row.
tensor atleast_2d(const tensor& x, caller where = caller::current());
/// With at least three axes: a vector of n elements becomes [1,n,1], a matrix [m,n] becomes
/// [m,n,1].
tensor atleast_3d(const tensor& x, caller where = caller::current());
/// Repeated along axes of size 1 and new leading axes. Throws if the shape does not broadcast to
/// that.
tensor broadcast_to(const tensor& x, const shape& sizes, caller where = caller::current());
/// Each of them broadcast to the shape that all broadcast to; dtypes stay. Throws if there is no
/// such shape.
std::vector<tensor> broadcast_arrays(const std::vector<tensor>& some,
                                     caller where = caller::current());
/// A view of the elements of `x` in row-major order: element (i, j, ...) is number offset + i *
/// strides[0] + j * strides[1] + ... of them. Copies where these do not lie side by side. Throws
/// for places beyond the elements. An element that is there several times gets the sum of its
/// gradients.
tensor as_strided(const tensor& x, const shape& sizes, std::span<const std::int64_t> strides,
                  std::int64_t offset = 0, caller where = caller::current());
inline tensor as_strided(const tensor& x, const shape& sizes,
                         std::initializer_list<std::int64_t> strides, std::int64_t offset = 0,
                         caller where = caller::current()) {
  return as_strided(x, sizes, std::span(strides.begin(), strides.size()), offset, where);
}

inline tensor ravel(const tensor& x, caller where = caller::current()) { return flatten(x, where); }

/// The axes in reverse order.
tensor transpose(const tensor& x, caller where = caller::current());
/// Axis i of the result is axis order[i] of `x`. Throws unless every axis is named once.
tensor transpose(const tensor& x, std::span<const int> order, caller where = caller::current());
inline tensor transpose(const tensor& x, std::initializer_list<int> order,
                        caller where = caller::current()) {
  return transpose(x, std::span(order.begin(), order.size()), where);
}
/// With two axes exchanged.
tensor swapaxes(const tensor& x, int a, int b, caller where = caller::current());
/// With one axis moved to another place; the others keep their order.
tensor moveaxis(const tensor& x, int from, int to, caller where = caller::current());
/// With axis from[i] moved to place to[i]; the others keep their order. Throws unless there are as
/// many places as axes, each named once.
tensor moveaxis(const tensor& x, std::span<const int> from, std::span<const int> to,
                caller where = caller::current());
inline tensor moveaxis(const tensor& x, std::initializer_list<int> from,
                       std::initializer_list<int> to, caller where = caller::current()) {
  return moveaxis(x, std::span(from.begin(), from.size()), std::span(to.begin(), to.size()), where);
}
/// Backwards along all axes, or along those named.
tensor flip(const tensor& x, const axes& over = {}, caller where = caller::current());
/// Turned so many times by 90 degrees in the plane of two axes, from the first towards the second.
/// Throws unless the axes differ.
tensor rot90(const tensor& x, std::int64_t times = 1, std::pair<int, int> plane = {0, 1},
             caller where = caller::current());

namespace detail {

/// The elements of a vector along an axis, counted from 0, so that they broadcast to `rank` axes.
tensor along_axis(const tensor& line, int axis, int rank, caller where = caller::current());

/// Returns the layout of a part of so many elements. Throws for places beyond them.
layout checked_strides(std::string_view what, const shape& sizes,
                       std::span<const std::int64_t> strides, std::int64_t offset,
                       std::int64_t elements, caller where);

}  // namespace detail

}  // namespace troupe
