// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/convolution_loops.hpp"

#include "troupe/devices/cpu/simd/vectors.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

// As many sums as there are registers for, beside the factors.
constexpr int panel_rows = vector_bytes == 64 ? 8 : vector_bytes == 32 ? 6 : 4;
constexpr int dot_rows = 4, dot_columns = 3;

/// Vectors side by side in a tile of so many rows: enough sums that none waits for the one before.
constexpr int vectors_for(int rows) noexcept { return rows > 3 ? 2 : 4; }

/// Columns [column, column + width) of the product, width being at most V vectors.
template <int R, int V, class T>
void multiply_tile(const typename convolution_loops<T>::panel_product& p, std::int64_t column,
                   std::int64_t width) {
  constexpr int n = length_of<T>;
  vector<T> sums[R][V];
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) sums[r][v] = vector<T>{} + p.start[r];
  }
  const T* panel = p.panel;
  const T* const from = p.from + column;
  for (std::int64_t t = 0; t < p.taps; ++t, panel += R) {
    const T* const row = from + p.offsets[t];
    vector<T> factors[V];
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) factors[v] = load(row + v * n);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      for (int v = 0; v < V; ++v) sums[r][v] += panel[r] * factors[v];
    }
  }
  T* out = p.out + column;
  if (width < V * n) {
    T room[R][V * n];
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      for (int v = 0; v < V; ++v) store(room[r] + v * n, sums[r][v]);
    }
    for (int r = 0; r < R; ++r, out += p.pitch) {
      for (std::int64_t i = 0; i < width; ++i) out[i] = p.add ? out[i] + room[r][i] : room[r][i];
    }
  } else if (p.add) {
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r, out += p.pitch) {
      for (int v = 0; v < V; ++v) store(out + v * n, load(out + v * n) + sums[r][v]);
    }
  } else {
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r, out += p.pitch) {
      for (int v = 0; v < V; ++v) store(out + v * n, sums[r][v]);
    }
  }
}

/// The columns from `column` on, V vectors at once, then what is left with as few as it takes.
template <int R, int V, class T>
void multiply_from(const typename convolution_loops<T>::panel_product& p, std::int64_t column) {
  constexpr std::int64_t width = V * length_of<T>;
  for (; column + width <= p.columns; column += width) multiply_tile<R, V, T>(p, column, width);
  const std::int64_t rest = p.columns - column;
  if (rest == 0) return;
  if constexpr (V > 1) {
    if (rest <= width / 2) return multiply_from<R, V / 2, T>(p, column);
  }
  multiply_tile<R, V, T>(p, column, rest);
}

template <int R, class T>
void multiply_panel(const typename convolution_loops<T>::panel_product& p) {
  multiply_from<R, vectors_for(R), T>(p, 0);
}

template <class T>
void multiply(const typename convolution_loops<T>::panel_product& p) {
  using function = void (*)(const typename convolution_loops<T>::panel_product&);
  constexpr function by_rows[] = {
    multiply_panel<1, T>,
    multiply_panel<2, T>,
    multiply_panel<3, T>,
    multiply_panel<4, T>,
#if defined(__AVX__)
    multiply_panel<5, T>,
    multiply_panel<6, T>,
#endif
#if defined(__AVX512F__)
    multiply_panel<7, T>,
    multiply_panel<8, T>,
#endif
  };
  static_assert(sizeof by_rows / sizeof *by_rows == panel_rows);
  by_rows[p.rows - 1](p);
}

template <class T, int Bytes = vector_bytes>
T sum_of(const vector<T, Bytes>& x) noexcept {
  if constexpr (length_of<T, Bytes> == 2) {
    return x[0] + x[1];
  } else {
    vector<T, Bytes / 2> low, high;
    __builtin_memcpy(&low, &x, sizeof low);
    __builtin_memcpy(&high, reinterpret_cast<const char*>(&x) + sizeof low, sizeof high);
    return sum_of<T, Bytes / 2>(low + high);
  }
}

template <class T>
using bits_of = vector<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

/// All bits of the first n elements.
template <class T>
bits_of<T> first_elements(std::int64_t n) noexcept {
  bits_of<T> mask;
  for (int i = 0; i < length_of<T>; ++i) mask[i] = i < n ? -1 : 0;
  return mask;
}

template <int R, int C, class T>
void add_dots_of(const typename convolution_loops<T>::dot_products& p) {
  const std::int64_t whole = p.n / length_of<T> * length_of<T>;
  const auto mask = first_elements<T>(p.n - whole);
  vector<T> sums[R][C] = {};
  for (std::int64_t image = 0; image < p.images; ++image) {
    const T* const left = p.left + image * p.left_image;
    const T* rows[C];
    for (int c = 0; c < C; ++c) rows[c] = p.from + image * p.from_image + p.offsets[c];
    const auto add = [&](std::int64_t i, const vector<T>(&factors)[C]) {
      for (int r = 0; r < R; ++r) {
        const auto x = load(left + r * p.left_pitch + i);
        for (int c = 0; c < C; ++c) sums[r][c] += x * factors[c];
      }
    };
    vector<T> factors[C];
    for (std::int64_t i = 0; i < whole; i += length_of<T>) {
      for (int c = 0; c < C; ++c) factors[c] = load(rows[c] + i);
      add(i, factors);
    }
    if (whole == p.n) continue;
    // The numbers behind the end may be infinite.
    for (int c = 0; c < C; ++c) factors[c] = (vector<T>)((bits_of<T>)load(rows[c] + whole) & mask);
    add(whole, factors);
  }
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) p.sums[r * p.pitch + p.places[c]] += sum_of<T>(sums[r][c]);
  }
}

template <class T>
void add_dots(const typename convolution_loops<T>::dot_products& p) {
  using function = void (*)(const typename convolution_loops<T>::dot_products&);
  constexpr function by_size[dot_rows][dot_columns] = {
      {add_dots_of<1, 1, T>, add_dots_of<1, 2, T>, add_dots_of<1, 3, T>},
      {add_dots_of<2, 1, T>, add_dots_of<2, 2, T>, add_dots_of<2, 3, T>},
      {add_dots_of<3, 1, T>, add_dots_of<3, 2, T>, add_dots_of<3, 3, T>},
      {add_dots_of<4, 1, T>, add_dots_of<4, 2, T>, add_dots_of<4, 3, T>}};
  by_size[p.rows - 1][p.columns - 1](p);
}

/// Rows of at least a vector. The last one of a row may overlap the one before.
template <class T, int Bytes>
void copy_by_vectors(const typename convolution_loops<T>::row_copies& c) {
  constexpr int length = length_of<T, Bytes>;
  T* to = c.to;
  const T* from = c.from;
  const std::int64_t last = c.count - length;
  for (std::int64_t row = 0; row < c.rows; ++row, to += c.to_row, from += c.from_row) {
#pragma GCC unroll 1
    for (std::int64_t i = 0; i < last; i += length) store(to + i, load<T, Bytes>(from + i));
    store(to + last, load<T, Bytes>(from + last));
  }
}

/// A step that is a constant lets the compiler make vectors.
template <class T>
inline __attribute__((always_inline)) void copy_by_steps(
    const typename convolution_loops<T>::row_copies& c, std::int64_t step) {
  T* to = c.to;
  const T* from = c.from;
  for (std::int64_t row = 0; row < c.rows; ++row, to += c.to_row, from += c.from_row) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < c.count; ++i) to[i] = from[i * step];
  }
}

template <class T>
void copy_rows(const typename convolution_loops<T>::row_copies& c) {
  if (c.step == 1 && c.to_row == c.count && c.from_row == c.count && c.rows > 1) {
    auto joined = c;
    joined.count *= c.rows;
    joined.rows = 1;
    return copy_rows<T>(joined);
  }
  if (c.step == 2) return copy_by_steps<T>(c, 2);
  if (c.step != 1) return copy_by_steps<T>(c, c.step);
  if (c.count >= length_of<T>) return copy_by_vectors<T, vector_bytes>(c);
  if constexpr (vector_bytes > 32) {
    if (c.count >= length_of<T, 32>) return copy_by_vectors<T, 32>(c);
  }
  if constexpr (vector_bytes > 16) {
    if (c.count >= length_of<T, 16>) return copy_by_vectors<T, 16>(c);
  }
  copy_by_steps<T>(c, 1);
}

template <class T>
constexpr convolution_loops<T> loops_of = {
    .panel_rows = panel_rows,
    .read_ahead = vectors_for(1) * length_of<T>,
    .dot_rows = dot_rows,
    .dot_columns = dot_columns,
    .multiply = multiply<T>,
    .add_dots = add_dots<T>,
    .copy_rows = copy_rows<T>,
};

}  // namespace

constexpr convolution_table convolutions = {loops_of<float>, loops_of<double>};

}  // namespace troupe::cpu_kernels::TROUPE_ISA
