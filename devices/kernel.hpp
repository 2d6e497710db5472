// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "troupe/devices/array.hpp"

namespace troupe {

/// What a kernel works on. Inputs have any strides; outputs are contiguous and overlap no input, except that an
/// elementwise kernel's output may be exactly one of its inputs' memory (reuse in place).
struct kernel_args {
  std::span<const array> inputs;
  std::span<const array> outputs;
  const void* attributes = nullptr;  ///< the operation's own attribute struct
  void* scratch = nullptr;  ///< `scratch_bytes` of memory, 64-byte aligned, shared by all chunks
};

/// A kernel for the CPU, divided into chunks that may run in any order and on several threads at once.
/// How many chunks there are follows from the arguments alone, never from the number of threads, so that
/// results are the same to the bit however the work was shared out. A kernel reports what is wrong with
/// its data (an index out of range, ...) by throwing a std::exception whose text is one line.
struct cpu_kernel {
  /// Runs chunks [first, last).
  void (*run)(const kernel_args&, std::int64_t first, std::int64_t last) = nullptr;
  /// The number of chunks; absent: one. Zero-size outputs may answer zero.
  std::int64_t (*chunks)(const kernel_args&) = nullptr;
  /// Bytes of scratch memory; absent: none.
  std::size_t (*scratch_bytes)(const kernel_args&) = nullptr;
  /// Called once by one thread after the last chunk has ended, to combine partial results; absent: nothing to do.
  void (*finish)(const kernel_args&) = nullptr;
};

}  // namespace troupe
