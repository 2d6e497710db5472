// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace troupe {

/// The part of the machine that a container, a service or a batch system leaves to a process.
struct group_limits {
  std::optional<std::uint64_t> memory;  ///< bytes
  std::optional<double> cores;          ///< seconds of CPU time in a second, over all cores
};

/// The narrowest limits of the control groups that this process is in, of either version, and of
/// those above them. Nothing where there are none, or they cannot be read. `root` is where the
/// system's files lie. Source: cgroups(7), and cgroup-v2 in the documentation of Linux.
group_limits limits_of_this_process(const std::string& root = "");

}  // namespace troupe
