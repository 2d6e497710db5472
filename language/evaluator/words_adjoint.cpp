// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/put.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"

namespace troupe::language {

namespace {

conv2d_options steps_of(const arguments& a) {
  return {.stride = a.pair(3, 1),
          .padding = a.pair(4, 0),
          .dilation = a.pair(5, 1),
          .groups = a.integer(6, 1)};
}

pool2d_options window_of(const arguments& a, std::size_t first) {
  return {.size = a.pair(first, 1),
          .stride = a.pair(first + 1, height_width::absent()),
          .padding = a.pair(first + 2, 0)};
}

dynamic_value unslice_of(const arguments& a) {
  const auto& x = a.array(0);
  const auto sizes = a.sizes(1);
  const auto part = detail::checked_strides("unslice", x.shape(), a.integers(2), a.integer(3),
                                            sizes.size(), a.where());
  return unslice(x, part, sizes, a.where());
}

dynamic_value replace_part_of(const arguments& a) {
  const auto &x = a.array(0), &y = a.array(1);
  const auto part = detail::checked_strides("replace_part", y.shape(), a.integers(2), a.integer(3),
                                            x.size(), a.where());
  return replace_part(x, y, part, a.where());
}

template <put_op Op>
dynamic_value put_of(const arguments& a) {
  return put(Op, a.array(0), a.array(1), a.array(2), *a.axis(3), a.where());
}

dynamic_value add_along_axis_of(const arguments& a) {
  if (!a.flag(4))
    return add_along_axis(a.array(0), a.array(1), *a.axis(2), a.integer(3), a.where());
  const int axis =
      check_along_axis("add_along_axis", a.array(0), a.array(1), *a.axis(2), a.where());
  return submit_add_along_axis(a.array(0), a.array(1), {axis, true}, a.integer(3), a.where());
}

}  // namespace

std::vector<word> adjoint_words() {
  constexpr std::string_view slices = "x, indices, y, axis: axis";
  constexpr std::string_view spread =
      ", size: pair, stride: pair = 1, padding: pair = 0, dilation: pair = 1, groups: integer = 1";
  static const auto images = "arriving, weight" + std::string(spread);
  static const auto weights = "x, arriving" + std::string(spread);
  return {
      {"unslice", "adjoint", "x, sizes: shape, strides: integers, offset: integer",
       "Zeros of a shape, but x at such distances: the way back of a slice.", unslice_of},
      {"index_add", "adjoint", "x, indices, axis: axis, length: integer",
       "Zeros to which slices of x are added at positions along an axis: the way back of take.",
       [](const arguments& a) -> dynamic_value {
         return index_add(a.array(0), a.array(1), *a.axis(2), a.integer(3), a.where());
       }},
      {"add_along_axis", "adjoint", "x, indices, axis: axis, length: integer, labels: flag = false",
       "Zeros to which elements are added at positions: the way back of take_along_axis.",
       add_along_axis_of},
      {"replace_part", "adjoint", "x, y, strides: integers, offset: integer",
       "x, but y at such distances: what x[1:3] = y makes.", replace_part_of},
      {"put", "adjoint", slices, "x after slices were put at positions along an axis, in order.",
       put_of<put_op::set>},
      {"put_add", "adjoint", slices, "x after slices were added at positions along an axis.",
       put_of<put_op::add>},
      {"put_multiply", "adjoint", slices, "x multiplied by slices at positions along an axis.",
       put_of<put_op::multiply>},
      {"put_minimum", "adjoint", slices, "The lesser of x and slices at positions along an axis.",
       put_of<put_op::minimum>},
      {"put_maximum", "adjoint", slices, "The greater of x and slices at positions along an axis.",
       put_of<put_op::maximum>},
      {"true_positions", "adjoint", "mask",
       "The positions of what is true, in row-major order; waits to know how many there are.",
       [](const arguments& a) -> dynamic_value { return true_positions(a.array(0), a.where()); }},
      {"conv2d_input_gradient", "adjoint", images,
       "What comes back to images of a size: the transposed convolution.",
       [](const arguments& a) -> dynamic_value {
         return conv2d_input_gradient(a.array(0), a.array(1), a.pair(2, 1), steps_of(a), a.where());
       }},
      {"conv2d_weight_gradient", "adjoint", weights,
       "What comes back to a convolution's kernels of a size.",
       [](const arguments& a) -> dynamic_value {
         return conv2d_weight_gradient(a.array(0), a.array(1), a.pair(2, 1), steps_of(a),
                                       a.where());
       }},
      {"max_pool2d_gradient", "adjoint",
       "x, arriving, size: pair, stride: pair = none, padding: pair = 0",
       "Zeros, but what comes back to the greatest of each window.",
       [](const arguments& a) -> dynamic_value {
         return max_pool2d_gradient(a.array(0), a.array(1), window_of(a, 2), a.where());
       }},
      {"max_pool2d_pick", "adjoint", "x, y, size: pair, stride: pair = none, padding: pair = 0",
       "What lies in y where the greatest of each window of x is.",
       [](const arguments& a) -> dynamic_value {
         return max_pool2d_pick(a.array(0), a.array(1), window_of(a, 2), a.where());
       }},
      {"avg_pool2d_gradient", "adjoint",
       "arriving, image: pair, size: pair, stride: pair = none, padding: pair = 0",
       "What comes back to images of a size from the means of their windows.",
       [](const arguments& a) -> dynamic_value {
         return avg_pool2d_gradient(a.array(0), a.pair(1, 1), window_of(a, 2), a.where());
       }},
  };
}

}  // namespace troupe::language
