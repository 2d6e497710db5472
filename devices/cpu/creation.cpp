// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "troupe/devices/cpu/simd/creation_loops.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t chunk_size = 32768;  // a multiple of 64, as random numbers ask for

std::int64_t chunks(const kernel_args& args) {
  return (args.outputs[0].size() + chunk_size - 1) / chunk_size;
}

template <class Attributes>
using loops_of_kind = creation_loop<Attributes> (creation_loops::*)[dtype_count];

template <class Attributes, loops_of_kind<Attributes> Loops, int Type>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& out = args.outputs[0];
  const std::int64_t size = out.size();
  const std::int64_t begin = first * chunk_size;
  const std::int64_t end = std::min(size, last * chunk_size);
  if (begin >= end) return;
  const auto loop = (TROUPE_SELECT(makers).*Loops)[Type];
  loop(out.as<char>() + begin * static_cast<std::int64_t>(size_of(out.type)),
       *static_cast<const Attributes*>(args.attributes), begin, end - begin, size);
}

template <class Attributes, loops_of_kind<Attributes> Loops>
const kernel* kernel_of(dtype type) noexcept {
  static constexpr kernel kernels[] = {{.run = run<Attributes, Loops, 0>, .chunks = chunks},
                                       {.run = run<Attributes, Loops, 1>, .chunks = chunks},
                                       {.run = run<Attributes, Loops, 2>, .chunks = chunks},
                                       {.run = run<Attributes, Loops, 3>, .chunks = chunks},
                                       {.run = run<Attributes, Loops, 4>, .chunks = chunks},
                                       {.run = run<Attributes, Loops, 5>, .chunks = chunks},
                                       {.run = run<Attributes, Loops, 6>, .chunks = chunks}};
  const int index = static_cast<int>(type);
  return (baseline::makers.*Loops)[index] == nullptr ? nullptr : &kernels[index];
}

template <class T>
void run_eye(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& out = args.outputs[0];
  const std::int64_t begin = first * chunk_size;
  const std::int64_t end = std::min(out.size(), last * chunk_size);
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
  return kernel_of<full_attributes, &creation_loops::fill>(type);
}

const kernel* arange_kernel(dtype type) noexcept {
  return kernel_of<arange_attributes, &creation_loops::arange>(type);
}

const kernel* linspace_kernel(dtype type) noexcept {
  return kernel_of<linspace_attributes, &creation_loops::linspace>(type);
}

const kernel* uniform_kernel(dtype type) noexcept {
  return kernel_of<uniform_attributes, &creation_loops::uniform>(type);
}

const kernel* normal_kernel(dtype type) noexcept {
  return kernel_of<normal_attributes, &creation_loops::normal>(type);
}

const kernel* randint_kernel(dtype type) noexcept {
  return kernel_of<randint_attributes, &creation_loops::randint>(type);
}

const kernel* eye_kernel(dtype type) noexcept {
  static constexpr kernel kernels[] = {{.run = run_eye<bool>, .chunks = chunks},
                                       {.run = run_eye<std::int32_t>, .chunks = chunks},
                                       {.run = run_eye<std::int64_t>, .chunks = chunks},
                                       {.run = run_eye<float>, .chunks = chunks},
                                       {.run = run_eye<double>, .chunks = chunks}};
  return &kernels[static_cast<int>(type)];
}

}  // namespace troupe::cpu_kernels
