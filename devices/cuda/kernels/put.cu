// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/kernels/axis_pairs.hpp"
#include "troupe/devices/cuda/kernels/copy_between.hpp"
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/devices/cuda/kernels/index_source.hpp"
#include "troupe/devices/layout/axis_split.hpp"
#include "troupe/devices/layout/indices.hpp"
#include "troupe/devices/put_functions.hpp"

namespace troupe::cuda {

namespace {

/// Puts slices [rows, count, inner] into an output [rows, length, inner]. A thread owns some of the
/// positions of a line along the axis, its bucket: it goes through all indices, and puts the
/// elements that belong there in order.
template <put_op Op, class T>
struct put_elements {
  static constexpr std::int64_t enough = 131072;  // threads that keep any GPU busy

  offsets<2> lines, along;  // of the slices and indices: start of a line, and offset from it
  index_source indices;
  T* out;
  const T* slices;
  std::int64_t length, inner, count;
  std::int64_t buckets;  // a power of two

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const auto column = i % inner, row = i / inner / buckets, bucket = i / inner % buckets;
    T* const to = out + row * length * inner + column;
    std::int64_t begin[2], at[2];
    lines.at(row * inner + column, begin);
    for (std::int64_t k = 0; k < count; ++k) {
      along.at(k, at);
      const auto place = indices.at(begin[1] + at[1]);
      if (place == index_source::bad || (place & (buckets - 1)) != bucket) continue;
      to[place * inner] = put_into<Op>(to[place * inner], slices[begin[0] + at[0]]);
    }
  }
};

template <put_op Op, class T>
void put(const kernel_args& args, stream& on) {
  const array& out = args.outputs[0];
  const array& indices = args.inputs[1];
  const array& slices = args.inputs[2];
  const int axis = static_cast<const axis_attributes*>(args.attributes)->axis;
  if (args.inputs[0].data != out.data) copy_between<T>(on, out, args.inputs[0]);
  const auto [rows, length, inner] = axis_split(out, axis);
  if (out.size() == 0) return;
  axis_pairs lines, along;
  for (int i = 0; i < slices.rank; ++i) {
    const bool counts = i >= axis && i < axis + indices.rank;
    if (counts) along.add(slices.shape[i], slices.strides[i], indices.strides[i - axis]);
    else lines.add(slices.shape[i], slices.strides[i], 0);
  }
  const auto most = static_cast<std::uint64_t>(
      std::max<std::int64_t>(1, put_elements<Op, T>::enough / (rows * inner)));
  const auto all = std::bit_ceil(static_cast<std::uint64_t>(length));
  const auto buckets = static_cast<std::int64_t>(std::min(all, std::bit_floor(most)));
  for_each(on, rows * inner * buckets,
           put_elements<Op, T>{lines.merged(), along.merged(),
                               index_source(indices, length, false, args.fault), out.as<T>(),
                               slices.as<const T>(), length, inner, indices.size(), buckets});
}

std::string explain_put(const kernel_args& args, const data_fault& fault) {
  const int axis = static_cast<const axis_attributes*>(args.attributes)->axis;
  return out_of_bounds(fault.index, axis, args.outputs[0].shape[axis], false);
}

struct put_kernels {
  template <put_op Op, class T>
  static const kernel* of() noexcept {
    static constexpr kernel k{.launch = put<Op, T>, .explain = explain_put};
    return &k;
  }
};

}  // namespace

const kernel* put_kernel(put_op op, dtype type) noexcept {
  return choose_put<put_kernels>(op, type);
}

}  // namespace troupe::cuda
