// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/conversion.hpp"
#include "troupe/devices/cuda/kernels/pack.hpp"
#include "troupe/devices/cuda/kernels/runs.hpp"
#include "troupe/devices/kernel.hpp"
#include "troupe/devices/layout/arrangement.hpp"

/// Kernels of a row, a function of one to three elements. The row states its number of inputs, and
/// whether it is so costly that a thread should take few elements:
///
///     struct row {
///       static constexpr int inputs = ...;
///       static constexpr bool costly = ...;
///       static TROUPE_BOTH auto apply(X x, T y, T w);  // or of fewer
///     };
///
/// The first input's elements are of type X, the others' of type T, the results of type R.

namespace troupe::cuda {

inline bool is_number(const kernel_args& args, int k) noexcept { return args.numbers >> k & 1; }

/// Type in which elements of type T are computed.
template <class T>
using computed_type =
    std::conditional_t<std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>, float, T>;

/// Input whose elements are contiguous, or a single element for all.
template <class T>
struct plain_input {
  const T* data = nullptr;  ///< null: the single element is `number`
  computed_type<T> number = {};
  bool one = false;

  /// Returns false if input k is neither.
  bool take(const kernel_args& args, int k) noexcept {
    const array& x = args.inputs[static_cast<std::size_t>(k)];
    if (is_number(args, k)) {
      number = converted_number<computed_type<T>>(x);
      one = true;
      return true;
    }
    const auto lie = arrangement_of(x);
    if (x.type != dtype_of<T>() || lie == arrangement::strided) return false;
    data = x.as<const T>();
    one = lie == arrangement::constant;
    return true;
  }
};

/// Elements of a thread where everything is contiguous: packs, with neighbouring packs in
/// neighbouring threads. 32 threads share a stretch of elements; where packs are not aligned, each
/// takes every 32nd element.
template <int Packs, int Width>
struct plain_share {
  static constexpr int warp = 32, length = Packs * Width, stretch = warp * length;

  std::int64_t begin, size;
  int lane;
  bool packs;

  TROUPE_BOTH plain_share(std::int64_t thread, std::int64_t n, bool packs_can_lie)
      : begin(thread / warp * stretch),
        size(n),
        lane(static_cast<int>(thread % warp)),
        packs(packs_can_lie && begin + stretch <= n) {}

  static std::int64_t threads(std::int64_t n) noexcept {
    return (n + stretch - 1) / stretch * warp;
  }

  template <class T>
  TROUPE_BOTH void read(computed_type<T> (&to)[length], const plain_input<T>& from) const {
    using C = computed_type<T>;
    if (from.one) {
      const C x = from.data ? static_cast<C>(*from.data) : from.number;
      for (int j = 0; j < length; ++j) to[j] = x;
    } else if (packs) {
      for (int p = 0; p < Packs; ++p)
        read_computed(to + p * Width, from.data + begin + (p * warp + lane) * Width);
    } else {
      for (int j = 0; j < length; ++j) {
        const auto at = begin + j * warp + lane;
        to[j] = at < size ? static_cast<C>(from.data[at]) : C();
      }
    }
  }
  template <class T>
  TROUPE_BOTH void write(T* to, const T (&from)[length]) const {
    if (packs) {
      for (int p = 0; p < Packs; ++p)
        write_pack<Width>(to + begin + (p * warp + lane) * Width, from + p * Width);
    } else {
      for (int j = 0; j < length; ++j) {
        if (const auto at = begin + j * warp + lane; at < size) to[at] = from[j];
      }
    }
  }

 private:
  template <class C, class T>
  TROUPE_BOTH static void read_computed(C* to, const T* from) {
    if constexpr (std::is_same_v<C, T>) read_pack<Width>(to, from);
    else {
      T elements[Width];
      read_pack<Width>(elements, from);
      for (int j = 0; j < Width; ++j) to[j] = static_cast<C>(elements[j]);
    }
  }
};

/// Converts a row's result to an element of the output.
template <class R, class Result>
TROUPE_BOTH R stored(Result x) {
  if constexpr (std::is_same_v<R, Result>) return x;
  else return static_cast<R>(static_cast<computed_type<R>>(x));
}

/// Number of elements of a row that a thread takes.
template <class Row, class R, class X, class T>
struct row_share {
  static constexpr int largest = static_cast<int>(std::max({sizeof(R), sizeof(X), sizeof(T)}));
  static constexpr int width = std::min(16 / largest, 8);
  static constexpr int packs = Row::costly || largest == 1 ? 1 : 2;
  static constexpr int run = std::min(4, packs* width);
};

/// Row of plain inputs of the right types.
template <class Row, class R, class X, class T>
struct plain_row {
  using size = row_share<Row, R, X, T>;
  using share = plain_share<size::packs, size::width>;

  plain_input<X> x;
  plain_input<T> y, w;
  R* out;
  std::int64_t n;
  bool packs_can_lie;

  /// Returns false if an input is not plain.
  bool take(const kernel_args& args) noexcept {
    if (!x.take(args, 0)) return false;
    if (Row::inputs > 1 && !y.take(args, 1)) return false;
    if (Row::inputs > 2 && !w.take(args, 2)) return false;
    put(args.outputs[0].as<R>(), args.outputs[0].size());
    return true;
  }
  void put(R* to, std::int64_t elements) noexcept {
    out = to;
    n = elements;
    constexpr int width = size::width;
    packs_can_lie = packable<R, width>(out) && (x.one || packable<X, width>(x.data)) &&
                    (y.one || packable<T, width>(y.data)) && (w.one || packable<T, width>(w.data));
  }
  void launch(stream& on) const { for_each(on, share::threads(n), *this); }

  TROUPE_BOTH void operator()(std::int64_t thread) const {
    const share mine(thread, n, packs_can_lie);
    computed_type<X> xs[share::length];
    computed_type<T> ys[share::length], ws[share::length];
    mine.read(xs, x);
    if constexpr (Row::inputs > 1) mine.read(ys, y);
    if constexpr (Row::inputs > 2) mine.read(ws, w);
    R results[share::length];
    for (int j = 0; j < share::length; ++j) {
      if constexpr (Row::inputs == 1) results[j] = stored<R>(Row::apply(xs[j]));
      else if constexpr (Row::inputs == 2) results[j] = stored<R>(Row::apply(xs[j], ys[j]));
      else results[j] = stored<R>(Row::apply(xs[j], ys[j], ws[j]));
    }
    mine.write(out, results);
  }
};

/// Input of any strides and dtype.
template <class T>
struct any_input {
  const void* data = nullptr;  ///< null: the input is `number`
  T number = T();
  dtype type = dtype_of<T>();

  void take(const kernel_args& args, int k) noexcept {
    const array& x = args.inputs[static_cast<std::size_t>(k)];
    if (is_number(args, k)) {
      number = converted_number<T>(x);
    } else {
      data = x.data;
      type = x.type;
    }
  }

  template <int Length, int Inputs>
  TROUPE_BOTH void read(T (&to)[Length], const runs<Inputs>& where,
                        const typename runs<Inputs>::run& r, int k) const {
    for (int j = 0; j < Length; ++j) to[j] = number;
    if (!data) return;
    switch (type) {
      case dtype::boolean: return where.read(to, r, k, static_cast<const bool*>(data));
      case dtype::int32: return where.read(to, r, k, static_cast<const std::int32_t*>(data));
      case dtype::int64: return where.read(to, r, k, static_cast<const std::int64_t*>(data));
      case dtype::float32: return where.read(to, r, k, static_cast<const float*>(data));
      case dtype::float64: return where.read(to, r, k, static_cast<const double*>(data));
      case dtype::float16: return where.read(to, r, k, static_cast<const float16_t*>(data));
      case dtype::bfloat16: return where.read(to, r, k, static_cast<const bfloat16_t*>(data));
      case dtype::uint64: return where.read(to, r, k, static_cast<const std::uint64_t*>(data));
      default: return;  // kernels take no narrow integers
    }
  }
};

/// Contiguous output. Float results may be stored as narrow floats.
template <class R>
struct any_output {
  void* data;
  dtype type;

  TROUPE_BOTH void put(std::int64_t at, R x) const {
    if constexpr (std::is_same_v<R, float>) {
      if (type == float16) return store<float16_t>(at, x);
      if (type == bfloat16) return store<bfloat16_t>(at, x);
    }
    store<R>(at, x);
  }

 private:
  template <class Stored>
  TROUPE_BOTH void store(std::int64_t at, R x) const {
    static_cast<Stored*>(data)[at] = static_cast<Stored>(x);
  }
};

/// Row of any inputs.
template <class Row, class R, class X, class T>
struct any_row {
  static constexpr int length = row_share<Row, R, X, T>::run;

  runs<Row::inputs> work;
  any_input<X> x;
  any_input<T> y, w;
  any_output<R> out;

  static void launch(const kernel_args& args, stream& on) {
    const auto plan = plan_runs(args.inputs, length);
    const array& to = args.outputs[0];
    any_row row{runs<Row::inputs>(plan), {}, {}, {}, {to.data, to.type}};
    row.x.take(args, 0);
    if (Row::inputs > 1) row.y.take(args, 1);
    if (Row::inputs > 2) row.w.take(args, 2);
    for_each(on, plan.threads, row);
  }

  TROUPE_BOTH void operator()(std::int64_t thread) const {
    const auto mine = work.of_thread(thread);
    X xs[length];
    T ys[length], ws[length];
    x.read(xs, work, mine, 0);
    if constexpr (Row::inputs > 1) y.read(ys, work, mine, 1);
    if constexpr (Row::inputs > 2) w.read(ws, work, mine, 2);
    for (int j = 0; j < length; ++j) {
      if (!mine.has(j)) continue;
      const auto at = work.result(mine, j);
      if constexpr (Row::inputs == 1) out.put(at, static_cast<R>(Row::apply(xs[j])));
      else if constexpr (Row::inputs == 2) out.put(at, static_cast<R>(Row::apply(xs[j], ys[j])));
      else out.put(at, static_cast<R>(Row::apply(xs[j], ys[j], ws[j])));
    }
  }
};

}  // namespace troupe::cuda
