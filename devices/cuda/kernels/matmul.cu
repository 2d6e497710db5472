// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <algorithm>
#include <cstddef>

#include "troupe/devices/cuda/gemm.hpp"
#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/factor.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cuda {

// Floats go through `gemm`, which reads transposed operands as they lie; what it cannot read is
// copied first.

namespace {

/// Multiplies a batch with many axes, in as few calls of `gemm` as possible.
void multiply(stream& on, const factor& left, const factor& right, const array& out,
              std::int64_t k) {
  product_shape sizes{rows(out), columns(out), k};
  matrices a = left.lies, b = right.lies, c{out.data, columns(out)};
  const array batches[] = {left.batch(out.shape),
                           right.batch(out.shape),
                           {nullptr, out.type, out.rank - 2, out.shape, out.strides}};
  auto nest = merge_axes(batches);
  // A batch of rows multiplied with one matrix amounts to more rows.
  const int last = nest.rank - 1;
  const auto step = nest.strides[0][last], count = nest.shape[last];
  if (count > 1 && nest.strides[1][last] == 0 && !a.transposed &&
      (sizes.m == 1 ? step >= k : step == sizes.m * a.step)) {
    a.step = sizes.m == 1 ? step : a.step;
    sizes.m *= count;
    nest.shape[last] = 1;
  }
  const auto widest = std::max_element(nest.shape, nest.shape + nest.rank) - nest.shape;
  sizes.batch = nest.shape[widest];
  nest.shape[widest] = 1;
  std::int64_t calls = 1;
  for (int axis = 0; axis < nest.rank; ++axis) calls *= nest.shape[axis];
  const auto part = [&](matrices x, int operand, std::int64_t call) {
    x.data = static_cast<std::byte*>(x.data) +
             nest.offset(operand, call) * static_cast<std::int64_t>(size_of(out.type));
    x.batch_step = nest.strides[operand][widest];
    return x;
  };
  for (std::int64_t call = 0; call < calls; ++call)
    gemm(on, out.type, sizes, part(a, 0, call), part(b, 1, call), part(c, 2, call));
}

void launch(const kernel_args& args, stream& on) {
  const array &a = args.inputs[0], &b = args.inputs[1], &out = args.outputs[0];
  if (out.size() == 0) return;
  if (columns(a) == 0) return clear(on, out);
  factor left(a), right(b);
  auto* const scratch = static_cast<std::byte*>(args.scratch);
  left.ready(on, a, scratch);
  right.ready(on, b, scratch + left.scratch_bytes());
  multiply(on, left, right, out, columns(a));
}

std::size_t scratch_bytes(const kernel_args& args, stream&) {
  return factor(args.inputs[0]).scratch_bytes() + factor(args.inputs[1]).scratch_bytes();
}

/// One element of a product of integers, which wrap, or of booleans.
template <class T>
struct sum_of_products {
  const T* a;
  const T* b;
  T* out;
  std::int64_t k, a_step, b_step;
  offsets<2> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t first[2];
    positions.at(i, first);
    const T *x = a + first[0], *y = b + first[1];
    T sum = 0;
    for (std::int64_t j = 0; j < k; ++j, x += a_step, y += b_step) {
      if constexpr (sizeof(T) == 1) sum |= static_cast<T>(*x && *y);
      else sum += *x * *y;
    }
    out[i] = sum;
  }
};

template <class T>
void launch_plain(const kernel_args& args, stream& on) {
  const array &a = args.inputs[0], &b = args.inputs[1], &out = args.outputs[0];
  if (out.size() == 0) return;
  // Start of the row of a and of the column of b, for each element of the product.
  std::int64_t row[max_rank], column[max_rank];
  std::copy_n(a.strides, a.rank, row);
  std::copy_n(b.strides, b.rank, column);
  row[a.rank - 1] = column[b.rank - 2] = 0;
  const array starts[] = {{a.data, a.type, out.rank, out.shape, row},
                          {b.data, b.type, out.rank, out.shape, column}};
  for_each(on, out.size(),
           sum_of_products<T>{a.as<const T>(), b.as<const T>(), out.as<T>(), columns(a), right(a),
                              down(b), offsets<2>(merge_axes(starts))});
}

template <class T>
constexpr kernel plain{.launch = launch_plain<T>};

constexpr kernel through_gemm{.launch = launch, .launch_scratch_bytes = scratch_bytes};

}  // namespace

const kernel* matmul_kernel(dtype type) noexcept {
  if (is_floating(type)) return &through_gemm;
  if (is_narrow(type)) return nullptr;
  return type == boolean ? &plain<std::uint8_t>
         : type == int32 ? &plain<std::uint32_t>
                         : &plain<std::uint64_t>;
}

}  // namespace troupe::cuda
