// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>

#include "troupe/devices/element_bits.hpp"
#include "troupe/devices/layout/axis_split.hpp"
#include "troupe/devices/layout/copy_bytes.hpp"
#include "troupe/devices/layout/indices.hpp"
#include "troupe/devices/layout/loop_nest.hpp"
#include "troupe/devices/layout/share.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t chunk_size = 32768;

std::int64_t chunks(const kernel_args& args) {
  return (args.outputs[0].size() + chunk_size - 1) / chunk_size;
}

int axis_of(const kernel_args& args) noexcept {
  return static_cast<const axis_attributes*>(args.attributes)->axis;
}

/// Reads runs of an array's elements in row-major order.
class reader {
 public:
  explicit reader(const array& x) noexcept
      : data_(x.as<const char>()), size_(size_of(x.type)), contiguous_(x.contiguous()) {
    if (!contiguous_) axes_ = merge_axes({&x, 1});
  }

  void read(char* to, std::int64_t first, std::int64_t n) const noexcept {
    if (contiguous_) copy_bytes(to, data_ + first * step(), static_cast<std::size_t>(n) * size_);
    else gather(to, data_, size_, axes_, 0, first, n);
  }

  std::int64_t step() const noexcept { return static_cast<std::int64_t>(size_); }

 private:
  const char* data_;
  std::size_t size_;
  bool contiguous_;
  loop_nest axes_;
};

/// Copies runs of this many elements, one behind the other, to rows [first, last).
template <class T>
void spread(T* to, std::int64_t row, const T* from, std::int64_t run, std::int64_t first,
            std::int64_t last) noexcept {
  for (std::int64_t k = 0; k < run; ++k) {
    for (auto i = first; i < last; ++i) to[i * row + k] = from[i * run + k];
  }
}

/// Part of each row of an output that an input makes up.
struct row_part {
  const array& in;
  std::int64_t row;     ///< elements of the output in a row
  std::int64_t before;  ///< those that other inputs make up first
  std::int64_t count;   ///< those of this one

  /// Writes what falls into elements [begin, end) of the output.
  void write(const array& out, std::int64_t begin, std::int64_t end) const {
    const auto first = begin / row, last = (end - 1) / row + 1;
    if (count > longest_spread || !in.contiguous()) return copy(out, first, last, begin, end);
    const auto first_whole = before >= begin ? 0 : parts(begin - before, row);
    const auto all = end - before - count;
    const auto last_whole = std::max(first_whole, all < 0 ? 0 : all / row + 1);
    copy(out, first, std::min(first_whole, last), begin, end);
    visit_bits(size_of(in.type), [&](auto bits) {
      using element = decltype(bits);
      spread(out.as<element>() + before, row, in.as<const element>(), count, first_whole,
             last_whole);
    });
    copy(out, last_whole, last, begin, end);
  }

 private:
  static constexpr std::int64_t longest_spread = 8;

  void copy(const array& out, std::int64_t first, std::int64_t last, std::int64_t begin,
            std::int64_t end) const {
    const reader source(in);
    for (auto i = first; i < last; ++i) {
      const auto from = std::max(begin, i * row + before),
                 to = std::min(end, i * row + before + count);
      if (from < to)
        source.read(out.as<char>() + from * source.step(), from - i * row - before + i * count,
                    to - from);
    }
  }
};

/// A row of the output is what lies between two steps of the axes before the joined one.
void concatenate(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& out = args.outputs[0];
  const int axis = axis_of(args);
  const std::int64_t begin = first * chunk_size, end = std::min(out.size(), last * chunk_size);
  if (begin >= end) return;
  const axis_split joined(out, axis);
  std::int64_t before = 0;
  for (const array& in : args.inputs) {
    const row_part part{in, joined.length * joined.inner, before, in.shape[axis] * joined.inner};
    if (part.count > 0) part.write(out, begin, end);
    before += part.count;
  }
}

/// take along the last axis of a contiguous input: an index picks one element.
template <class T>
void take_single(const kernel_args& args, const index_reader& indices, std::int64_t begin,
                 std::int64_t end) {
  const array& in = args.inputs[0];
  const T* const from = in.as<const T>();
  T* const to = args.outputs[0].as<T>();
  const std::int64_t count = args.inputs[1].size(), length = in.shape[axis_of(args)];
  for (std::int64_t row = begin / count; row * count < end; ++row) {
    const std::int64_t last = std::min(end, (row + 1) * count);
    for (std::int64_t i = std::max(begin, row * count); i < last; ++i)
      to[i] = from[row * length + indices[i - row * count]];
  }
}

/// Picks for each index a run of `inner` elements, those of the axes behind the picked one.
void take(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& in = args.inputs[0];
  const array& out = args.outputs[0];
  const int axis = axis_of(args);
  const std::int64_t begin = first * chunk_size, end = std::min(out.size(), last * chunk_size);
  if (begin >= end) return;
  const axis_split s(in, axis);
  const std::int64_t count = args.inputs[1].size(), inner = s.inner;
  const index_reader indices(args.inputs[1], axis, s.length);
  if (inner == 1 && in.contiguous()) {
    return visit_bits(size_of(in.type),
                      [&](auto bits) { take_single<decltype(bits)>(args, indices, begin, end); });
  }
  const reader source(in);
  for (std::int64_t position = begin; position < end;) {
    const std::int64_t run = position / inner, skip = position % inner;
    const std::int64_t n = std::min(inner - skip, end - position);
    source.read(out.as<char>() + position * source.step(),
                (run / count * s.length + indices[run % count]) * inner + skip, n);
    position += n;
  }
}

/// Elements are [rows, length, inner]; indices, and what they pick, are [rows, count, inner].
template <class T>
void take_along_axis(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& in = args.inputs[0];
  const array& out = args.outputs[0];
  const std::int64_t begin = first * chunk_size, end = std::min(out.size(), last * chunk_size);
  if (begin >= end) return;
  const auto& given = *static_cast<const along_axis_attributes*>(args.attributes);
  const axis_split s(out, given.axis);
  const std::int64_t length = in.shape[given.axis];
  const index_reader indices(args.inputs[1], given.axis, length, given.labels);
  const bool plain = in.contiguous();
  const loop_nest axes = plain ? loop_nest{} : merge_axes({&in, 1});
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t row = i / (s.length * s.inner), column = i % s.inner;
    const std::int64_t from = (row * length + indices[i]) * s.inner + column;
    out.as<T>()[i] = in.as<const T>()[plain ? from : axes.offset(0, from)];
  }
}

void true_positions(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& mask = args.inputs[0];
  const auto* const is = mask.as<const bool>();
  const auto* const counts = args.inputs[1].as<const std::int64_t>();
  auto* const out = args.outputs[0].as<std::int64_t>();
  const std::int64_t end = std::min(mask.size(), last * chunk_size);
  for (auto i = first * chunk_size; i < end; ++i) {
    // Counts may come from another machine.
    if (is[i] && counts[i] > 0 && counts[i] <= args.outputs[0].size()) out[counts[i] - 1] = i;
  }
}

std::int64_t mask_chunks(const kernel_args& args) {
  return (args.inputs[0].size() + chunk_size - 1) / chunk_size;
}

constexpr kernel true_positions_of_bool{.run = true_positions, .chunks = mask_chunks};
template <class T>
constexpr kernel take_along_axis_of{.run = take_along_axis<T>, .chunks = chunks};
constexpr kernel concatenate_any{.run = concatenate, .chunks = chunks};
constexpr kernel take_any{.run = take, .chunks = chunks};

}  // namespace

const kernel* concatenate_kernel(dtype) noexcept { return &concatenate_any; }

const kernel* take_kernel(dtype) noexcept { return &take_any; }

const kernel* take_along_axis_kernel(dtype type) noexcept {
  return visit_bits(size_of(type),
                    [](auto bits) -> const kernel* { return &take_along_axis_of<decltype(bits)>; });
}

const kernel* true_positions_kernel(dtype type) noexcept {
  return type == boolean ? &true_positions_of_bool : nullptr;
}

}  // namespace troupe::cpu_kernels
