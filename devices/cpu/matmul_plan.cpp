// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/matmul_plan.hpp"

#include <algorithm>
#include <climits>
#include <stdexcept>

#include "troupe/devices/cpu/simd/tiled_product.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t tile_rows = 6;
constexpr std::int64_t least_shared = 1
                                      << 17;  // multiplications that a thread takes beside another
constexpr std::int64_t least_work = 1 << 20;  // multiplications worth a chunk: 10 to 20 us
// Elements of b for each sum of a stretch, from which on the sums are little beside b; and the most
// stretches.
constexpr std::int64_t little_beside = 4, most_stretches = 16;
constexpr std::int64_t least_loop = 1 << 17;  // the same of integers, and of bool
constexpr std::int64_t least_elements =
    1 << 18;  // matrix elements worth a chunk where a vector is one operand

// Splitting the rows of a 2000 x 2000 product in two or four costs OpenBLAS nothing, in eight 8 %;
// the columns in two 4 %, in eight 14 %. Tiles lose 5 % by columns in four instead of rows. So rows
// first, blocks of 256 to 512, four where they go.
constexpr std::int64_t most_rows = 512;
constexpr std::int64_t fewest_rows = 256;
constexpr std::int64_t most_columns = 4096;
constexpr std::int64_t wanted_blocks = 4;
constexpr std::int64_t least_block = 1 << 24;  // multiplications: 0.1 to 0.3 ms

std::int64_t pieces(std::int64_t length, std::int64_t of) noexcept {
  return of == 1 ? length : length <= of ? length > 0 : (length + of - 1) / of;
}

/// Returns the number of matrices of so much work each that are worth a chunk.
std::int64_t together(std::int64_t batch, std::int64_t work, std::int64_t least) noexcept {
  return batch == 1 || work >= least ? 1 : std::min(least / work, batch);
}

bool steps_over(std::int64_t stride, std::int64_t length) noexcept {
  return stride >= std::max<std::int64_t>(1, length) && stride <= INT_MAX;
}

/// Conservative: what this calls readable, BLAS can read in blocks, too.
bool readable(const array& x) noexcept {
  const std::int64_t rows = x.shape[x.rank - 2], columns = x.shape[x.rank - 1];
  const std::int64_t down = x.strides[x.rank - 2], right = x.strides[x.rank - 1];
  if (right == 1 || columns == 1) return rows == 1 || steps_over(down, columns);
  return (down == 1 || rows == 1) && steps_over(right, rows);
}

std::int64_t stretches_in(dtype type, std::int64_t k) noexcept {
  return type == float32 ? stretches_of<float>(k) : stretches_of<double>(k);
}

std::int64_t first_term_in(dtype type, std::int64_t k, std::int64_t stretch) noexcept {
  return type == float32 ? first_term<float>(k, stretch) : first_term<double>(k, stretch);
}

std::int64_t most_tiled_work(dtype type) noexcept {
  return type == float32   ? select_product_tiles<float>().most_work
         : type == float64 ? select_product_tiles<double>().most_work
                           : 0;
}

}  // namespace

matmul_plan::matmul_plan(const kernel_args& args) : type_(args.inputs[0].type) {
  const array& a = args.inputs[0];
  const array& b = args.inputs[1];
  m = a.shape[a.rank - 2];
  k = a.shape[a.rank - 1];
  n = b.shape[b.rank - 1];
  batch = 1;
  for (int axis = 0; axis < a.rank - 2; ++axis) batch *= a.shape[axis];
  if (is_inexact(a.type) && std::max({m, n, k}) > INT_MAX)
    throw std::length_error("a matrix has more than 2147483647 rows or columns");
  if (m == 0 || n == 0 || batch == 0) return;

  const std::int64_t work = m * n * std::max<std::int64_t>(k, 1);
  const bool by_blas = is_inexact(a.type);
  tiled =
      n > 1 && k > 0 && (m > 1 || b.strides[b.rank - 1] == 1) && work <= most_tiled_work(a.type);
  if (m == 1 || n == 1 || !by_blas) {
    const std::int64_t least = by_blas ? least_elements : least_loop;
    matrices_ = together(batch, work, least);
    std::int64_t& split = m == 1 ? wide_ : high_;
    split =
        work < 2 * least ? 1 : std::clamp<std::int64_t>(work / least, 1, std::max(m, n) / 32 + 1);
    if (m != 1) split = std::min(split, m);
    // A row that a thread takes beside another.
    if (tiled && m == 1 && batch == 1 && n >= 128 && work >= least_shared)
      split = std::max<std::int64_t>(split, 2);
  } else if (tiled && work * batch < least_block) {
    share_small(b, work);
  } else if (work < 2 * least_work) {
    matrices_ = together(batch, work, least_work);
  } else {
    high_ = pieces(m, most_rows);
    wide_ = pieces(n, most_columns);
    high_ += high_ > 1 && high_ % 2 != 0;
    while (batch * high_ * wide_ < wanted_blocks && work / (2 * high_ * wide_) >= least_block) {
      if (m / (2 * high_) >= fewest_rows || m >= n) high_ *= 2;
      else wide_ *= 2;
    }
    high_ = std::min(high_, m);
    wide_ = std::min(wide_, n);
  }
  if (by_blas && !tiled && work >= smallest_for_blas) {
    // A vector is read where it lies, if it has a step.
    const bool real = is_floating(a.type);
    const bool row = real && m == 1 && steps_over(a.strides[a.rank - 1], 1);
    const bool column = real && !row && n == 1 && steps_over(b.strides[b.rank - 2], 1);
    std::int64_t elements = 0;
    if (!row && !readable(a)) elements += pieces(m, high_) * k;
    if (!column && !readable(b)) elements += pieces(n, wide_) * k;
    scratch_ = (static_cast<std::size_t>(elements) * size_of(a.type) + 63) / 64 * 64;
  }
}

/// Cuts products of microseconds into a few chunks: whole matrices, stretches, or rows of whole
/// tiles.
void matmul_plan::share_small(const array& b, std::int64_t work) noexcept {
  const auto wanted = std::clamp<std::int64_t>(work * batch / least_shared, 1, wanted_blocks);
  matrices_ = pieces(batch, wanted);
  if (batch > 1 || wanted == 1) return;
  const auto stretches = stretches_in(type_, k);
  if (b.strides[b.rank - 1] == 1 && stretches <= most_stretches &&
      little_beside * m * stretches <= k) {
    deep_ = stretches;
    if (deep_ > 1) scratch_ = (static_cast<std::size_t>(m * n) * size_of(type_) + 63) / 64 * 64;
  }
  if (deep_ == 1) high_ = std::clamp<std::int64_t>(m / tile_rows, 1, wanted);
}

std::int64_t matmul_plan::chunks() const noexcept {
  if (m == 0 || n == 0 || batch == 0) return 0;
  return pieces(batch, matrices_) * high_ * wide_ * deep_;
}

matmul_plan::block matmul_plan::part(std::int64_t chunk) const noexcept {
  if (by_stretches()) {
    const auto term = first_term_in(type_, k, chunk);
    return {0, 1, 0, m, 0, n, term, first_term_in(type_, k, chunk + 1) - term};
  }
  const std::int64_t grid = high_ * wide_;
  if (grid == 1 && matrices_ == batch) return {0, batch, 0, m, 0, n, 0, k};
  const std::int64_t first = chunk / grid * matrices_;
  const std::int64_t i = chunk % grid / wide_;
  const std::int64_t j = chunk % wide_;
  const auto first_row = [&](std::int64_t of) {
    return of < high_ && tiled ? m * of / high_ / tile_rows * tile_rows : m * of / high_;
  };
  const std::int64_t row = first_row(i);
  const std::int64_t column = n * j / wide_;
  return {first,  std::min(batch, first + matrices_), row, first_row(i + 1) - row,
          column, n * (j + 1) / wide_ - column,       0,   k};
}

matmul_plan::block matmul_plan::next_part(std::int64_t& chunk, std::int64_t last) const noexcept {
  auto one = part(chunk++);
  if (!tiled || matrices_ > 1 || deep_ > 1) return one;
  if (wide_ == 1) {
    for (; chunk < last && chunk % high_ != 0; ++chunk) one.rows += part(chunk).rows;
  } else if (m == 1) {
    for (; chunk < last && chunk % wide_ != 0; ++chunk) one.columns += part(chunk).columns;
  }
  return one;
}

written_rows matmul_plan::written(std::int64_t chunk) const noexcept {
  if (const bool at_the_end = chunk == chunks(); by_stretches() || at_the_end)
    return {0, by_stretches() && at_the_end ? 1 : 0, m * n, 0};
  const auto part = this->part(chunk);
  const auto first = (part.first_matrix * m + part.row) * n + part.column;
  if (part.columns == n)  // then rows of all its matrices follow each other
    return {first, 1, (part.last_matrix - part.first_matrix) * part.rows * n, 0};
  return {first, part.rows, part.columns, n};
}

std::int64_t matmul_plan::batch_offset(const array& x, std::int64_t matrix) noexcept {
  std::int64_t offset = 0;
  for (int axis = x.rank - 3; axis >= 0 && matrix != 0; --axis) {
    offset += matrix % x.shape[axis] * x.strides[axis];
    matrix /= x.shape[axis];
  }
  return offset;
}

}  // namespace troupe::cpu_kernels
