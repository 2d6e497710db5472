// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <type_traits>

#include "troupe/devices/cuda/kernels/exponential_sum.hpp"
#include "troupe/devices/cuda/kernels/row_places.hpp"
#include "troupe/devices/layout/axis_split.hpp"

namespace troupe::cuda {

namespace {

/// Position of pack i of a row, in the input and in the output.
struct places {
  std::int64_t in, out;
};

template <class Axes>
struct places_of {
  Axes in, out;
  std::int64_t in_step, out_step;

  TROUPE_BOTH places operator()(std::int64_t row, std::int64_t i) const {
    return {in(row) + i * in_step, out(row) + i * out_step};
  }
};

template <class T, int Width, bool Log, class Places>
struct normalize {
  using state = exponential_sum<T>;
  using item = pack<T, Width>;

  const T* in;
  T* out;
  Places places;

  TROUPE_BOTH state start() const { return {}; }
  TROUPE_BOTH item read(std::int64_t row, std::int64_t i) const {
    return cuda::read(reinterpret_cast<const item*>(in + places(row, i).in));
  }
  TROUPE_BOTH void take(state& s, const item& x) const { s.add(x); }
  TROUPE_BOTH void merge(state& a, const state& b) const { a.add(b); }

  TROUPE_BOTH void map(std::int64_t row, std::int64_t i, item x, const state& s) const {
    if constexpr (Log) {
      const T zero = s.origin(), logarithm = scalar_functions::log(s.sum);
      for (int k = 0; k < Width; ++k) x.elements[k] = x.elements[k] - zero - logarithm;
    } else {
      // A row whose greatest element is infinite or NaN becomes NaN throughout.
      const T share = scalar_functions::isfinite(s.most) ? T(1) / s.sum : T(__builtin_nanf(""));
      for (int k = 0; k < Width; ++k)
        x.elements[k] = scalar_functions::exp(x.elements[k] - s.most) * share;
    }
    *reinterpret_cast<item*>(out + places(row, i).out) = x;
  }
};

template <class T, int Width, bool Log, class Places>
void run(const kernel_args& args, stream& on, const fold_plan& plan, const Places& at) {
  fold_and_map(
      on, plan,
      normalize<T, Width, Log, Places>{args.inputs[0].as<T>(), args.outputs[0].as<T>(), at});
}

template <class T, bool Log>
void launch(const kernel_args& args, stream& on) {
  const array operands[] = {args.inputs[0], args.outputs[0]};
  const int axis = static_cast<const softmax_attributes*>(args.attributes)->axis;
  const axis_split s(operands[1], axis);
  const auto length = s.length, in_step = operands[0].strides[axis], out_step = s.inner;
  if (length == 0) return;

  const auto kept = merge_axes(operands, ~(std::uint32_t{1} << axis));
  const auto rows = kept.size();
  const bool along_rows = out_step == 1;
  if (!two_axes_do(kept, rows))
    return run<T, 1, Log>(args, on, plan_whole_rows(rows, length, along_rows),
                          places_of<many_axes>{{kept, 0}, {kept, 1}, in_step, out_step});

  constexpr int width = pack_width<T>;
  loop_nest row;
  row.shape[0] = length;
  row.strides[0][0] = in_step;
  row.strides[1][0] = out_step;
  places_of<two_axes> at{{kept, 0}, {kept, 1}, in_step, out_step};
  const auto packs = [&](int k) {
    return fits_packs(operands[k].data, sizeof(T), width, kept, row, k);
  };
  if (!packs(0) || !packs(1))
    return run<T, 1, Log>(args, on, plan_whole_rows(rows, length, along_rows), at);
  at.in_step = at.out_step = width;
  run<T, width, Log>(args, on, plan_whole_rows(rows, length / width, along_rows), at);
}

template <class T, bool Log>
constexpr kernel kernel_of{.launch = launch<T, Log>};

}  // namespace

const kernel* softmax_kernel(softmax_op op, dtype type) noexcept {
  if (!is_floating(type)) return nullptr;
  if (op == softmax_op::softmax)
    return type == float32 ? &kernel_of<float, false> : &kernel_of<double, false>;
  return type == float32 ? &kernel_of<float, true> : &kernel_of<double, true>;
}

}  // namespace troupe::cuda
