// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>

#include "troupe/devices/cpu/simd/pooling_loops.hpp"
#include "troupe/devices/cpu/workspace.hpp"
#include "troupe/devices/layout/share.hpp"

namespace troupe::cpu_kernels {

namespace {

/// Windows over one axis.
struct pool_axis {
  std::int64_t inputs, outputs, size, stride, padding;

  pool_axis(const kernel_args& args, const array& inputs_like, const array& outputs_like, int axis)
      : inputs(inputs_like.shape[2 + axis]), outputs(outputs_like.shape[2 + axis]) {
    const auto& a = *static_cast<const pooling_attributes*>(args.attributes);
    size = a.size[axis], stride = a.stride[axis], padding = a.padding[axis];
  }

  /// The inputs of window number i that are there.
  share window(std::int64_t i) const noexcept {
    share s(0, 0, 1);
    s.begin = std::max<std::int64_t>(0, i * stride - padding);
    s.end = std::min(inputs, i * stride - padding + size);
    return s;
  }

  /// The windows of which all inputs are there.
  share whole() const noexcept {
    share s(0, 0, 1);
    s.begin = std::min(outputs, parts(padding, stride));
    s.end = inputs + padding < size ? 0 : (inputs + padding - size) / stride + 1;
    s.end = std::clamp(s.end, s.begin, outputs);
    return s;
  }

  /// The inputs whose gradients belong to windows [windows.begin, windows.end), where windows do
  /// not overlap or these are all.
  share owned(const share& windows) const noexcept {
    const auto start = [&](std::int64_t i) {
      return i == 0 ? 0 : i == outputs ? inputs : std::min(inputs, i * stride - padding);
    };
    share s(0, 0, 1);
    s.begin = start(windows.begin), s.end = start(windows.end);
    return s;
  }
};

/// The parts of a pool of images: by rows of windows, or, where an image must stay whole, by
/// images.
struct pool_plan {
  pool_axis down, along;
  std::int64_t images;
  std::int64_t rows;  ///< of windows in a unit
  std::int64_t units, chunks;

  pool_plan(const kernel_args& args, const array& inputs_like, const array& outputs_like,
            bool by_rows)
      : down(args, inputs_like, outputs_like, 0),
        along(args, inputs_like, outputs_like, 1),
        images(outputs_like.shape[0] * outputs_like.shape[1]) {
    constexpr std::int64_t worth = 1 << 16, often_lanes = 16;
    const std::int64_t row = std::max<std::int64_t>(1, along.inputs * down.stride);
    rows = by_rows ? std::clamp<std::int64_t>(worth / row, 1, down.outputs) : down.outputs;
    units = images * parts(down.outputs, rows);
    chunks = parts(images * down.inputs * along.inputs, worth);
    if (chunks > often_lanes) chunks = parts(chunks, often_lanes) * often_lanes;
    chunks = std::min(chunks, units);
  }

  std::int64_t image_inputs() const noexcept { return down.inputs * along.inputs; }
  std::int64_t image_outputs() const noexcept { return down.outputs * along.outputs; }

  /// Calls f(image, rows of windows) for each unit of a chunk.
  template <class F>
  void for_each(std::int64_t chunk, F&& f) const {
    const std::int64_t in_image = parts(down.outputs, rows);
    const share mine(units, chunk, chunks);
    for (std::int64_t unit = mine.begin; unit < mine.end; ++unit)
      f(unit / in_image, share(down.outputs, unit % in_image, in_image));
  }
};

pool_plan forward_plan(const kernel_args& args) {
  return {args, args.inputs[0], args.outputs[0], true};
}

pool_plan backward_plan(const kernel_args& args) {
  const auto& a = *static_cast<const pooling_attributes*>(args.attributes);
  return {args, args.outputs[0], args.inputs[args.inputs.size() - 1], a.stride[0] >= a.size[0]};
}

/// True for windows of 2 x 2 side by side, which go by pairs of elements.
bool in_pairs(const pool_plan& p) noexcept {
  const auto pairs = [](const pool_axis& a) {
    return a.size == 2 && a.stride == 2 && a.padding == 0;
  };
  return pairs(p.down) && pairs(p.along);
}

template <class T, bool Max>
void pool(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const pool_plan p = forward_plan(args);
  const auto& loops = select_pooling_loops<T>();
  const auto over_rows = Max ? loops.max_rows : loops.sum_rows;
  const auto over_windows = Max ? loops.max_windows : loops.sum_windows;
  T* const row = static_cast<T*>(workspace(static_cast<std::size_t>(p.along.inputs) * sizeof(T)));
  const share whole = p.along.whole();
  const auto make_row = [&](T* out, const T* image, std::int64_t y) {
    const share window = p.down.window(y);
    over_rows(row, image + window.begin * p.along.inputs, window.size(), p.along.inputs,
              p.along.inputs);
    const auto at_edge = [&](std::int64_t x) {
      const share inputs = p.along.window(x);
      over_windows(out + x, row + inputs.begin, inputs.size(), 1, 1);
    };
    for (std::int64_t x = 0; x < whole.begin; ++x) at_edge(x);
    if (whole.size() > 0)
      over_windows(out + whole.begin, row + whole.begin * p.along.stride - p.along.padding,
                   p.along.size, p.along.stride, whole.size());
    for (std::int64_t x = whole.end; x < p.along.outputs; ++x) at_edge(x);
  };
  for (std::int64_t chunk = first; chunk < last; ++chunk)
    p.for_each(chunk, [&](std::int64_t image, const share& rows) {
      const T* const from = args.inputs[0].as<T>() + image * p.image_inputs();
      T* const out = args.outputs[0].as<T>() + image * p.image_outputs();
      if (in_pairs(p))
        (Max ? loops.max_pairs : loops.sum_pairs)({.out = out + rows.begin * p.along.outputs,
                                                   .image = from + 2 * rows.begin * p.along.inputs,
                                                   .arriving = nullptr,
                                                   .rows = rows.size(),
                                                   .width = p.along.inputs,
                                                   .n = p.along.outputs});
      else {
        for (std::int64_t y = rows.begin; y < rows.end; ++y)
          make_row(out + y * p.along.outputs, from, y);
      }
      if constexpr (!Max) {
        const T scale = T(1) / static_cast<T>(p.down.size * p.along.size);
        for (std::int64_t i = rows.begin * p.along.outputs; i < rows.end * p.along.outputs; ++i)
          out[i] *= scale;
      }
    });
}

/// The place in an image of the first greatest of a window, or of its last NaN.
template <class T>
std::int64_t greatest(const T* image, const pool_plan& p, std::int64_t y, std::int64_t x) noexcept {
  const share rows = p.down.window(y), columns = p.along.window(x);
  std::int64_t found = rows.begin * p.along.inputs + columns.begin;
  for (std::int64_t i = rows.begin; i < rows.end; ++i) {
    for (std::int64_t j = columns.begin; j < columns.end; ++j) {
      const T value = image[i * p.along.inputs + j];
      if (value > image[found] || value != value) found = i * p.along.inputs + j;
    }
  }
  return found;
}

template <class T>
void max_pool2d_pick(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const pool_plan p = forward_plan(args);
  for (std::int64_t chunk = first; chunk < last; ++chunk)
    p.for_each(chunk, [&](std::int64_t image, const share& rows) {
      const T* const x = args.inputs[0].as<T>() + image * p.image_inputs();
      const T* const from = args.inputs[1].as<T>() + image * p.image_inputs();
      T* const out = args.outputs[0].as<T>() + image * p.image_outputs();
      for (std::int64_t i = rows.begin; i < rows.end; ++i) {
        for (std::int64_t j = 0; j < p.along.outputs; ++j)
          out[i * p.along.outputs + j] = from[greatest(x, p, i, j)];
      }
    });
}

template <class T>
void max_pool2d_gradient(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const pool_plan p = backward_plan(args);
  const auto& loops = select_pooling_loops<T>();
  const std::int64_t width = p.along.inputs;
  const bool pairs = in_pairs(p);
  for (std::int64_t chunk = first; chunk < last; ++chunk)
    p.for_each(chunk, [&](std::int64_t image, const share& rows) {
      const T* const x = args.inputs[0].as<T>() + image * p.image_inputs();
      const T* const g = args.inputs[1].as<T>() + image * p.image_outputs();
      T* const out = args.outputs[0].as<T>() + image * p.image_inputs();
      const share mine = p.down.owned(rows);
      if (!pairs || p.along.outputs * 2 != width || rows.size() * 2 != mine.size())
        std::fill(out + mine.begin * width, out + mine.end * width, T(0));
      if (pairs) {
        loops.spread_pairs({.out = out + 2 * rows.begin * width,
                            .image = x + 2 * rows.begin * width,
                            .arriving = g + rows.begin * p.along.outputs,
                            .rows = rows.size(),
                            .width = width,
                            .n = p.along.outputs});
        return;
      }
      for (std::int64_t i = rows.begin; i < rows.end; ++i) {
        for (std::int64_t j = 0; j < p.along.outputs; ++j)
          out[greatest(x, p, i, j)] += g[i * p.along.outputs + j];
      }
    });
}

template <class T>
void avg_pool2d_gradient(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const pool_plan p = backward_plan(args);
  const auto& loops = select_pooling_loops<T>();
  const std::int64_t width = p.along.inputs;
  const T scale = T(1) / static_cast<T>(p.down.size * p.along.size);
  const bool pairs = in_pairs(p);
  T* const row = static_cast<T*>(workspace(static_cast<std::size_t>(width) * sizeof(T)));
  std::fill_n(row, width, T(0));
  for (std::int64_t chunk = first; chunk < last; ++chunk)
    p.for_each(chunk, [&](std::int64_t image, const share& rows) {
      const T* const g = args.inputs[0].as<T>() + image * p.image_outputs();
      T* const out = args.outputs[0].as<T>() + image * p.image_inputs();
      const share mine = p.down.owned(rows);
      std::fill(out + mine.begin * width, out + mine.end * width, T(0));
      for (std::int64_t i = rows.begin; i < rows.end; ++i) {
        const T* const arriving = g + i * p.along.outputs;
        if (pairs) {
          loops.repeat_pairs(row, arriving, scale, p.along.outputs);
        } else {
          std::fill_n(row, width, T(0));
          for (std::int64_t j = 0; j < p.along.outputs; ++j) {
            const share columns = p.along.window(j);
            for (std::int64_t k = columns.begin; k < columns.end; ++k)
              row[k] += arriving[j] * scale;
          }
        }
        const share window = p.down.window(i);
        for (std::int64_t y = window.begin; y < window.end; ++y) {
          for (std::int64_t k = 0; k < width; ++k) out[y * width + k] += row[k];
        }
      }
    });
}

template <auto Plan>
std::int64_t chunks(const kernel_args& args) {
  return Plan(args).chunks;
}

template <auto Run, auto Plan>
constexpr kernel kernel_of{.run = Run, .chunks = chunks<Plan>};

/// The kernel for a floating dtype.
const kernel* choose(dtype type, const kernel& single, const kernel& wide) noexcept {
  return type == float32 ? &single : type == float64 ? &wide : nullptr;
}

}  // namespace

const kernel* max_pool2d_kernel(dtype type) noexcept {
  return choose(type, kernel_of<pool<float, true>, forward_plan>,
                kernel_of<pool<double, true>, forward_plan>);
}

const kernel* avg_pool2d_kernel(dtype type) noexcept {
  return choose(type, kernel_of<pool<float, false>, forward_plan>,
                kernel_of<pool<double, false>, forward_plan>);
}

const kernel* max_pool2d_gradient_kernel(dtype type) noexcept {
  return choose(type, kernel_of<max_pool2d_gradient<float>, backward_plan>,
                kernel_of<max_pool2d_gradient<double>, backward_plan>);
}

const kernel* max_pool2d_pick_kernel(dtype type) noexcept {
  return choose(type, kernel_of<max_pool2d_pick<float>, forward_plan>,
                kernel_of<max_pool2d_pick<double>, forward_plan>);
}

const kernel* avg_pool2d_gradient_kernel(dtype type) noexcept {
  return choose(type, kernel_of<avg_pool2d_gradient<float>, backward_plan>,
                kernel_of<avg_pool2d_gradient<double>, backward_plan>);
}

}  // namespace troupe::cpu_kernels
