// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace troupe {

struct kernel_args;

/// Steps of a kernel that reduces all of a contiguous input to one number, for an input that is
/// computed on the way: `run` in blocks. The chunks are the same, and so is the result, to the bit.
struct block_reduction {
  /// Elements of a block; only the last one of a chunk may have fewer.
  static constexpr std::int64_t block = 4096;
  /// Bytes before a block's first element that may be read, whatever is in them.
  static constexpr std::size_t readable_before = 64;

  /// Partial result of a chunk.
  struct state {
    alignas(64) std::byte bytes[640];
  };

  /// Number of elements in each chunk; the last one may have fewer.
  std::int64_t (*in_chunk)(const kernel_args&);
  void (*start)(const kernel_args&, std::int64_t chunk, state&);
  /// Adds n elements, the first of which has this index in the input.
  void (*add)(const void* x, std::int64_t n, std::int64_t index, state&);
  void (*end)(const kernel_args&, std::int64_t chunk, state&);
};

}  // namespace troupe
