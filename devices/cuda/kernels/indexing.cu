// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/kernels/axis_pairs.hpp"
#include "troupe/devices/cuda/kernels/copy_between.hpp"
#include "troupe/devices/cuda/kernels/index_source.hpp"
#include "troupe/devices/element_bits.hpp"
#include "troupe/devices/layout/indices.hpp"

namespace troupe::cuda {

namespace {

int axis_of(const kernel_args& args) noexcept {
  return static_cast<const axis_attributes*>(args.attributes)->axis;
}

template <class T>
void concatenate(const kernel_args& args, stream& on) {
  const array& out = args.outputs[0];
  const int axis = axis_of(args);
  T* to = out.as<T>();
  for (const array& in : args.inputs) {
    copy_between<T>(on, {to, in.type, in.rank, in.shape, out.strides}, in);
    to += in.shape[axis] * out.strides[axis];
  }
}

/// Gather along an axis: each element of the output is the one that its index selects.
template <class T>
struct pick {
  offsets<2> positions;  // of the input's element 0 along the axis, and of the index
  index_source indices;
  T* out;
  const T* in;
  std::int64_t step;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t place[2];
    positions.at(i, place);
    const auto index = indices.at(place[1]);
    if (index != index_source::bad) out[i] = in[place[0] + index * step];
  }
};

template <class T>
void launch_pick(const kernel_args& args, stream& on, const axis_pairs& axes, int axis,
                 bool labels) {
  const array& in = args.inputs[0];
  const array& out = args.outputs[0];
  if (out.size() == 0) return;
  for_each(on, out.size(),
           pick<T>{axes.merged(), index_source(args.inputs[1], in.shape[axis], labels, args.fault),
                   out.as<T>(), in.as<const T>(), in.strides[axis]});
}

template <class T>
void take(const kernel_args& args, stream& on) {
  const array& in = args.inputs[0];
  const array& indices = args.inputs[1];
  const int axis = axis_of(args);
  axis_pairs axes;
  for (int i = 0; i < axis; ++i) axes.add(in.shape[i], in.strides[i], 0);
  for (int i = 0; i < indices.rank; ++i) axes.add(indices.shape[i], 0, indices.strides[i]);
  for (int i = axis + 1; i < in.rank; ++i) axes.add(in.shape[i], in.strides[i], 0);
  launch_pick<T>(args, on, axes, axis, false);
}

std::string explain_take(const kernel_args& args, const data_fault& fault) {
  const int axis = axis_of(args);
  return out_of_bounds(fault.index, axis, args.inputs[0].shape[axis], false);
}

template <class T>
void take_along_axis(const kernel_args& args, stream& on) {
  const array& in = args.inputs[0];
  const array& indices = args.inputs[1];
  const auto& given = *static_cast<const along_axis_attributes*>(args.attributes);
  axis_pairs axes;
  for (int i = 0; i < in.rank; ++i)
    axes.add(indices.shape[i], i == given.axis ? 0 : in.strides[i], indices.strides[i]);
  launch_pick<T>(args, on, axes, given.axis, given.labels);
}

std::string explain_take_along_axis(const kernel_args& args, const data_fault& fault) {
  const auto& given = *static_cast<const along_axis_attributes*>(args.attributes);
  return out_of_bounds(fault.index, given.axis, args.inputs[0].shape[given.axis], given.labels);
}

struct note_positions {
  const bool* mask;
  const std::int64_t* counts;
  std::int64_t* out;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    if (mask[i]) out[counts[i] - 1] = i;
  }
};

void true_positions(const kernel_args& args, stream& on) {
  const array& mask = args.inputs[0];
  for_each(on, mask.size(),
           note_positions{mask.as<const bool>(), args.inputs[1].as<const std::int64_t>(),
                          args.outputs[0].as<std::int64_t>()});
}

constexpr kernel true_positions_of_bool{.launch = true_positions};
template <class T>
constexpr kernel concatenate_of{.launch = concatenate<T>};
template <class T>
constexpr kernel take_of{.launch = take<T>, .explain = explain_take};
template <class T>
constexpr kernel take_along_axis_of{.launch = take_along_axis<T>,
                                    .explain = explain_take_along_axis};

}  // namespace

const kernel* concatenate_kernel(dtype type) noexcept {
  return visit_bits(size_of(type),
                    [](auto bits) -> const kernel* { return &concatenate_of<decltype(bits)>; });
}

const kernel* take_kernel(dtype type) noexcept {
  return visit_bits(size_of(type),
                    [](auto bits) -> const kernel* { return &take_of<decltype(bits)>; });
}

const kernel* take_along_axis_kernel(dtype type) noexcept {
  return visit_bits(size_of(type),
                    [](auto bits) -> const kernel* { return &take_along_axis_of<decltype(bits)>; });
}

const kernel* true_positions_kernel(dtype type) noexcept {
  return type == boolean ? &true_positions_of_bool : nullptr;
}

}  // namespace troupe::cuda
