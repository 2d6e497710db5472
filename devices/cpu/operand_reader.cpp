// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/operand_reader.hpp"

#include "troupe/devices/cpu/simd/loops.hpp"
#include "troupe/devices/layout/tiling.hpp"

namespace troupe::cpu_kernels {

void operand_reader::start(const array& x, dtype type, std::int64_t longest) noexcept {
  data_ = x.as<const char>();
  from_ = x.type;
  to_ = type;
  size_ = static_cast<std::int64_t>(size_of(from_));
  arrangement_ = arrangement_of(x);
  if (arrangement_ != arrangement::constant) return;
  const void* const one = from_ == to_ ? data_ : converted(data_, 1);
  repeat(values_, one, size_of(to_), longest);
}

const void* operand_reader::converted(const void* from, std::int64_t n) noexcept {
  const auto loop =
      TROUPE_SELECT(conversion_loops).loops[static_cast<int>(from_)][static_cast<int>(to_)];
  loop(converted_, &from, n);
  return converted_;
}

const void* operand_reader::run(const loop_nest& axes, int k, std::int64_t first, std::int64_t n,
                                bool whole_row) noexcept {
  if (arrangement_ == arrangement::constant) return values_;
  const void* x = values_;
  const std::int64_t inner = axes.strides[k][axes.rank - 1];
  if (arrangement_ == arrangement::contiguous) x = data_ + first * size_;
  else if (whole_row && inner == 1) x = data_ + axes.offset(k, first) * size_;
  else if (whole_row && inner == 0)
    repeat(values_, data_ + axes.offset(k, first) * size_, static_cast<std::size_t>(size_), n);
  else gather(values_, data_, static_cast<std::size_t>(size_), axes, k, first, n);
  return from_ == to_ ? x : converted(x, n);
}

void operand_reader::load_tile(const loop_nest& axes, int k, const tiling::tile& t,
                               int tall) noexcept {
  if (arrangement_ == arrangement::constant) {
    tile_ = values_;
    tile_step_ = 0;
    return;
  }
  const std::int64_t* const strides = axes.strides[k];
  const std::int64_t down = strides[tall], right = strides[axes.rank - 1];
  const char* const base = data_ + t.offset(axes, strides) * size_;
  if (right == 1 && down != 0 && from_ == to_) {
    tile_ = base;
    tile_step_ = down * size_;
    return;
  }
  if (down == 1) {
    transpose(values_, t.columns, base, right, static_cast<std::size_t>(size_), t.rows, t.columns);
  } else {
    loop_nest square;
    square.rank = 2;
    square.shape[0] = t.rows, square.shape[1] = t.columns;
    square.strides[0][0] = down, square.strides[0][1] = right;
    gather(values_, base, static_cast<std::size_t>(size_), square, 0, 0, t.rows * t.columns);
  }
  const bool ready = from_ == to_;
  tile_ = static_cast<const char*>(ready ? values_ : converted(values_, t.rows * t.columns));
  tile_step_ = t.columns * static_cast<std::int64_t>(size_of(to_));
}

}  // namespace troupe::cpu_kernels
