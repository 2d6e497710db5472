// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace troupe {

/// Options of a runtime. An empty option is taken from the environment variable named beside it, or
/// else from the default.
struct runtime_options {
  /// Threads of each CPU device: 1 to 64. TROUPE_LANES; default: its share of the cores.
  std::optional<int> lanes = {};
  /// Number of CPU devices that share the cores: 1 to 64. TROUPE_CPU_DEVICES; default: 1.
  std::optional<int> cpu_devices = {};
  /// Bytes that each CPU device may hold: at least 1 MiB. TROUPE_MEMORY_LIMIT, such as 512M or 8G;
  /// default: half of the machine's memory, divided among the devices.
  std::optional<std::size_t> memory_limit = {};
  /// Number of GPUs to use, or fewer if the machine has fewer: 0 to 64. TROUPE_GPUS; default: all.
  std::optional<int> gpus = {};
  /// Bytes that each GPU may hold: at least 1 MiB. TROUPE_GPU_MEMORY_LIMIT; default: nine tenths of
  /// the memory that is free when the runtime starts.
  std::optional<std::size_t> gpu_memory_limit = {};
  /// Tasks that may be pending; past that, submitting waits: at least 16. TROUPE_MAX_PENDING;
  /// default: 8192.
  std::optional<int> max_pending = {};
  /// Events that the trace keeps per lane; 0: no trace. TROUPE_TRACE_EVENTS; default: 16384.
  std::optional<int> trace_events = {};
  /// Key of the random numbers. TROUPE_SEED; default: 0.
  std::optional<std::uint64_t> seed = {};
  /// Runs each task at once on the thread that submits it. TROUPE_SYNC, 0 or 1; default: 0.
  std::optional<bool> synchronous = {};
};

/// Returns the options with all fields filled in. Throws troupe::error for a value that is no
/// number or out of range, naming the option or variable.
runtime_options complete(runtime_options given);

}  // namespace troupe
