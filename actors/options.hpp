// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// Types of the values that options have, by the kind that options.def names.
namespace option_types {
using count = int;
using bytes = std::size_t;
using key = std::uint64_t;
using flag = bool;
}  // namespace option_types

/// Settings of a runtime: `lanes`, `cpu_devices`, `memory_limit`, `strict_memory`, `gpus`,
/// `gpu_memory_limit`, `max_pending`, `trace_events`, `seed`, `synchronous` and `tell_failures`.
/// Each is a row of options.def, which says what it means, its range and its default. A field that
/// is left empty is taken from the environment variable of its row, and from the default if that is
/// not set either.
struct runtime_options {
#define TROUPE_OPTION(name, variable, kind, ...) std::optional<option_types::kind> name = {};
#include "troupe/actors/options.def"
  /// Other machines, whose devices the runtime has, too: `host:port` of each node, the first of
  /// which is node 1. From the environment: TROUPE_NODES, with commas between them.
  std::optional<std::vector<std::string>> nodes = {};
  /// The file with the key that these machines share. From the environment: TROUPE_KEY.
  std::optional<std::string> key = {};
};

/// Returns the options with every field filled in. Throws troupe::error for a value that is not
/// allowed, naming the option or variable, the value and what is allowed.
runtime_options complete(runtime_options given);

}  // namespace troupe
