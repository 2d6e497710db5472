// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "troupe/devices/array.hpp"

namespace troupe {

class stream;
struct block_reduction;

/// The note that a kernel on a stream leaves, in memory that the host reads too, when its data
/// are wrong.
struct data_fault {
  std::int64_t index = 0;  ///< the one that is out of bounds
  std::int32_t happened = 0;
};

/// The operands of a kernel. Inputs have any strides; outputs are contiguous and overlap no input,
/// except that an elementwise kernel's output may be exactly one of its inputs' memory (reuse in
/// place).
struct kernel_args {
  std::span<const array> inputs;
  std::span<const array> outputs;
  const void* attributes = nullptr;  ///< the operation's own attribute struct
  void* scratch = nullptr;      ///< the memory it asked for, 64-byte aligned, shared by all chunks
  std::uint32_t numbers = 0;    ///< bit i is set when input i is one number, in the host's memory
  data_fault* fault = nullptr;  ///< for kernels that have an `explain`
};

/// Elements of a contiguous output, counted from its first: rows at the same distance.
struct written_rows {
  std::int64_t first;
  std::int64_t rows, row;
  std::int64_t step;  ///< from the beginning of a row to that of the next
};

/// The code of an operation for some dtypes. Devices that compute on the threads of their lanes
/// call `run` and what goes with it; devices that compute on streams call `launch` and what goes
/// with that. A kernel for both kinds has both. What is wrong with its operands it reports by
/// throwing a std::exception whose text is one line.
struct kernel {
  // On lanes. The work is divided into chunks, which run in any order and on several threads at
  // once. How many there are follows from the arguments alone, never from the number of threads:
  // so results are the same to the bit however the work was shared out.

  /// Runs chunks [first, last).
  void (*run)(const kernel_args&, std::int64_t first, std::int64_t last) = nullptr;
  /// Number of chunks; absent: one. Zero-size outputs may answer zero.
  std::int64_t (*chunks)(const kernel_args&) = nullptr;
  /// Bytes of scratch memory; absent: none.
  std::size_t (*scratch_bytes)(const kernel_args&) = nullptr;
  /// Combines partial results: called once, by one thread, after the last chunk has ended. Absent:
  /// nothing to do.
  void (*finish)(const kernel_args&) = nullptr;
  /// Prepares the scratch memory: called once, by one thread, before the first chunk. Absent:
  /// nothing to do.
  void (*begin)(const kernel_args&) = nullptr;
  /// Returns what a chunk writes of the only output, and no other chunk does; of the number behind
  /// the last chunk, what `finish` writes. Absent: it is not known before the last chunk has ended.
  written_rows (*written)(const kernel_args&, std::int64_t chunk) = nullptr;
  /// The same as `run`, block by block; absent: there is no such thing.
  const block_reduction* by_blocks = nullptr;

  // On a stream.

  /// Puts the work on a stream and does not wait for it. The arguments' `numbers` are read before
  /// it returns.
  void (*launch)(const kernel_args&, stream& on) = nullptr;
  /// Bytes of scratch memory, for a launch on the same stream; absent: none.
  std::size_t (*launch_scratch_bytes)(const kernel_args&, stream& on) = nullptr;
  /// Says in one line what `args.fault` tells; absent: its data cannot be wrong.
  std::string (*explain)(const kernel_args&, const data_fault&) = nullptr;
};

}  // namespace troupe
