// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/cuda/with_cudnn.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cuda {

// By cuDNN where it does just that.

namespace {

/// Numbers [begin, end).
struct range {
  std::int64_t begin, end;
};

/// Windows along one axis.
struct pool_axis {
  std::int64_t inputs, outputs, size, stride, padding;

  /// Returns the inputs of a window, without padding: at least one.
  TROUPE_BOTH range window(std::int64_t i) const {
    const auto first = i * stride - padding, end = first + size;
    return {first < 0 ? 0 : first, end < inputs ? end : inputs};
  }
  /// Returns the windows that contain an input.
  TROUPE_BOTH range windows_of(std::int64_t input) const {
    const auto place = input + padding, end = place / stride + 1;
    return {place < size ? 0 : (place - size) / stride + 1, end < outputs ? end : outputs};
  }
};

struct pool_axes {
  pool_axis down, along;

  pool_axes(const kernel_args& args, const array& inputs_like, const array& outputs_like) noexcept {
    const auto& a = *static_cast<const pooling_attributes*>(args.attributes);
    const auto axis = [&](int i) {
      return pool_axis{inputs_like.shape[2 + i], outputs_like.shape[2 + i], a.size[i], a.stride[i],
                       a.padding[i]};
    };
    down = axis(0), along = axis(1);
  }

  TROUPE_BOTH std::int64_t image_inputs() const { return down.inputs * along.inputs; }
  TROUPE_BOTH std::int64_t image_outputs() const { return down.outputs * along.outputs; }
};

/// Returns a mapping from the number of an element to the start of its image, among images of
/// another size, and to its row and column.
offsets<3> places(const array& like, std::int64_t size_there) noexcept {
  loop_nest nest;
  nest.rank = 3;
  nest.shape[0] = like.shape[0] * like.shape[1];
  nest.shape[1] = like.shape[2], nest.shape[2] = like.shape[3];
  nest.strides[0][0] = size_there;
  nest.strides[1][1] = nest.strides[2][2] = 1;
  return offsets<3>(nest);
}

template <class T>
struct greater {
  static TROUPE_BOTH T of(T most, T x) { return x > most || x != x ? x : most; }
};

template <class T>
struct sum {
  static TROUPE_BOTH T of(T a, T b) { return a + b; }
};

/// Combines windows down their columns first, as on the CPU.
template <class T, class F>
struct pool {
  const T* from;
  T* out;
  pool_axes axes;
  T scale;
  offsets<3> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t place[3];
    positions.at(i, place);
    const T* const image = from + place[0];
    const range rows = axes.down.window(place[1]), columns = axes.along.window(place[2]);
    T all = column(image + columns.begin, rows);
    for (auto x = columns.begin + 1; x < columns.end; ++x)
      all = F::of(all, column(image + x, rows));
    out[i] = all * scale;
  }

  TROUPE_BOTH T column(const T* top, const range& rows) const {
    T all = top[rows.begin * axes.along.inputs];
    for (auto y = rows.begin + 1; y < rows.end; ++y) all = F::of(all, top[y * axes.along.inputs]);
    return all;
  }
};

/// Returns the position in an image of the first greatest element of a window, or of its last NaN.
template <class T>
TROUPE_BOTH std::int64_t greatest(const T* image, const pool_axes& axes, std::int64_t y,
                                  std::int64_t x) {
  const range rows = axes.down.window(y), columns = axes.along.window(x);
  auto found = rows.begin * axes.along.inputs + columns.begin;
  T most = image[found];
  for (auto i = rows.begin; i < rows.end; ++i) {
    for (auto j = columns.begin; j < columns.end; ++j) {
      const auto here = i * axes.along.inputs + j;
      const T value = image[here];
      if (value > most || value != value) most = value, found = here;
    }
  }
  return found;
}

/// Calls put(number of the window, start of its image, position in it of the greatest element) for
/// each window.
template <class T, class Put>
struct at_greatest {
  const T* x;
  pool_axes axes;
  offsets<3> positions;
  Put put;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t place[3];
    positions.at(i, place);
    put(i, place[0], greatest(x + place[0], axes, place[1], place[2]));
  }
};

template <class T>
struct pick {
  const T* from;
  T* out;

  TROUPE_BOTH void operator()(std::int64_t i, std::int64_t image, std::int64_t found) const {
    out[i] = from[image + found];
  }
};

/// Number of a pixel in its image.
using pixel = std::uint32_t;

struct note {
  pixel* out;

  TROUPE_BOTH void operator()(std::int64_t i, std::int64_t, std::int64_t found) const {
    out[i] = static_cast<pixel>(found);
  }
};

/// Sums, for each pixel, the gradients of the windows whose greatest element it is.
template <class T>
struct spread {
  const T* arriving;
  const pixel* greatest;
  T* out;
  pool_axes axes;
  offsets<3> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t place[3];
    positions.at(i, place);
    const auto mine = static_cast<pixel>(place[1] * axes.along.inputs + place[2]);
    const range rows = axes.down.windows_of(place[1]), columns = axes.along.windows_of(place[2]);
    T all = 0;
    for (auto y = rows.begin; y < rows.end; ++y) {
      for (auto x = columns.begin; x < columns.end; ++x) {
        const auto window = place[0] + y * axes.along.outputs + x;
        if (greatest[window] == mine) all += arriving[window];
      }
    }
    out[i] = all;
  }
};

template <class T>
struct repeat_mean {
  const T* arriving;
  T* out;
  pool_axes axes;
  T scale;
  offsets<3> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t place[3];
    positions.at(i, place);
    const range rows = axes.down.windows_of(place[1]), columns = axes.along.windows_of(place[2]);
    T all = 0;
    for (auto y = rows.begin; y < rows.end; ++y) {
      const T* const windows = arriving + place[0] + y * axes.along.outputs;
      T row = 0;
      for (auto x = columns.begin; x < columns.end; ++x) row += windows[x] * scale;
      all += row;
    }
    out[i] = all;
  }
};

template <class T>
T scale_of(const pool_axes& axes) noexcept {
  return T(1) / static_cast<T>(axes.down.size * axes.along.size);
}

/// Returns false if cuDNN does not support it: then the kernels here compute it.
bool launch_with_cudnn(pool_kind kind, const kernel_args& args, stream& on) {
  const array &images = args.inputs[0], &results = args.outputs[0];
  const auto& given = *static_cast<const pooling_attributes*>(args.attributes);
  const auto shape = cudnn_shape(kind, given, images, results);
  return shape && lies_for_cudnn(images) && lies_for_cudnn(results) &&
         pool_with_cudnn(on, *shape, images.data, results.data);
}

template <class T, template <class> class F>
void launch_pool(const kernel_args& args, stream& on) {
  const array &x = args.inputs[0], &out = args.outputs[0];
  constexpr bool mean = std::is_same_v<F<T>, sum<T>>;
  if (launch_with_cudnn(mean ? pool_kind::mean : pool_kind::greatest, args, on)) return;
  const pool_axes axes(args, x, out);
  const T scale = mean ? scale_of<T>(axes) : T(1);
  for_each(
      on, out.size(),
      pool<T, F<T>>{x.as<const T>(), out.as<T>(), axes, scale, places(out, axes.image_inputs())});
}

template <class T>
void launch_pick(const kernel_args& args, stream& on) {
  const array &x = args.inputs[0], &out = args.outputs[0];
  const pool_axes axes(args, x, out);
  for_each(on, out.size(),
           at_greatest<T, pick<T>>{x.as<const T>(),
                                   axes,
                                   places(out, axes.image_inputs()),
                                   {args.inputs[1].as<const T>(), out.as<T>()}});
}

template <class T>
void launch_max_gradient(const kernel_args& args, stream& on) {
  const array &x = args.inputs[0], &g = args.inputs[1], &out = args.outputs[0];
  const pool_axes axes(args, out, g);
  if (axes.image_inputs() > std::int64_t{UINT32_MAX})
    throw std::length_error("an image has more than 4294967295 pixels");
  auto* const found = static_cast<pixel*>(args.scratch);
  for_each(on, g.size(),
           at_greatest<T, note>{x.as<const T>(), axes, places(g, axes.image_inputs()), {found}});
  for_each(on, out.size(),
           spread<T>{g.as<const T>(), found, out.as<T>(), axes, places(out, axes.image_outputs())});
}

std::size_t max_gradient_scratch(const kernel_args& args, stream&) {
  return static_cast<std::size_t>(args.inputs[1].size()) * sizeof(pixel);
}

template <class T>
void launch_average_gradient(const kernel_args& args, stream& on) {
  const array &g = args.inputs[0], &out = args.outputs[0];
  const pool_axes axes(args, out, g);
  for_each(on, out.size(),
           repeat_mean<T>{g.as<const T>(), out.as<T>(), axes, scale_of<T>(axes),
                          places(out, axes.image_outputs())});
}

template <auto Launch>
constexpr kernel kernel_of{.launch = Launch};

template <class T>
constexpr kernel max_gradient{.launch = launch_max_gradient<T>,
                              .launch_scratch_bytes = max_gradient_scratch};

/// Returns the kernel for a floating-point dtype.
const kernel* choose(dtype type, const kernel& single, const kernel& wide) noexcept {
  return type == float32 ? &single : type == float64 ? &wide : nullptr;
}

}  // namespace

const kernel* max_pool2d_kernel(dtype type) noexcept {
  return choose(type, kernel_of<launch_pool<float, greater>>,
                kernel_of<launch_pool<double, greater>>);
}

const kernel* avg_pool2d_kernel(dtype type) noexcept {
  return choose(type, kernel_of<launch_pool<float, sum>>, kernel_of<launch_pool<double, sum>>);
}

const kernel* max_pool2d_gradient_kernel(dtype type) noexcept {
  return choose(type, max_gradient<float>, max_gradient<double>);
}

const kernel* max_pool2d_pick_kernel(dtype type) noexcept {
  return choose(type, kernel_of<launch_pick<float>>, kernel_of<launch_pick<double>>);
}

const kernel* avg_pool2d_gradient_kernel(dtype type) noexcept {
  return choose(type, kernel_of<launch_average_gradient<float>>,
                kernel_of<launch_average_gradient<double>>);
}

}  // namespace troupe::cuda
