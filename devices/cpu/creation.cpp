// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/creation_run.hpp"

namespace troupe::cpu_kernels {

namespace {

template <class T>
void run_eye(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& out = args.outputs[0];
  const std::int64_t begin = first * creation_chunk;
  const std::int64_t end = std::min(out.size(), last * creation_chunk);
  if (begin >= end) return;
  T* const to = out.as<T>();
  std::memset(to + begin, 0, static_cast<std::size_t>(end - begin) * sizeof(T));
  const std::int64_t columns = out.shape[out.rank - 1], rows = out.shape[out.rank - 2];
  const std::int64_t diagonal = static_cast<const eye_attributes*>(args.attributes)->diagonal;
  for (std::int64_t row = begin / columns; row * columns < end; ++row) {
    const std::int64_t column = row % rows + diagonal;
    const std::int64_t position = row * columns + column;
    if (column >= 0 && column < columns && position >= begin && position < end) to[position] = T(1);
  }
}

}  // namespace

const kernel* full_kernel(dtype type) noexcept {
  return creation_kernel<full_attributes, &creation_loops::fill>(type);
}

const kernel* arange_kernel(dtype type) noexcept {
  return creation_kernel<arange_attributes, &creation_loops::arange>(type);
}

const kernel* linspace_kernel(dtype type) noexcept {
  return creation_kernel<linspace_attributes, &creation_loops::linspace>(type);
}

const kernel* eye_kernel(dtype type) noexcept {
  if (is_complex(type)) return nullptr;
  return visit(type, [](auto zero) -> const kernel* {
    static constexpr kernel one{.run = run_eye<decltype(zero)>, .chunks = creation_chunks};
    return &one;
  });
}

const kernel* uniform_kernel(dtype type) noexcept {
  return creation_kernel<uniform_attributes, &creation_loops::uniform>(type);
}

const kernel* normal_kernel(dtype type) noexcept {
  return creation_kernel<normal_attributes, &creation_loops::normal>(type);
}

const kernel* randint_kernel(dtype type) noexcept {
  return creation_kernel<randint_attributes, &creation_loops::randint>(type);
}

}  // namespace troupe::cpu_kernels
