// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <algorithm>
#include <bit>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/kernels/axis_pairs.hpp"
#include "troupe/devices/cuda/kernels/copy_between.hpp"
#include "troupe/devices/cuda/kernels/fill_memory.hpp"
#include "troupe/devices/cuda/kernels/index_source.hpp"
#include "troupe/devices/element_bits.hpp"
#include "troupe/devices/layout/axis_split.hpp"
#include "troupe/devices/layout/indices.hpp"

namespace troupe::cuda {

namespace {

template <class T>
void fill_part(const kernel_args& args, stream& on, const array& in) {
  const array& out = args.outputs[0];
  const auto& part = *static_cast<const part_attributes*>(args.attributes)->part;
  copy_between<T>(on, {out.as<T>() + part.offset, out.type, in.rank, in.shape, part.strides}, in);
}

template <class T>
void unslice(const kernel_args& args, stream& on) {
  fill(on, args.outputs[0], 0);
  fill_part<T>(args, on, args.inputs[0]);
}

template <class T>
void replace_part(const kernel_args& args, stream& on) {
  if (args.inputs[0].data != args.outputs[0].data)
    copy_between<T>(on, args.outputs[0], args.inputs[0]);
  fill_part<T>(args, on, args.inputs[1]);
}

/// Addition by indices. The output is [rows, length, inner], the elements are [rows, count, inner];
/// the indices may have these axes, too. A thread owns some of the positions along an axis of the
/// output, its bucket: it goes through all indices that could refer to them, and adds their
/// elements in order.
template <class T>
struct addition {
  static constexpr std::int64_t enough = 131072;  // threads that keep any GPU busy
  static constexpr int batch = 8;                 // overlapping reads of a thread

  offsets<2> lines,
      along;  // of the elements and indices: start of a line along the axis, and offset from it
  index_source indices;
  T* out;
  const T* elements;
  std::int64_t length, inner, count;
  std::int64_t buckets;  // a power of two

  static std::int64_t buckets_for(std::int64_t lines, std::int64_t length) noexcept {
    const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(1, enough / lines));
    const auto all = std::bit_ceil(static_cast<std::uint64_t>(length));
    return static_cast<std::int64_t>(std::min(all, std::bit_floor(most)));
  }

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const auto column = i % inner, row = i / inner / buckets, bucket = i / inner % buckets;
    if (bucket >= length) return;
    T* const to = out + row * length * inner + column;
    for (auto place = bucket; place < length; place += buckets) to[place * inner] = T(0);

    std::int64_t begin[2];
    lines.at(row * inner + column, begin);
    auto place = bucket;
    T sum = T(0);
    for (std::int64_t first = 0; first < count; first += batch) {
      std::int64_t places[batch];
      T values[batch];
      for (int k = 0; k < batch; ++k) {
        places[k] = index_source::bad;
        values[k] = T(0);
        if (first + k >= count) continue;
        std::int64_t at[2];
        along.at(first + k, at);
        places[k] = indices.at(begin[1] + at[1]);
        if ((places[k] & (buckets - 1)) != bucket) places[k] = index_source::bad;
        else if (places[k] != index_source::bad) values[k] = elements[begin[0] + at[0]];
      }
      for (int k = 0; k < batch; ++k) {
        if (places[k] == index_source::bad) continue;
        if (places[k] != place) {
          to[place * inner] = sum;
          place = places[k];
          sum = to[place * inner];
        }
        sum += values[k];
      }
    }
    to[place * inner] = sum;
  }
};

/// Check of the indices, for an output without elements.
struct check_indices {
  offsets<1> positions;
  index_source indices;

  TROUPE_BOTH void operator()(std::int64_t i) const { indices.at(positions(i)); }
};

/// Launches the addition. `lines` are the axes of the starts of lines, `along` those along a line,
/// of the elements and the indices.
template <class T>
void launch_addition(const kernel_args& args, stream& on, const axis_pairs& lines,
                     const axis_pairs& along, int axis, std::int64_t count, bool labels) {
  const array& given = args.inputs[1];
  const array& out = args.outputs[0];
  const index_source indices(given, out.shape[axis], labels, args.fault);
  const auto [rows, length, inner] = axis_split(out, axis);
  if (out.size() == 0) {
    for_each(on, rows > 0 ? given.size() : 0, check_indices{offsets_of(given), indices});
    return;
  }
  const auto buckets = addition<T>::buckets_for(rows * inner, length);
  for_each(on, rows * inner * buckets,
           addition<T>{lines.merged(), along.merged(), indices, out.as<T>(),
                       args.inputs[0].as<const T>(), length, inner, count, buckets});
}

template <class T>
void index_add(const kernel_args& args, stream& on) {
  const array& slices = args.inputs[0];
  const array& indices = args.inputs[1];
  const int axis = static_cast<const axis_attributes*>(args.attributes)->axis;
  axis_pairs lines, along;
  for (int i = 0; i < slices.rank; ++i) {
    const bool counts = i >= axis && i < axis + indices.rank;
    if (counts) along.add(slices.shape[i], slices.strides[i], indices.strides[i - axis]);
    else lines.add(slices.shape[i], slices.strides[i], 0);
  }
  launch_addition<T>(args, on, lines, along, axis, indices.size(), false);
}

std::string explain_index_add(const kernel_args& args, const data_fault& fault) {
  const int axis = static_cast<const axis_attributes*>(args.attributes)->axis;
  return out_of_bounds(fault.index, axis, args.outputs[0].shape[axis], false);
}

template <class T>
void add_along_axis(const kernel_args& args, stream& on) {
  const array& in = args.inputs[0];
  const array& indices = args.inputs[1];
  const auto& given = *static_cast<const along_axis_attributes*>(args.attributes);
  axis_pairs lines, along;
  for (int i = 0; i < in.rank; ++i)
    (i == given.axis ? along : lines).add(in.shape[i], in.strides[i], indices.strides[i]);
  launch_addition<T>(args, on, lines, along, given.axis, in.shape[given.axis], given.labels);
}

std::string explain_add_along_axis(const kernel_args& args, const data_fault& fault) {
  const auto& given = *static_cast<const along_axis_attributes*>(args.attributes);
  return out_of_bounds(fault.index, given.axis, args.outputs[0].shape[given.axis], given.labels);
}

template <class T>
constexpr kernel unslice_of{.launch = unslice<T>};
template <class T>
constexpr kernel replace_part_of{.launch = replace_part<T>};
template <class T>
constexpr kernel index_add_of{.launch = index_add<T>, .explain = explain_index_add};
template <class T>
constexpr kernel add_along_axis_of{.launch = add_along_axis<T>, .explain = explain_add_along_axis};

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

}  // namespace troupe::cuda
