// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/fft_loops.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class T, int R>
struct numbers {
  T re[R], im[R];
};

/// The transform of two numbers, and of four.
template <class T>
numbers<T, 2> transformed(const numbers<T, 2>& a, const T*) noexcept {
  return {{a.re[0] + a.re[1], a.re[0] - a.re[1]}, {a.im[0] + a.im[1], a.im[0] - a.im[1]}};
}

template <class T>
numbers<T, 4> transformed(const numbers<T, 4>& a, const T*) noexcept {
  const T even_re = a.re[0] + a.re[2], even_im = a.im[0] + a.im[2];
  const T apart_re = a.re[0] - a.re[2], apart_im = a.im[0] - a.im[2];
  const T odd_re = a.re[1] + a.re[3], odd_im = a.im[1] + a.im[3];
  const T turned_re = a.im[1] - a.im[3], turned_im = a.re[3] - a.re[1];  // by -i
  return {{even_re + odd_re, apart_re + turned_re, even_re - odd_re, apart_re - turned_re},
          {even_im + odd_im, apart_im + turned_im, even_im - odd_im, apart_im - turned_im}};
}

/// That of an odd number of numbers: sums and differences of pairs share the products.
template <class T, int R>
numbers<T, R> transformed(const numbers<T, R>& a, const T* roots) noexcept {
  constexpr int pairs = (R - 1) / 2;
  numbers<T, R> sums, differences, out;
  out.re[0] = a.re[0];
  out.im[0] = a.im[0];
#pragma GCC unroll 16
  for (int k = 1; k <= pairs; ++k) {
    sums.re[k] = a.re[k] + a.re[R - k];
    sums.im[k] = a.im[k] + a.im[R - k];
    differences.re[k] = a.re[k] - a.re[R - k];
    differences.im[k] = a.im[k] - a.im[R - k];
    out.re[0] += sums.re[k];
    out.im[0] += sums.im[k];
  }
#pragma GCC unroll 16
  for (int j = 1; j <= pairs; ++j) {
    T even_re = a.re[0], even_im = a.im[0], odd_re = 0, odd_im = 0;
#pragma GCC unroll 16
    for (int k = 1; k <= pairs; ++k) {
      const T cosine = roots[2 * (j * k % R)], sine = -roots[2 * (j * k % R) + 1];
      even_re += sums.re[k] * cosine;
      even_im += sums.im[k] * cosine;
      odd_re += differences.im[k] * sine;
      odd_im -= differences.re[k] * sine;
    }
    out.re[j] = even_re + odd_re;
    out.im[j] = even_im + odd_im;
    out.re[R - j] = even_re - odd_re;
    out.im[R - j] = even_im - odd_im;
  }
  return out;
}

template <class T, int R>
void pass_of(const fft_pass<T>& pass, line_parts<const T> from, line_parts<T> to) noexcept {
  const std::int64_t groups = pass.length / R, s = pass.stride;
  const T* turns = pass.turns;
  T roots[2 * R];
  for (int k = 0; k < 2 * R; ++k) roots[k] = pass.roots[k];
  for (std::int64_t p = 0; p < groups; ++p, turns += 2 * (R - 1)) {
    const T *const xr = from.re + p * s, *const xi = from.im + p * s;
    T *const yr = to.re + p * R * s, *const yi = to.im + p * R * s;
    const std::int64_t step = groups * s;
#pragma GCC ivdep
    for (std::int64_t q = 0; q < s; ++q) {
      numbers<T, R> a;
#pragma GCC unroll 16
      for (int k = 0; k < R; ++k) a.re[k] = xr[q + k * step], a.im[k] = xi[q + k * step];
      const auto b = transformed(a, roots);
      yr[q] = b.re[0];
      yi[q] = b.im[0];
#pragma GCC unroll 16
      for (int j = 1; j < R; ++j) {
        const T re = turns[2 * j - 2], im = turns[2 * j - 1];
        yr[q + j * s] = b.re[j] * re - b.im[j] * im;
        yi[q + j * s] = b.re[j] * im + b.im[j] * re;
      }
    }
  }
}

template <class T>
void pass(const fft_pass<T>& p, line_parts<const T> x, line_parts<T> y) {
  switch (p.radix) {
    case 2: return pass_of<T, 2>(p, x, y);
    case 3: return pass_of<T, 3>(p, x, y);
    case 4: return pass_of<T, 4>(p, x, y);
    case 5: return pass_of<T, 5>(p, x, y);
    case 7: return pass_of<T, 7>(p, x, y);
    case 11: return pass_of<T, 11>(p, x, y);
    case 13: return pass_of<T, 13>(p, x, y);
  }
}

constexpr std::int64_t tile = 16;  // numbers of a line that are moved at once

template <class T>
void split(line_parts<T> to, const T* from, line_steps steps, std::int64_t n, std::int64_t lines) {
  if (steps.line == 1) {
    for (std::int64_t i = 0; i < n; ++i) {
      const T* const x = from + 2 * i * steps.number;
      T *const re = to.re + i * lines, *const im = to.im + i * lines;
#pragma GCC ivdep
      for (std::int64_t c = 0; c < lines; ++c) re[c] = x[2 * c], im[c] = x[2 * c + 1];
    }
    return;
  }
  for (std::int64_t first = 0; first < n; first += tile) {
    const std::int64_t end = first + tile < n ? first + tile : n;
    for (std::int64_t c = 0; c < lines; ++c) {
      const T* const x = from + 2 * c * steps.line;
      for (std::int64_t i = first; i < end; ++i) {
        to.re[i * lines + c] = x[2 * i * steps.number];
        to.im[i * lines + c] = x[2 * i * steps.number + 1];
      }
    }
  }
}

template <class T>
void join(T* to, line_steps steps, line_parts<const T> from, std::int64_t n, std::int64_t lines,
          T scale) {
  if (steps.line == 1) {
    for (std::int64_t i = 0; i < n; ++i) {
      T* const x = to + 2 * i * steps.number;
      const T *const re = from.re + i * lines, *const im = from.im + i * lines;
#pragma GCC ivdep
      for (std::int64_t c = 0; c < lines; ++c)
        x[2 * c] = re[c] * scale, x[2 * c + 1] = im[c] * scale;
    }
    return;
  }
  for (std::int64_t first = 0; first < n; first += tile) {
    const std::int64_t end = first + tile < n ? first + tile : n;
    for (std::int64_t c = 0; c < lines; ++c) {
      T* const x = to + 2 * c * steps.line;
      for (std::int64_t i = first; i < end; ++i) {
        x[2 * i * steps.number] = from.re[i * lines + c] * scale;
        x[2 * i * steps.number + 1] = from.im[i * lines + c] * scale;
      }
    }
  }
}

template <class T>
void turn(line_parts<T> x, line_parts<const T> first, line_parts<const T> onward, std::int64_t n,
          std::int64_t lines) {
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t a = i / 16 * lines, b = i % 16 * lines;
    T *const re = x.re + i * lines, *const im = x.im + i * lines;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < lines; ++c) {
      const T turn_re = first.re[a + c] * onward.re[b + c] - first.im[a + c] * onward.im[b + c];
      const T turn_im = first.re[a + c] * onward.im[b + c] + first.im[a + c] * onward.re[b + c];
      const T was = re[c];
      re[c] = was * turn_re - im[c] * turn_im;
      im[c] = was * turn_im + im[c] * turn_re;
    }
  }
}

template <class T>
void unpack(line_parts<T> to, line_parts<const T> z, const T* turns, std::int64_t n,
            std::int64_t lines) {
  for (std::int64_t c = 0; c < lines; ++c) {
    const T re = z.re[c], im = z.im[c];
    to.re[c] = re + im;
    to.re[n * lines + c] = re - im;
    to.im[c] = to.im[n * lines + c] = T(0);
  }
  for (std::int64_t k = 1; k < n; ++k) {
    const T turn_re = turns[2 * k], turn_im = turns[2 * k + 1];
    const std::int64_t here = k * lines, back = (n - k) * lines;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < lines; ++c) {
      // Twice the transform of the even places, and 2 i times that of the odd ones.
      const T even_re = z.re[here + c] + z.re[back + c], even_im = z.im[here + c] - z.im[back + c];
      const T odd_re = z.re[here + c] - z.re[back + c], odd_im = z.im[here + c] + z.im[back + c];
      to.re[here + c] = T(0.5) * (even_re + (turn_re * odd_im + turn_im * odd_re));
      to.im[here + c] = T(0.5) * (even_im + (turn_im * odd_im - turn_re * odd_re));
    }
  }
}

template <class T>
void pack(line_parts<T> to, line_parts<const T> x, const T* turns, std::int64_t n,
          std::int64_t lines) {
  for (std::int64_t c = 0; c < lines; ++c) {
    const T first = x.re[c], last = x.re[n * lines + c];
    to.re[c] = first + last;
    to.im[c] = first - last;
  }
  for (std::int64_t k = 1; k < n; ++k) {
    const T turn_re = turns[2 * k], turn_im = -turns[2 * k + 1];  // the other way
    const std::int64_t here = k * lines, back = (n - k) * lines;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < lines; ++c) {
      const T even_re = x.re[here + c] + x.re[back + c], even_im = x.im[here + c] - x.im[back + c];
      const T apart_re = x.re[here + c] - x.re[back + c],
              apart_im = x.im[here + c] + x.im[back + c];
      const T odd_re = apart_re * turn_re - apart_im * turn_im;
      const T odd_im = apart_re * turn_im + apart_im * turn_re;
      to.re[here + c] = even_re - odd_im;
      to.im[here + c] = even_im + odd_re;
    }
  }
}

template <class T>
constexpr fft_loops<T> loops_of = {pass<T>, split<T>, join<T>, turn<T>, unpack<T>, pack<T>};

}  // namespace

constexpr fft_table transforms = {loops_of<float>, loops_of<double>};

}  // namespace troupe::cpu_kernels::TROUPE_ISA
