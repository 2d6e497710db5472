// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <vector>

#include "troupe/devices/layout/indices.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

namespace {

template <class T>
void unslice(const kernel_args& args, std::int64_t, std::int64_t) {
  const array& in = args.inputs[0];
  const array& out = args.outputs[0];
  const auto& part = *static_cast<const part_attributes*>(args.attributes)->part;
  std::fill_n(out.as<T>(), out.size(), T(0));
  if (in.size() == 0) return;
  const array operands[] = {{out.as<T>() + part.offset, out.type, in.rank, in.shape, part.strides},
                            in};
  const loop_nest axes = merge_axes(operands);
  const std::int64_t inner = axes.inner(), n = in.size();
  const auto to_step = axes.strides[0][axes.rank - 1], from_step = axes.strides[1][axes.rank - 1];
  for (std::int64_t first = 0; first < n; first += inner) {
    T* const to = out.as<T>() + part.offset + axes.offset(0, first);
    const T* const from = in.as<T>() + axes.offset(1, first);
    for (std::int64_t i = 0; i < inner; ++i) to[i * to_step] = from[i * from_step];
  }
}

/// The output is [rows, length, inner], the slices are [rows, count, inner]. Chunks share out the
/// inner elements or the rows, so that each element of the output is made by one chunk, in the
/// order of the indices.
struct addition {
  std::int64_t rows = 1, count, length, inner = 1;

  explicit addition(const kernel_args& args) noexcept {
    const array& out = args.outputs[0];
    const int axis = static_cast<const axis_attributes*>(args.attributes)->axis;
    for (int i = 0; i < axis; ++i) rows *= out.shape[i];
    for (int i = axis + 1; i < out.rank; ++i) inner *= out.shape[i];
    count = args.inputs[1].size();
    length = out.shape[axis];
  }

  static constexpr std::int64_t narrowest = 64;
  std::int64_t columns() const noexcept { return std::max<std::int64_t>(1, inner / narrowest); }
  std::int64_t chunks() const noexcept { return rows * columns(); }
};

template <class T>
void index_add(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& slices = args.inputs[0];
  const array& out = args.outputs[0];
  const int axis = static_cast<const axis_attributes*>(args.attributes)->axis;
  const addition a(args);
  const index_reader indices(args.inputs[1], axis, a.length);
  const loop_nest axes = merge_axes({&slices, 1});
  const bool plain = slices.contiguous();
  for (std::int64_t chunk = first; chunk < last; ++chunk) {
    const std::int64_t row = chunk / a.columns(), column = chunk % a.columns();
    const std::int64_t begin = a.inner * column / a.columns();
    const std::int64_t end = a.inner * (column + 1) / a.columns();
    T* const target = out.as<T>() + row * a.length * a.inner;
    for (std::int64_t i = 0; i < a.length; ++i)
      std::fill(target + i * a.inner + begin, target + i * a.inner + end, T(0));
    for (std::int64_t i = 0; i < a.count; ++i) {
      T* const to = target + indices[i] * a.inner;
      const std::int64_t from = (row * a.count + i) * a.inner;
      if (plain) {
        const T* const x = slices.as<T>() + from;
        for (std::int64_t j = begin; j < end; ++j) to[j] += x[j];
      } else {
        for (std::int64_t j = begin; j < end; ++j)
          to[j] += slices.as<T>()[axes.offset(0, from + j)];
      }
    }
  }
}

std::int64_t index_add_chunks(const kernel_args& args) { return addition(args).chunks(); }

template <class T>
constexpr kernel unslice_of{.run = unslice<T>};
template <class T>
constexpr kernel index_add_of{.run = index_add<T>, .chunks = index_add_chunks};

}  // namespace

const kernel* unslice_kernel(dtype type) noexcept {
  return type == float32 ? &unslice_of<float> : type == float64 ? &unslice_of<double> : nullptr;
}

const kernel* index_add_kernel(dtype type) noexcept {
  return type == float32 ? &index_add_of<float> : type == float64 ? &index_add_of<double> : nullptr;
}

}  // namespace troupe::cpu_kernels
