// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include "troupe/devices/cpu/matmul_plan.hpp"
#include "troupe/devices/cpu/simd/product_loops.hpp"

namespace troupe::cpu_kernels {

namespace {

// The product's kernel reads the first two inputs, and cuts the output as its plan says.

/// Adds the bias to a part of the product.
template <class T, linear_op Op>
void add_bias(const kernel_args& args, const matmul_plan& plan, const matmul_plan::block& part) {
  const auto loop =
      TROUPE_SELECT(bias_loops).loops[static_cast<int>(Op)][static_cast<int>(dtype_of<T>())];
  const array &bias = args.inputs[2], &out = args.outputs[0];
  loop(out.as<T>() + part.row * plan.n + part.column, plan.n,
       bias.as<T>() + part.column * bias.strides[0], bias.strides[0], part.rows, part.columns);
}

template <class T, linear_op Op>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const matmul_plan plan(args);
  const auto& product = *matmul_kernel(dtype_of<T>());
  if (plan.by_stretches()) return product.run(args, first, last);
  for (std::int64_t chunk = first; chunk < last;) {
    const auto begin = chunk;
    const auto part = plan.next_part(chunk, last);
    product.run(args, begin, chunk);
    add_bias<T, Op>(args, plan, part);
  }
}

template <class T, linear_op Op>
void finish(const kernel_args& args) {
  if (!args.scratch) return;
  const matmul_plan plan(args);
  if (!plan.by_stretches()) return;
  matmul_kernel(dtype_of<T>())->finish(args);
  add_bias<T, Op>(args, plan, plan.part(0));
}

template <class T>
std::int64_t chunks(const kernel_args& args) {
  return matmul_kernel(dtype_of<T>())->chunks(args);
}

template <class T>
std::size_t scratch_bytes(const kernel_args& args) {
  return matmul_kernel(dtype_of<T>())->scratch_bytes(args);
}

template <class T>
written_rows written(const kernel_args& args, std::int64_t chunk) {
  return matmul_kernel(dtype_of<T>())->written(args, chunk);
}

template <class T, linear_op Op>
constexpr kernel kernel_of{.run = run<T, Op>,
                           .chunks = chunks<T>,
                           .scratch_bytes = scratch_bytes<T>,
                           .finish = finish<T, Op>,
                           .written = written<T>};

template <linear_op Op>
const kernel* choose(dtype type) noexcept {
  return type == float32   ? &kernel_of<float, Op>
         : type == float64 ? &kernel_of<double, Op>
                           : nullptr;
}

}  // namespace

const kernel* linear_kernel(linear_op op, dtype type) noexcept {
  matmul_kernel(type);  // loads BLAS on the user's thread
  return op == linear_op::linear ? choose<linear_op::linear>(type)
                                 : choose<linear_op::linear_relu>(type);
}

}  // namespace troupe::cpu_kernels
