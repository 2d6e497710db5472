// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <vector>

#include "troupe/devices/element_bits.hpp"
#include "troupe/devices/layout/axis_split.hpp"
#include "troupe/devices/layout/indices.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t chunk_size = 32768;

/// Copies elements to the part of the output that the attributes name.
template <class T>
void fill_part(const kernel_args& args, const array& in) {
  const array& out = args.outputs[0];
  const auto& part = *static_cast<const part_attributes*>(args.attributes)->part;
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

template <class T>
void unslice(const kernel_args& args, std::int64_t, std::int64_t) {
  std::fill_n(args.outputs[0].as<T>(), args.outputs[0].size(), T{});
  fill_part<T>(args, args.inputs[0]);
}

bool in_place(const kernel_args& args) noexcept {
  return args.inputs[0].data == args.outputs[0].data;
}

std::int64_t replace_part_chunks(const kernel_args& args) {
  return in_place(args) ? 1 : (args.outputs[0].size() + chunk_size - 1) / chunk_size;
}

/// Copies the whole; the part comes when all of it is there.
template <class T>
void copy_whole(const kernel_args& args, std::int64_t first, std::int64_t last) {
  if (in_place(args)) return;
  const array& out = args.outputs[0];
  const std::int64_t begin = first * chunk_size, end = std::min(out.size(), last * chunk_size);
  if (begin < end)
    gather(out.as<T>() + begin, args.inputs[0].data, sizeof(T), merge_axes({&args.inputs[0], 1}), 0,
           begin, end - begin);
}

/// The output is [rows, length, inner], the slices are [rows, count, inner]. Chunks share out the
/// inner elements or the rows, so that each element of the output is made by one chunk, in the
/// order of the indices.
struct addition : axis_split {
  std::int64_t count;

  explicit addition(const kernel_args& args) noexcept
      : axis_split(args.outputs[0], static_cast<const axis_attributes*>(args.attributes)->axis),
        count(args.inputs[1].size()) {}

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

/// The output is [rows, length, inner]; indices, and what is added, are [rows, count, inner].
/// Chunks share out the rows, so that each element of the output is made by one chunk, in the order
/// of the indices.
axis_split split_of_sums(const kernel_args& args) noexcept {
  return {args.outputs[0], static_cast<const along_axis_attributes*>(args.attributes)->axis};
}

std::int64_t rows_per_chunk(const axis_split& s) noexcept {
  return std::max<std::int64_t>(1, chunk_size / std::max<std::int64_t>(1, s.length * s.inner));
}

template <class T>
void add_along_axis(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& in = args.inputs[0];
  const auto& given = *static_cast<const along_axis_attributes*>(args.attributes);
  const axis_split s = split_of_sums(args);
  const std::int64_t begin = first * rows_per_chunk(s);
  const std::int64_t end = std::min(s.rows, last * rows_per_chunk(s));
  if (begin >= end) return;
  T* const out = args.outputs[0].as<T>();
  std::fill(out + begin * s.length * s.inner, out + end * s.length * s.inner, T(0));
  const index_reader indices(args.inputs[1], given.axis, s.length, given.labels);
  const bool plain = in.contiguous();
  const loop_nest axes = plain ? loop_nest{} : merge_axes({&in, 1});
  const std::int64_t step = in.shape[given.axis] * s.inner;
  for (std::int64_t i = begin * step; i < end * step; ++i) {
    const std::int64_t to = (i / step * s.length + indices[i]) * s.inner + i % s.inner;
    out[to] += in.as<const T>()[plain ? i : axes.offset(0, i)];
  }
}

std::int64_t add_along_axis_chunks(const kernel_args& args) {
  const axis_split s = split_of_sums(args);
  return (s.rows + rows_per_chunk(s) - 1) / rows_per_chunk(s);
}

template <class T>
constexpr kernel add_along_axis_of{.run = add_along_axis<T>, .chunks = add_along_axis_chunks};
template <class T>
constexpr kernel unslice_of{.run = unslice<T>};
template <class T>
constexpr kernel replace_part_of{
    .run = copy_whole<T>, .chunks = replace_part_chunks, .finish = [](const kernel_args& args) {
      fill_part<T>(args, args.inputs[1]);
    }};
template <class T>
constexpr kernel index_add_of{.run = index_add<T>, .chunks = index_add_chunks};

}  // namespace

const kernel* unslice_kernel(dtype type) noexcept {
  if (!is_inexact(type) || is_narrow(type)) return nullptr;
  return visit_bits(size_of(type),
                    [](auto bits) -> const kernel* { return &unslice_of<decltype(bits)>; });
}

const kernel* replace_part_kernel(dtype type) noexcept {
  return visit_bits(size_of(type),
                    [](auto bits) -> const kernel* { return &replace_part_of<decltype(bits)>; });
}

const kernel* index_add_kernel(dtype type) noexcept {
  return type == float32 ? &index_add_of<float> : type == float64 ? &index_add_of<double> : nullptr;
}

const kernel* add_along_axis_kernel(dtype type) noexcept {
  return type == float32   ? &add_along_axis_of<float>
         : type == float64 ? &add_along_axis_of<double>
                           : nullptr;
}

}  // namespace troupe::cpu_kernels
