// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>

#include "troupe/devices/layout/indices.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t chunk_size = 32768;

/// Elements are [rows, length, inner], indices [rows, count, inner].
struct sizes {
  std::int64_t rows = 1, count, length, inner = 1;
  int axis;
  bool labels;

  sizes(const kernel_args& args, std::int64_t whole) noexcept : length(whole) {
    const auto& given = *static_cast<const along_axis_attributes*>(args.attributes);
    const array& indices = args.inputs[1];
    axis = given.axis;
    labels = given.labels;
    count = indices.shape[axis];
    for (int i = 0; i < axis; ++i) rows *= indices.shape[i];
    for (int i = axis + 1; i < indices.rank; ++i) inner *= indices.shape[i];
  }
};

template <class T>
void take(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& in = args.inputs[0];
  const array& out = args.outputs[0];
  const std::int64_t begin = first * chunk_size, end = std::min(out.size(), last * chunk_size);
  if (begin >= end) return;
  const sizes s(args, in.shape[static_cast<const along_axis_attributes*>(args.attributes)->axis]);
  const index_reader indices(args.inputs[1], s.axis, s.length, s.labels);
  const bool plain = in.contiguous();
  const loop_nest axes = plain ? loop_nest{} : merge_axes({&in, 1});
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t row = i / (s.count * s.inner), column = i % s.inner;
    const std::int64_t from = (row * s.length + indices[i]) * s.inner + column;
    out.as<T>()[i] = in.as<const T>()[plain ? from : axes.offset(0, from)];
  }
}

std::int64_t take_chunks(const kernel_args& args) {
  return (args.outputs[0].size() + chunk_size - 1) / chunk_size;
}

/// Chunks share out the rows, so that each element of the output is made by one chunk, in the order
/// of the indices.
std::int64_t rows_per_chunk(const sizes& s) noexcept {
  return std::max<std::int64_t>(1, chunk_size / std::max<std::int64_t>(1, s.length * s.inner));
}

sizes sizes_of_addition(const kernel_args& args) noexcept {
  const array& out = args.outputs[0];
  return {args, out.shape[static_cast<const along_axis_attributes*>(args.attributes)->axis]};
}

template <class T>
void add(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& in = args.inputs[0];
  const sizes s = sizes_of_addition(args);
  const std::int64_t begin = first * rows_per_chunk(s);
  const std::int64_t end = std::min(s.rows, last * rows_per_chunk(s));
  if (begin >= end) return;
  T* const out = args.outputs[0].as<T>();
  std::fill(out + begin * s.length * s.inner, out + end * s.length * s.inner, T(0));
  const index_reader indices(args.inputs[1], s.axis, s.length, s.labels);
  const bool plain = in.contiguous();
  const loop_nest axes = plain ? loop_nest{} : merge_axes({&in, 1});
  const std::int64_t step = s.count * s.inner;
  for (std::int64_t i = begin * step; i < end * step; ++i) {
    const std::int64_t to = (i / step * s.length + indices[i]) * s.inner + i % s.inner;
    out[to] += in.as<const T>()[plain ? i : axes.offset(0, i)];
  }
}

std::int64_t add_chunks(const kernel_args& args) {
  const sizes s = sizes_of_addition(args);
  return (s.rows + rows_per_chunk(s) - 1) / rows_per_chunk(s);
}

template <class T>
constexpr kernel take_of{.run = take<T>, .chunks = take_chunks};
template <class T>
constexpr kernel add_of{.run = add<T>, .chunks = add_chunks};

}  // namespace

const kernel* take_along_axis_kernel(dtype type) noexcept {
  switch (size_of(type)) {
    case 1: return &take_of<std::uint8_t>;
    case 2: return &take_of<std::uint16_t>;
    case 4: return &take_of<std::uint32_t>;
    default: return &take_of<std::uint64_t>;
  }
}

const kernel* add_along_axis_kernel(dtype type) noexcept {
  return type == float32 ? &add_of<float> : type == float64 ? &add_of<double> : nullptr;
}

}  // namespace troupe::cpu_kernels
