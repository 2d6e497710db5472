// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/simd/loops.hpp"

namespace troupe::cpu_kernels {

/// Makes the elements [first, first + n) of an output of `size` elements; `out` is where element
/// `first` goes. Random ones start at a multiple of 64.
template <class Attributes>
using creation_loop = void (*)(void* out, const Attributes& attributes, std::int64_t first,
                               std::int64_t n, std::int64_t size);

/// By dtype; null where a kernel does not make one.
struct creation_loops {
  creation_loop<full_attributes> fill[dtype_count];
  creation_loop<arange_attributes> arange[dtype_count];
  creation_loop<linspace_attributes> linspace[dtype_count];
  creation_loop<uniform_attributes> uniform[dtype_count];
  creation_loop<normal_attributes> normal[dtype_count];
  creation_loop<randint_attributes> randint[dtype_count];
};

TROUPE_DECLARE_TABLE(creation_loops, makers)

}  // namespace troupe::cpu_kernels
