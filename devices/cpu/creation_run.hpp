// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "troupe/devices/cpu/simd/creation_loops.hpp"
#include "troupe/devices/kernel.hpp"

/// The run of the loops in simd/creation_loops.hpp by the kernels that make elements out of
/// nothing.

namespace troupe::cpu_kernels {

inline constexpr std::int64_t creation_chunk =
    32768;  // a multiple of 64, as random numbers ask for

inline std::int64_t creation_chunks(const kernel_args& args) {
  return (args.outputs[0].size() + creation_chunk - 1) / creation_chunk;
}

template <class Attributes>
using loops_of_kind = creation_loop<Attributes> (creation_loops::*)[dtype_count];

template <class Attributes, loops_of_kind<Attributes> Loops, int Type>
void run_creation(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& out = args.outputs[0];
  const std::int64_t size = out.size();
  const std::int64_t begin = first * creation_chunk;
  const std::int64_t end = std::min(size, last * creation_chunk);
  if (begin >= end) return;
  const auto loop = (TROUPE_SELECT(makers).*Loops)[Type];
  loop(out.as<char>() + begin * static_cast<std::int64_t>(size_of(out.type)),
       *static_cast<const Attributes*>(args.attributes), begin, end - begin, size);
}

/// The kernel that runs some loops; null where they have none for the dtype.
template <class Attributes, loops_of_kind<Attributes> Loops>
const kernel* creation_kernel(dtype type) noexcept {
  static constexpr auto kernels = []<int... Type>(std::integer_sequence<int, Type...>) {
    return std::array{
        kernel{.run = run_creation<Attributes, Loops, Type>, .chunks = creation_chunks}...};
  }
  (std::make_integer_sequence<int, dtype_count>{});
  const auto index = number_of(type);
  return (baseline::makers.*Loops)[index] == nullptr ? nullptr : &kernels[index];
}

}  // namespace troupe::cpu_kernels
