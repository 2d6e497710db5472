// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/tiled_product.hpp"

#include "troupe/devices/cpu/simd/vectors.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

// The sums of a tile of the product stay in registers while their terms go by: numbers of a few
// rows of a, times vectors of a panel, which is some columns of b. Panels are read as they lie, or
// copied to lie in one piece that the cache holds. K. Goto and R. van de Geijn, Anatomy of
// high-performance matrix multiplication (2008), with a and b in each other's place, since numbers
// of a may be read one by one.

constexpr std::int64_t cached_bytes = 256 << 10;  // of b: so many are read as they lie
constexpr std::int64_t few_rows = 8;              // for which copying b does not pay
constexpr std::int64_t few_terms = 64;            // for which copying a does not
constexpr int panel_vectors = vector_bytes == 64 ? 4 : 2;
constexpr int panels_at_once = 1024 / (panel_vectors * vector_bytes);
constexpr int most_rows = 8;
constexpr int single_row_vectors = vector_bytes == 64 ? 16 : 8;  // of panels for one row

template <class T>
constexpr std::int64_t line_of = 64 / static_cast<std::int64_t>(sizeof(T));  // of the cache

/// Rows of a tile: as many sums as there are registers for, and so many that none waits for itself.
constexpr int rows_beside(int vectors) noexcept {
  return vectors > panel_vectors ? 1 : vectors == panel_vectors ? 6 : most_rows;
}

std::int64_t least(std::int64_t a, std::int64_t b) noexcept { return a < b ? a : b; }

/// A part of a or b.
template <class T>
struct part {
  const T* data;
  std::int64_t row, column;
};

/// Copies what is left of a row: pieces of so many bytes, then halves of them.
template <int Bytes, class T>
void copy_row(T* to, const T* from, std::int64_t count) noexcept {
  constexpr int n = length_of<T, Bytes>;
  for (; count >= n; count -= n, to += n, from += n) __builtin_memcpy(to, from, Bytes);
  if constexpr (n > 1) copy_row<Bytes / 2>(to, from, count);
}

/// Rows of a that the cache fetches while those before them are in use.
template <class T>
struct rows_ahead {
  const T* data = nullptr;
  std::int64_t row = 0;
  int count = 0;
};

/// One tile: R rows of the product and `width` columns, at most V vectors, of k terms. Behind the
/// columns of b there is room for whole vectors.
template <int R, int V, class T>
void multiply_tile(const part<T>& a, const part<T>& b, std::int64_t k, T* out, std::int64_t out_row,
                   std::int64_t width, bool add, const rows_ahead<T>& ahead) noexcept {
  constexpr int n = length_of<T>;
  vector<T> sums[R][V] = {};
  const T* left = a.data;
  const T* right = b.data;
  if (ahead.count > 0) {
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      for (int v = 0; v < V; ++v) __builtin_prefetch(out + r * out_row + v * n, 1);
    }
  }
  for (std::int64_t t = 0; t < k;) {
    for (int r = 0; r < ahead.count; ++r) __builtin_prefetch(ahead.data + r * ahead.row + t);
    const std::int64_t end = least(k, t + line_of<T>);
    for (; t < end; ++t, left += a.column, right += b.row) {
      vector<T> factors[V];
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) factors[v] = load(right + v * n);
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        for (int v = 0; v < V; ++v) sums[r][v] += left[r * a.row] * factors[v];
      }
    }
  }
  if (V == 1 && width < n) {
    T whole[R][n];
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) store(whole[r], sums[r][0]);
    for (int r = 0; r < R; ++r, out += out_row) {
      if (add) {
        for (std::int64_t i = 0; i < width; ++i) whole[r][i] += out[i];
      }
      copy_row<vector_bytes / 2>(out, whole[r], width);
    }
  } else if (add) {
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r, out += out_row) {
      for (int v = 0; v < V; ++v) store(out + v * n, load(out + v * n) + sums[r][v]);
    }
  } else {
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r, out += out_row) {
      for (int v = 0; v < V; ++v) store(out + v * n, sums[r][v]);
    }
  }
}

/// Panels side by side, each of V vectors, the last of them perhaps narrower.
template <class T>
struct panel_row {
  part<T> panels[panels_at_once * panel_vectors];
  int count = 0;
  std::int64_t width = 0;  ///< columns of all
};

template <class T>
using row_function = void (*)(const part<T>& a, const panel_row<T>& b, std::int64_t k, T* out,
                              std::int64_t out_row, bool add);

template <int R, int V, class T>
void multiply_rows(const part<T>& a, const panel_row<T>& b, std::int64_t k, T* out,
                   std::int64_t out_row, bool add) noexcept {
  constexpr int n = V * length_of<T>;
  rows_ahead<T> ahead{a.data + R * a.row, a.row, 0};
  if (R > 1 && k >= few_terms && a.column == 1) ahead.count = (R + b.count - 1) / b.count;
  for (int i = 0; i < b.count; ++i, ahead.data += ahead.count * a.row)
    multiply_tile<R, V>(a, b.panels[i], k, out + i * n, out_row, b.width - i * n, add, ahead);
}

/// The function for R rows, if a tile has so many.
template <int R, int V, class T>
constexpr row_function<T> rows_of = multiply_rows<(R < rows_beside(V) ? R : rows_beside(V)), V, T>;

template <int V, class T>
constexpr row_function<T> by_rows[most_rows] = {
    rows_of<1, V, T>, rows_of<2, V, T>, rows_of<3, V, T>, rows_of<4, V, T>,
    rows_of<5, V, T>, rows_of<6, V, T>, rows_of<7, V, T>, rows_of<8, V, T>};

/// All rows of the product, in tiles of about as many each.
template <int V, class T>
void multiply_panels(const part<T>& a, std::int64_t m, const panel_row<T>& b, std::int64_t k,
                     T* out, std::int64_t out_row, bool add) noexcept {
  const std::int64_t tiles = (m + rows_beside(V) - 1) / rows_beside(V);
  for (std::int64_t i = 0, tile = 1; i < m; ++tile) {
    const std::int64_t end = m * tile / tiles;
    by_rows<V, T>[end - i - 1]({a.data + i * a.row, a.row, a.column}, b, k, out + i * out_row,
                               out_row, add);
    i = end;
  }
}

/// Copies a block of N x N elements to where rows and columns have changed places.
template <int N, class T>
void turn_block(T* to, std::int64_t to_row, const T* from, std::int64_t from_column) noexcept {
  using piece = vector<T, N * sizeof(T)>;
  if constexpr (N == 1) {
    *to = *from;
  } else {
    piece rows[N];
    for (int i = 0; i < N; ++i) __builtin_memcpy(&rows[i], from + i * from_column, sizeof(piece));
    if constexpr (N == 4) {
      const piece a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
      const piece b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
      const piece c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
      const piece d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
      rows[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
      rows[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
      rows[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
      rows[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
    } else {
      const piece a = __builtin_shufflevector(rows[0], rows[1], 0, 2);
      rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 3);
      rows[0] = a;
    }
    for (int i = 0; i < N; ++i) __builtin_memcpy(to + i * to_row, &rows[i], sizeof(piece));
  }
}

// Columns of a part that is turned are fetched before they are copied: no cache expects lines so
// far from each other.
constexpr int columns_ahead = 16;

/// Copies a part so that the elements of a row are neighbours.
template <class T>
void copy_part(T* to, std::int64_t to_row, const part<T>& from, std::int64_t rows,
               std::int64_t columns) noexcept {
  if (from.column == 1) {
    for (std::int64_t i = 0; i < rows; ++i)
      copy_row<vector_bytes>(to + i * to_row, from.data + i * from.row, columns);
    return;
  }
  constexpr int n = 16 / sizeof(T);
  const std::int64_t whole_rows = from.row == 1 ? rows / n * n : 0;
  const std::int64_t whole_columns = whole_rows > 0 ? columns / n * n : 0;
  for (std::int64_t start = 0; start < whole_rows; start += line_of<T>) {
    const std::int64_t end = least(start + line_of<T>, whole_rows);
    for (std::int64_t j = 0; j < whole_columns; j += n) {
      for (int c = columns_ahead; c < columns_ahead + n; ++c)
        __builtin_prefetch(from.data + start + (j + c) * from.column);
      for (std::int64_t i = start; i < end; i += n)
        turn_block<n>(to + i * to_row + j, to_row, from.data + i + j * from.column, from.column);
    }
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = i < whole_rows ? whole_columns : 0; j < columns; ++j)
      to[i * to_row + j] = from.data[i * from.row + j * from.column];
  }
}

/// Terms of the longest stretch.
template <class T>
std::int64_t longest_stretch(const matrix_product<T>& p) noexcept {
  const std::int64_t count = stretches_of<T>(p.k);
  return (p.k + count - 1) / count;
}

/// From one row of a copy of a to the next: an odd number of cache lines, as lines that are a power
/// of two apart exclude each other.
template <class T>
std::int64_t left_row(const matrix_product<T>& p) noexcept {
  return ((longest_stretch(p) + line_of<T> - 1) / line_of<T> | 1) * line_of<T>;
}

template <class T>
bool copies_left(const matrix_product<T>& p) noexcept {
  return p.a_column != 1 && p.k > few_terms && p.n > panel_vectors * length_of<T>;
}

template <class T>
bool copies_right(const matrix_product<T>& p) noexcept {
  constexpr std::int64_t cached = cached_bytes / static_cast<std::int64_t>(sizeof(T));
  return p.b_column != 1 || (p.m > few_rows && p.k * p.n > cached);
}

/// Columns [column, end) of the product, in panels of V vectors, then what is left in narrower
/// ones.
template <int V, class T>
void multiply_columns(const matrix_product<T>& p, const part<T>& a, std::int64_t first,
                      std::int64_t k, std::int64_t column, std::int64_t end, T* room) noexcept {
  constexpr std::int64_t n = V * length_of<T>;
  const bool copied = copies_right(p);
  panel_row<T> row;
  T* const out = p.out + column;
  for (; end - column >= (V == 1 ? 1 : n); column += n) {
    const std::int64_t width = least(n, end - column);
    part<T> b{p.b + first * p.b_row + column * p.b_column, p.b_row, p.b_column};
    if (copied || width < n) {
      if (width < n) __builtin_memset(room, 0, static_cast<std::size_t>(k * n) * sizeof(T));
      copy_part(room, n, b, k, width);
      b = {room, n, 1};
      room += k * n;
    }
    row.panels[row.count++] = b;
    row.width += width;
  }
  if (row.count > 0) multiply_panels<V>(a, p.m, row, k, out, p.out_row, first > 0);
  if constexpr (V > 1) {
    if (column < end) multiply_columns<V / 2>(p, a, first, k, column, end, room);
  }
}

/// Columns of b for which one copy lies in the cache.
template <class T>
constexpr std::int64_t strip = std::int64_t{length_of<T>} * (panels_at_once * panel_vectors);

/// The sums of n columns over k terms for one row of a, where columns of b are neighbours: a few
/// rows of b at a time go by as the cache reads them best.
template <class T>
void sum_columns(const part<T>& a, const part<T>& b, std::int64_t k, T* sums,
                 std::int64_t n) noexcept {
  constexpr int rows = 4;
  const std::int64_t whole = n / length_of<T> * length_of<T>;
  __builtin_memset(sums, 0, static_cast<std::size_t>(n) * sizeof(T));
  std::int64_t t = 0;
  for (; t + rows <= k; t += rows) {
    const T* const x = a.data + t * a.column;
    const T* const y = b.data + t * b.row;
    vector<T> factors[rows];
    for (int r = 0; r < rows; ++r) factors[r] = vector<T>{} + x[r * a.column];
    for (std::int64_t j = 0; j < whole; j += length_of<T>) {
      auto sum = load(sums + j);
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) sum += factors[r] * load(y + r * b.row + j);
      store(sums + j, sum);
    }
    for (std::int64_t j = whole; j < n; ++j) {
      for (int r = 0; r < rows; ++r) sums[j] += x[r * a.column] * y[r * b.row + j];
    }
  }
  for (; t < k; ++t) {
    for (std::int64_t j = 0; j < n; ++j) sums[j] += a.data[t * a.column] * b.data[t * b.row + j];
  }
}

/// Returns true for a product of one row that panels in registers do not suit: it has many columns,
/// or some that fill no vector.
template <class T>
bool is_long_row(const matrix_product<T>& p) noexcept {
  constexpr int most_columns = 16 * length_of<T>;
  return p.m == 1 && p.b_column == 1 && (p.n > most_columns || p.n % length_of<T> != 0);
}

template <class T>
void multiply_long_row(const matrix_product<T>& p) noexcept {
  for (std::int64_t first = 0, end, stretch = 1; first < p.k; first = end, ++stretch) {
    end = first_term<T>(p.k, stretch);
    T* const sums = first == 0 ? p.out : p.room;
    sum_columns({p.a + first * p.a_column, p.a_row, p.a_column},
                {p.b + first * p.b_row, p.b_row, 1}, end - first, sums, p.n);
    if (first == 0) continue;
    for (std::int64_t j = 0; j < p.n; ++j) p.out[j] += sums[j];
  }
}

template <class T>
void multiply(const matrix_product<T>& p) {
  if (is_long_row(p)) return multiply_long_row(p);
  const auto columns_of =
      p.m == 1 ? multiply_columns<single_row_vectors, T> : multiply_columns<panel_vectors, T>;
  // A strip of the product is finished while the cache has it, unless that meant to copy a again.
  const std::int64_t together = copies_left(p) ? p.n : strip<T>;
  for (std::int64_t start = 0; start < p.n; start += together) {
    const std::int64_t end = least(p.n, start + together);
    for (std::int64_t first = 0, stretch = 1, k; first < p.k; first += k, ++stretch) {
      k = first_term<T>(p.k, stretch) - first;
      part<T> a{p.a + first * p.a_column, p.a_row, p.a_column};
      T* room = p.room;
      if (copies_left(p)) {
        const std::int64_t row = left_row(p);
        copy_part(room, row, a, p.m, k);
        a = {room, row, 1};
        room += p.m * row;
      }
      for (std::int64_t column = start; column < end; column += strip<T>)
        columns_of(p, a, first, k, column, least(end, column + strip<T>), room);
    }
  }
}

template <class T>
std::size_t room_for(const matrix_product<T>& p) {
  if (is_long_row(p))
    return stretches_of<T>(p.k) > 1 ? static_cast<std::size_t>(p.n) * sizeof(T) : 0;
  const std::int64_t left = copies_left(p) ? p.m * left_row(p) : 0;
  const std::int64_t right = copies_right(p) ? least(p.n + length_of<T>, strip<T>) : length_of<T>;
  return static_cast<std::size_t>(left + right * longest_stretch(p)) * sizeof(T);
}

}  // namespace

// Of older CPUs, OpenBLAS knows more.
constexpr std::int64_t most_work = vector_bytes > 16 ? INT64_MAX : 1 << 16;

constexpr product_tile_table tiled_products = {{multiply<float>, room_for<float>, most_work},
                                               {multiply<double>, room_for<double>, most_work}};

}  // namespace troupe::cpu_kernels::TROUPE_ISA
