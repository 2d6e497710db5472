// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <climits>
#include <cstring>

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/cpu/blas_call.hpp"
#include "troupe/devices/cpu/matmul_plan.hpp"
#include "troupe/devices/cpu/simd/product_loops.hpp"
#include "troupe/devices/cpu/simd/tiled_product.hpp"
#include "troupe/devices/cpu/workspace.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

// Matrices of floats are multiplied by tiles of our own where those are quicker than OpenBLAS,
// which has columns, other rows and complex numbers, and reads transposed operands as they lie.

namespace {

/// A matrix as BLAS wants it: one of its strides is 1, the other is `step`.
template <class T>
struct blas_operand {
  const T* data;
  int step;
  blas::transpose transposed;
};

/// A block of an operand: its address and its strides.
template <class T>
struct block {
  const T* data;
  std::int64_t rows, columns, row_stride, column_stride;
};

bool steps_over(std::int64_t stride, std::int64_t length) noexcept {
  return stride >= std::max<std::int64_t>(1, length) && stride <= INT_MAX;
}

/// True when BLAS can read the block as it lies, else it must be copied first.
template <class T>
bool readable(const block<T>& x) noexcept {
  if (x.column_stride == 1 || x.columns == 1)
    return x.rows == 1 || steps_over(x.row_stride, x.columns);
  return (x.row_stride == 1 || x.rows == 1) && steps_over(x.column_stride, x.rows);
}

template <class T>
blas_operand<T> as_operand(const block<T>& x, T* scratch) noexcept {
  const int columns = static_cast<int>(x.columns);
  if (readable(x)) {
    if (x.column_stride == 1 || x.columns == 1)
      return {x.data, x.rows == 1 ? columns : static_cast<int>(x.row_stride), blas::no_transpose};
    return {x.data, static_cast<int>(x.column_stride), blas::transposed};
  }
  loop_nest axes;
  axes.rank = 2;
  axes.shape[0] = x.rows, axes.shape[1] = x.columns;
  axes.strides[0][0] = x.row_stride, axes.strides[0][1] = x.column_stride;
  gather(scratch, x.data, sizeof(T), axes, 0, 0, x.rows * x.columns);
  return {scratch, columns, blas::no_transpose};
}

void gemm(blas_operand<float> a, blas_operand<float> b, float* out, int out_step, int m, int n,
          int k) {
  blas_call()->sgemm(blas::row_major, a.transposed, b.transposed, m, n, k, 1, a.data, a.step,
                     b.data, b.step, 0, out, out_step);
}

void gemm(blas_operand<double> a, blas_operand<double> b, double* out, int out_step, int m, int n,
          int k) {
  blas_call()->dgemm(blas::row_major, a.transposed, b.transposed, m, n, k, 1, a.data, a.step,
                     b.data, b.step, 0, out, out_step);
}

void gemm(blas_operand<complex_number<float>> a, blas_operand<complex_number<float>> b,
          complex_number<float>* out, int out_step, int m, int n, int k) {
  const complex_number<float> one = 1, nothing = 0;
  blas_call()->cgemm(blas::row_major, a.transposed, b.transposed, m, n, k, &one, a.data, a.step,
                     b.data, b.step, &nothing, out, out_step);
}

void gemm(blas_operand<complex_number<double>> a, blas_operand<complex_number<double>> b,
          complex_number<double>* out, int out_step, int m, int n, int k) {
  const complex_number<double> one = 1, nothing = 0;
  blas_call()->zgemm(blas::row_major, a.transposed, b.transposed, m, n, k, &one, a.data, a.step,
                     b.data, b.step, &nothing, out, out_step);
}

void gemv(bool turned, blas_operand<float> a, int rows, int columns, const float* x, int x_step,
          float* out, int step) {
  blas_call()->sgemv(blas::row_major, turned ? blas::transposed : blas::no_transpose, rows, columns,
                     1, a.data, a.step, x, x_step, 0, out, step);
}

void gemv(bool turned, blas_operand<double> a, int rows, int columns, const double* x, int x_step,
          double* out, int step) {
  blas_call()->dgemv(blas::row_major, turned ? blas::transposed : blas::no_transpose, rows, columns,
                     1, a.data, a.step, x, x_step, 0, out, step);
}

/// out = matrix * x, or, with `turned`, out = x * matrix.
template <class T>
void multiply_vector(bool turned, const block<T>& matrix, const T* x, std::int64_t x_step, T* out,
                     std::int64_t out_step, T* scratch) {
  const auto a = as_operand(matrix, scratch);
  int rows = static_cast<int>(matrix.rows), columns = static_cast<int>(matrix.columns);
  if (a.transposed == blas::transposed) {
    std::swap(rows, columns);
    turned = !turned;
  }
  gemv(turned, a, rows, columns, x, static_cast<int>(x_step), out, static_cast<int>(out_step));
}

template <class T>
void multiply_blas(const block<T>& a, const block<T>& b, T* out, std::int64_t out_step,
                   T* scratch) {
  if constexpr (!is_complex_number<T>) {
    const auto positive = [](std::int64_t step) { return step > 0 && step <= INT_MAX; };
    if (a.rows == 1 && positive(a.column_stride))
      return multiply_vector(true, b, a.data, a.column_stride, out, 1, scratch);
    if (b.columns == 1 && positive(b.row_stride))
      return multiply_vector(false, a, b.data, b.row_stride, out, out_step, scratch);
  }
  const auto left = as_operand(a, scratch);
  const auto right = as_operand(b, scratch + (readable(a) ? 0 : a.rows * a.columns));
  gemm(left, right, out, static_cast<int>(out_step), static_cast<int>(a.rows),
       static_cast<int>(b.columns), static_cast<int>(a.columns));
}

template <class T>
void multiply_tiles(const block<T>& a, const block<T>& b, T* out, std::int64_t out_step) {
  const auto& tiles = select_product_tiles<T>();
  matrix_product<T> product{out,       out_step,     a.data,          a.row_stride, a.column_stride,
                            b.data,    b.row_stride, b.column_stride, a.rows,       b.columns,
                            a.columns, nullptr};
  product.room = static_cast<T*>(workspace(tiles.room_for(product)));
  tiles.multiply(product);
}

/// The product of small matrices of complex numbers.
template <class T>
void multiply_pairs(const block<T>& a, const block<T>& b, T* out, std::int64_t out_step) noexcept {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < b.columns; ++j) {
      T sum(0);
      for (std::int64_t k = 0; k < a.columns; ++k)
        sum = sum + a.data[i * a.row_stride + k * a.column_stride] *
                        b.data[k * b.row_stride + j * b.column_stride];
      out[i * out_step + j] = sum;
    }
  }
}

template <class T>
void multiply(bool tiled, const block<T>& a, const block<T>& b, T* out, std::int64_t out_step,
              T* scratch) {
  if constexpr (is_floating(number_dtype<T>())) {
    if (tiled) return multiply_tiles(a, b, out, out_step);
  }
  if constexpr (is_inexact(number_dtype<T>())) {
    if (a.rows * b.columns * a.columns >= matmul_plan::smallest_for_blas)
      return multiply_blas(a, b, out, out_step, scratch);
  }
  if constexpr (is_complex_number<T>) {
    multiply_pairs(a, b, out, out_step);
  } else {
    const auto loop = TROUPE_SELECT(vector_matrix_loops).loops[static_cast<int>(dtype_of<T>())];
    for (std::int64_t i = 0; i < a.rows; ++i)
      loop(out + i * out_step, a.data + i * a.row_stride, a.column_stride, b.data, b.row_stride,
           b.column_stride, a.columns, b.columns);
  }
}

template <class T>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const matmul_plan plan(args);
  const array& a = args.inputs[0];
  const array& b = args.inputs[1];
  const int axis = a.rank - 2;
  for (std::int64_t chunk = first; chunk < last;) {
    const auto scratch_of = chunk;
    const auto part = plan.next_part(chunk, last);
    T* const scratch =
        reinterpret_cast<T*>(static_cast<char*>(args.scratch) +
                             scratch_of * static_cast<std::int64_t>(plan.scratch_per_chunk()));
    for (std::int64_t matrix = part.first_matrix; matrix < part.last_matrix; ++matrix) {
      const block<T> left{a.as<T>() + matmul_plan::batch_offset(a, matrix) +
                              part.row * a.strides[axis] + part.term * a.strides[axis + 1],
                          part.rows, part.terms, a.strides[axis], a.strides[axis + 1]};
      const block<T> right{b.as<T>() + matmul_plan::batch_offset(b, matrix) +
                               part.term * b.strides[axis] + part.column * b.strides[axis + 1],
                           part.terms, part.columns, b.strides[axis], b.strides[axis + 1]};
      T* const out = part.term > 0 ? scratch
                                   : args.outputs[0].as<T>() +
                                         (matrix * plan.m + part.row) * plan.n + part.column;
      multiply(plan.tiled, left, right, out, plan.n, scratch);
    }
  }
}

/// Adds the sums of the other stretches to those of the first.
template <class T>
void finish(const kernel_args& args) {
  if (!args.scratch) return;
  const matmul_plan plan(args);
  if (!plan.by_stretches()) return;
  T* const out = args.outputs[0].as<T>();
  const auto* sums = static_cast<const char*>(args.scratch);
  for (std::int64_t chunk = plan.chunks(); --chunk > 0;) {
    sums += plan.scratch_per_chunk();
    const auto* const more = reinterpret_cast<const T*>(sums);
    for (std::int64_t i = 0; i < plan.m * plan.n; ++i) out[i] += more[i];
  }
}

std::int64_t chunks(const kernel_args& args) { return matmul_plan(args).chunks(); }

std::size_t scratch_bytes(const kernel_args& args) {
  const matmul_plan plan(args);
  return plan.scratch_per_chunk() * static_cast<std::size_t>(plan.chunks());
}

written_rows written(const kernel_args& args, std::int64_t chunk) {
  return matmul_plan(args).written(chunk);
}

template <class T>
constexpr kernel plain{.run = run<T>, .chunks = chunks, .written = written};

template <class T>
constexpr kernel through_blas{
    .run = run<T>, .chunks = chunks, .scratch_bytes = scratch_bytes, .written = written};

template <class T>
constexpr kernel by_tiles{.run = run<T>,
                          .chunks = chunks,
                          .scratch_bytes = scratch_bytes,
                          .finish = finish<T>,
                          .written = written};

constexpr const kernel* kernels[dtype_count] = {&plain<bool>,         &plain<std::int32_t>,
                                                &plain<std::int64_t>, &plain<std::uint64_t>,
                                                &by_tiles<float>,     &by_tiles<double>};

}  // namespace

const kernel* matmul_kernel(dtype type) noexcept {
  if (is_inexact(type) && !is_narrow(type)) prepare_blas();
  if (is_complex(type))
    return visit_complex(type,
                         [](auto zero) -> const kernel* { return &through_blas<decltype(zero)>; });
  return kernels[static_cast<std::size_t>(type)];
}

}  // namespace troupe::cpu_kernels
