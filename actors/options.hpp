// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace troupe {

/// How a runtime is set up. What is left empty is taken from the environment variable named beside
/// it, and from the default if that is not set either.
struct runtime_options {
  /// Threads of each CPU device: 1 to 64. TROUPE_LANES; default: its share of the cores.
  std::optional<int> lanes = {};
  /// CPU devices that share the cores: 1 to 64. TROUPE_CPU_DEVICES; default: 1.
  std::optional<int> cpu_devices = {};
  /// Bytes that each CPU device may hold: at least 1 MiB. TROUPE_MEMORY_LIMIT, such as 512M or 8G;
  /// default: half of the machine's memory, shared out among the devices.
  std::optional<std::size_t> memory_limit = {};
  /// GPUs to use, if there are so many: 0 to 64. TROUPE_GPUS; default: all.
  std::optional<int> gpus = {};
  /// Bytes that each GPU may hold: at least 1 MiB. TROUPE_GPU_MEMORY_LIMIT; default: nine tenths of
  /// what is free when the runtime starts.
  std::optional<std::size_t> gpu_memory_limit = {};
  /// Tasks that may be submitted and not ended; past that, submitting waits: at least 16.
  /// TROUPE_MAX_PENDING; default: 8192.
  std::optional<int> max_pending = {};
  /// Events that the trace keeps of each lane; 0: no trace. TROUPE_TRACE_EVENTS; default: 16384.
  std::optional<int> trace_events = {};
  /// The key of the random numbers. TROUPE_SEED; default: 0.
  std::optional<std::uint64_t> seed = {};
  /// Run each task at once on the thread that submits it. TROUPE_SYNC, 0 or 1; default: 0.
  std::optional<bool> synchronous = {};
};

/// The options with everything filled in. Throws troupe::error for a value that is no number or out
/// of range, naming the option or variable.
runtime_options complete(runtime_options given);

}  // namespace troupe
