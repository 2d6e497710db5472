// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

struct hwloc_topology;

namespace troupe {

/// Processor as the system counts them: a core, or one of its hyperthreads. Two processors share a
/// core, a cache, a socket or a NUMA node if they have the same number for it; these numbers mean
/// nothing else, except that of the node, which is the system's.
struct processor {
  int number = 0;
  int node = 0;
  int socket = 0;
  int cache = 0;  ///< the last level
  int core = 0;

  friend bool operator==(const processor&, const processor&) = default;
};

/// Share of a CPU device in the machine.
struct cpu_share {
  static constexpr int no_node = -1;

  std::vector<int> processors;  ///< their numbers; empty: it has none to itself
  int node = no_node;           ///< NUMA node of all of them, if there are several nodes

  friend bool operator==(const cpu_share&, const cpu_share&) = default;
};

/// Divides processors among CPU devices: neighbours stay together, by node, socket, cache and core;
/// each device gets whole cores, as many as any other or one more. With fewer cores than devices,
/// hyperthreads are divided; with fewer of these, too, nobody has any to itself.
std::vector<cpu_share> divide(std::vector<processor> all, int devices);

/// Returns the numbers of the processors that the calling thread may run on, in order; at least
/// one.
std::vector<int> allowed_processors();

/// Returns the processors that the calling thread may run on, as hwloc or else the system's files
/// describe them. Takes milliseconds.
std::vector<processor> describe_allowed_processors();

/// Returns those of a machine that Linux describes in files under `root`: see
/// sysfs-devices-system-cpu and numa in its documentation. Those with the numbers in `which`; what
/// files do not say of a processor is taken to be its own core, on node and socket 0.
std::vector<processor> processors_in_files(const std::vector<int>& which,
                                           const std::string& root = "");

/// Returns those of a topology that was loaded. Only where hwloc was found when this was built.
std::vector<processor> processors_of(hwloc_topology* machine);

}  // namespace troupe
