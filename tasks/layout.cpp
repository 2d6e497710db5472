// SPDX-License-Identifier: MIT
#include "troupe/tasks/layout.hpp"

#include <algorithm>

namespace troupe {

layout::layout(const shape& s) noexcept : dims(s) {
  std::int64_t step = 1;
  for (int i = s.rank() - 1; i >= 0; --i) {
    strides[i] = step;
    step *= s[i];
  }
}

bool layout::contiguous() const noexcept {
  return array{nullptr, dtype::boolean, dims.rank(), dims.data(), strides}.contiguous();
}

layout layout::broadcast(const shape& to) const noexcept {
  layout out;
  out.dims = to;
  out.offset = offset;
  const int added = to.rank() - dims.rank();
  for (int i = 0; i < to.rank(); ++i)
    out.strides[i] = i < added || (dims[i - added] == 1 && to[i] != 1) ? 0 : strides[i - added];
  return out;
}

std::optional<layout> layout::reshape(const shape& to) const noexcept {
  layout out(to);
  out.offset = offset;
  if (contiguous()) return out;
  if (dims.size() == 0) return out;
  // Match groups of old and new axes with equal products; a group must be one evenly spaced run in
  // memory.
  int from_axis = 0, to_axis = 0;
  while (from_axis < dims.rank() || to_axis < to.rank()) {
    int from_end = from_axis, to_end = to_axis;
    std::int64_t from_size = 1, to_size = 1;
    if (from_end < dims.rank()) from_size = dims[from_end++];
    if (to_end < to.rank()) to_size = to[to_end++];
    while (from_size != to_size) {
      if (from_size < to_size) from_size *= dims[from_end++];
      else to_size *= to[to_end++];
    }
    std::int64_t step = 0, expected = 0;
    bool first = true;
    for (int i = from_end - 1; i >= from_axis; --i) {
      if (dims[i] == 1) continue;
      if (first) step = strides[i];
      else if (strides[i] != expected) return std::nullopt;
      first = false;
      expected = strides[i] * dims[i];
    }
    for (int i = to_end - 1; i >= to_axis; --i) {
      out.strides[i] = step;
      step *= to[i];
    }
    from_axis = from_end;
    to_axis = to_end;
  }
  return out;
}

std::optional<shape> broadcast(const shape& a, const shape& b) noexcept {
  if (a == b) return a;
  const shape& longer = a.rank() >= b.rank() ? a : b;
  const shape& shorter = a.rank() >= b.rank() ? b : a;
  shape out = longer;
  const int added = longer.rank() - shorter.rank();
  for (int i = 0; i < shorter.rank(); ++i) {
    const auto m = longer[added + i], n = shorter[i];
    if (m != n && m != 1 && n != 1) return std::nullopt;
    out[added + i] = m == 1 ? n : m;
  }
  return out;
}

}  // namespace troupe
