// SPDX-License-Identifier: MIT
#include "troupe/devices/layout/loop_nest.hpp"

#include <algorithm>

#include "troupe/devices/element_bits.hpp"
#include "troupe/devices/layout/copy_bytes.hpp"

namespace troupe {

namespace {

bool mergeable(std::span<const array> operands, int outer, int inner) noexcept {
  for (const array& x : operands) {
    if (x.strides[outer] != x.strides[inner] * x.shape[inner]) return false;
  }
  return true;
}

template <class T>
void repeat_typed(T* out, const T* value, std::int64_t n) noexcept {
  const T x = *value;
  for (std::int64_t i = 0; i < n; ++i) out[i] = x;
}

template <class T>
void gather_typed(T* out, const T* data, const loop_nest& axes, const std::int64_t* strides,
                  std::int64_t first, std::int64_t n) noexcept {
  std::int64_t index[max_rank];
  for (int axis = axes.rank - 1; axis >= 0; --axis) {
    index[axis] = first % axes.shape[axis];
    first /= axes.shape[axis];
    data += index[axis] * strides[axis];
  }
  const int last = axes.rank - 1;
  const std::int64_t step = strides[last];
  while (n > 0) {
    const std::int64_t run = std::min(n, axes.shape[last] - index[last]);
    if (step == 1) {
      if (run * sizeof(T) >= 64) copy_bytes(out, data, static_cast<std::size_t>(run) * sizeof(T));
      else {
        for (std::int64_t i = 0; i < run; ++i) out[i] = data[i];
      }
    } else if (step == 0) {
      repeat_typed(out, data, run);
    } else {
      for (std::int64_t i = 0; i < run; ++i) out[i] = data[i * step];
    }
    out += run;
    n -= run;
    data -= index[last] * step;
    index[last] = 0;
    for (int axis = last - 1; axis >= 0; --axis) {
      data += strides[axis];
      if (++index[axis] < axes.shape[axis]) break;
      data -= axes.shape[axis] * strides[axis];
      index[axis] = 0;
    }
  }
}

}  // namespace

loop_nest merge_axes(std::span<const array> operands) noexcept {
  loop_nest merged;
  const int count = static_cast<int>(operands.size());
  const array& front = operands.front();
  int previous = -1;
  merged.rank = 0;
  for (int axis = 0; axis < front.rank; ++axis) {
    if (front.shape[axis] == 1) continue;
    if (previous >= 0 && mergeable(operands, previous, axis)) {
      merged.shape[merged.rank - 1] *= front.shape[axis];
    } else {
      merged.shape[merged.rank++] = front.shape[axis];
    }
    for (int k = 0; k < count; ++k) merged.strides[k][merged.rank - 1] = operands[k].strides[axis];
    previous = axis;
  }
  if (merged.rank == 0) merged.shape[merged.rank++] = 1;
  return merged;
}

loop_nest merge_axes(std::span<const array> operands, std::uint32_t axes) noexcept {
  std::int64_t shape[max_rank], strides[loop_nest::max_operands][max_rank];
  array parts[loop_nest::max_operands];
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const array& x = operands[k];
    parts[k] = {x.data, x.type, 0, shape, strides[k]};
    for (int axis = 0; axis < x.rank; ++axis) {
      if ((axes >> axis & 1) == 0) continue;
      shape[parts[k].rank] = x.shape[axis];
      strides[k][parts[k].rank++] = x.strides[axis];
    }
  }
  return merge_axes({parts, operands.size()});
}

void gather(void* out, const void* data, std::size_t element_size, const loop_nest& axes, int k,
            std::int64_t first, std::int64_t n) noexcept {
  visit_bits(element_size, [&]<class T>(T) {
    gather_typed(static_cast<T*>(out), static_cast<const T*>(data), axes, axes.strides[k], first,
                 n);
  });
}

void repeat(void* out, const void* value, std::size_t element_size, std::int64_t n) noexcept {
  visit_bits(element_size, [&]<class T>(T) {
    repeat_typed(static_cast<T*>(out), static_cast<const T*>(value), n);
  });
}

}  // namespace troupe
