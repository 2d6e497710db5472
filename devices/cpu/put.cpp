// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/layout/axis_split.hpp"
#include "troupe/devices/layout/indices.hpp"
#include "troupe/devices/layout/loop_nest.hpp"
#include "troupe/devices/put_functions.hpp"

namespace troupe::cpu_kernels {

namespace {

/// The output is [rows, length, inner], the slices are [rows, count, inner]. Chunks share out the
/// rows and, of long ones, the positions, so that each element of the output is made by one chunk,
/// in the order of the indices. Each chunk reads the indices of a row.
struct placing : axis_split {
  std::int64_t count, parts;

  explicit placing(const kernel_args& args) noexcept
      : axis_split(args.outputs[0], static_cast<const axis_attributes*>(args.attributes)->axis),
        count(args.inputs[1].size()),
        parts(std::clamp<std::int64_t>((length + count) * inner / 65536, 1,
                                       std::clamp<std::int64_t>(length, 1, inner < 4 ? 4 : 16))) {}

  std::int64_t chunks() const noexcept { return size() == 0 ? 0 : rows * parts; }
};

std::int64_t chunks(const kernel_args& args) { return placing(args).chunks(); }

/// Reader of runs of an array's elements in row-major order.
template <class T>
class runs_of {
 public:
  explicit runs_of(const array& x) noexcept : data_(x.as<const T>()), axes_(merge_axes({&x, 1})) {}

  template <class F>
  void each(std::int64_t first, std::int64_t n, F f) const {
    const auto inner = axes_.inner(), step = axes_.strides[0][axes_.rank - 1];
    if (axes_.rank == 1 && n == 1) return f(0, data_[first * step]);
    for (std::int64_t done = 0; done < n;) {
      const auto skip = (first + done) % inner, here = std::min(inner - skip, n - done);
      const T* from = data_ + axes_.offset(0, first + done);
      if (step == 1) {
        for (std::int64_t i = 0; i < here; ++i) f(done + i, from[i]);
      } else {
        for (std::int64_t i = 0; i < here; ++i) f(done + i, from[i * step]);
      }
      done += here;
    }
  }

 private:
  const T* data_;
  loop_nest axes_;
};

template <put_op Op, class T>
void put(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& before = args.inputs[0];
  T* const out = args.outputs[0].as<T>();
  const placing p(args);
  const index_reader indices(args.inputs[1],
                             static_cast<const axis_attributes*>(args.attributes)->axis, p.length);
  const runs_of<T> slices(args.inputs[2]);
  const bool in_place = before.data == args.outputs[0].data;
  const loop_nest axes = in_place ? loop_nest{} : merge_axes({&before, 1});
  for (std::int64_t chunk = first; chunk < last; ++chunk) {
    const auto row = chunk / p.parts, part = chunk % p.parts;
    const auto begin = p.length * part / p.parts, end = p.length * (part + 1) / p.parts;
    T* const target = out + row * p.length * p.inner;
    if (!in_place) {
      gather(target + begin * p.inner, before.data, sizeof(T), axes, 0,
             (row * p.length + begin) * p.inner, (end - begin) * p.inner);
    }
    for (std::int64_t i = 0; i < p.count; ++i) {
      const auto place = indices[i];
      if (place < begin || place >= end) continue;
      T* const to = target + place * p.inner;
      slices.each((row * p.count + i) * p.inner, p.inner,
                  [to](std::int64_t j, T x) { to[j] = put_into<Op>(to[j], x); });
    }
  }
}

struct put_kernels {
  template <put_op Op, class T>
  static const kernel* of() noexcept {
    static constexpr kernel k{.run = put<Op, T>, .chunks = chunks};
    return &k;
  }
};

}  // namespace

const kernel* put_kernel(put_op op, dtype type) noexcept {
  return choose_put<put_kernels>(op, type);
}

}  // namespace troupe::cpu_kernels
