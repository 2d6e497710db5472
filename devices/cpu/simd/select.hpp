// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cpu/features.hpp"

/// The sources in this folder are compiled once for every instruction set, each time into a
/// namespace of its own, the one that TROUPE_ISA names. What they offer is a table of functions;
/// TROUPE_DECLARE_TABLE declares the table of each namespace, and TROUPE_SELECT gives the one for
/// this CPU. So that no code for a newer CPU leaks into the rest of the program, they define
/// nothing else that has external linkage, and use nothing of the standard library that has.

#ifdef TROUPE_X86_64_LEVELS

#define TROUPE_DECLARE_TABLE(type, name) \
  namespace baseline {                   \
  extern const type name;                \
  }                                      \
  namespace x86_64_v3 {                  \
  extern const type name;                \
  }                                      \
  namespace x86_64_v4 {                  \
  extern const type name;                \
  }

#define TROUPE_SELECT(name) \
  (*::troupe::cpu_kernels::for_this_cpu(&baseline::name, &x86_64_v3::name, &x86_64_v4::name))

#else

#define TROUPE_DECLARE_TABLE(type, name) \
  namespace baseline {                   \
  extern const type name;                \
  }

#define TROUPE_SELECT(name) (baseline::name)

#endif

namespace troupe::cpu_kernels {

template <class T>
const T* for_this_cpu(const T* baseline, const T* v3, const T* v4) noexcept {
  const T* choices[] = {baseline, v3, v4};
  return choices[static_cast<int>(best_instruction_set())];
}

}  // namespace troupe::cpu_kernels
