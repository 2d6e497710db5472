// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/topology.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <tuple>

#ifdef TROUPE_HAS_HWLOC
#include <hwloc.h>
#endif

namespace troupe {

namespace {

/// Reads a list of numbers and ranges, such as "0-3,8"; empty if there is none.
std::vector<int> numbers_in(const std::string& file) {
  std::vector<int> numbers;
  std::ifstream in(file);
  for (int first = 0, last = 0; in >> first; in.ignore()) {
    last = first;
    if (in.peek() == '-') in.ignore() >> last;
    for (int i = first; i <= last; ++i) numbers.push_back(i);
    if (in.peek() != ',') break;
  }
  return numbers;
}

int first_number_in(const std::string& file, int otherwise) {
  const auto numbers = numbers_in(file);
  return numbers.empty() ? otherwise : numbers.front();
}

/// Returns runs of processors with the same core.
std::vector<std::vector<processor>> cores_of(const std::vector<processor>& sorted) {
  std::vector<std::vector<processor>> cores;
  for (const auto& one : sorted) {
    if (cores.empty() || cores.back().front().core != one.core) cores.emplace_back();
    cores.back().push_back(one);
  }
  return cores;
}

}  // namespace

std::vector<cpu_share> divide(std::vector<processor> all, int devices) {
  const auto place = [](const processor& p) {
    return std::tie(p.node, p.socket, p.cache, p.core, p.number);
  };
  std::sort(all.begin(), all.end(), [&](auto& a, auto& b) { return place(a) < place(b); });
  const auto count = static_cast<std::size_t>(devices);
  std::vector<cpu_share> shares(count);
  auto units = cores_of(all);
  if (units.size() < count) {
    units.clear();
    for (const auto& one : all) units.push_back({one});
  }
  if (units.size() < count) return shares;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = i * units.size() / count, end = (i + 1) * units.size() / count;
    for (auto u = begin; u < end; ++u) {
      for (const auto& one : units[u]) shares[i].processors.push_back(one.number);
    }
    // They are sorted by node, so these are the lowest and the highest.
    const auto node = units[begin].front().node;
    const bool several = all.front().node != all.back().node;
    if (several && node == units[end - 1].back().node) shares[i].node = node;
  }
  return shares;
}

std::vector<int> allowed_processors() {
  std::vector<int> numbers;
  constexpr std::size_t most_sets = 64;
  // The system refuses a set that is smaller than its own.
  for (std::size_t sets = 1; sets <= most_sets; sets *= 2) {
    std::vector<cpu_set_t> allowed(sets);
    const auto bytes = sets * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, allowed.data()) != 0) {
      if (errno == EINVAL) continue;
      break;
    }
    for (std::size_t i = 0; i < sets * CPU_SETSIZE; ++i) {
      if (CPU_ISSET_S(i, bytes, allowed.data())) numbers.push_back(static_cast<int>(i));
    }
    break;
  }
  if (numbers.empty()) numbers.push_back(0);
  return numbers;
}

std::vector<processor> processors_in_files(const std::vector<int>& which, const std::string& root) {
  const auto system = root + "/sys/devices/system/";
  std::vector<processor> found;
  for (const int number : which) {
    const auto folder = system + "cpu/cpu" + std::to_string(number) + "/";
    found.push_back({.number = number,
                     .socket = first_number_in(folder + "topology/physical_package_id", 0),
                     .cache = first_number_in(folder + "cache/index3/shared_cpu_list", 0),
                     .core = first_number_in(folder + "topology/thread_siblings_list", number)});
  }
  for (const int node : numbers_in(system + "node/online")) {
    const auto there = numbers_in(system + "node/node" + std::to_string(node) + "/cpulist");
    for (auto& one : found) {
      if (std::find(there.begin(), there.end(), one.number) != there.end()) one.node = node;
    }
  }
  return found;
}

#ifdef TROUPE_HAS_HWLOC

std::vector<processor> processors_of(hwloc_topology* machine) {
  std::vector<processor> found;
  hwloc_obj_t unit = nullptr;
  const auto around = [&](hwloc_obj_type_t type) {
    const auto* const one = hwloc_get_ancestor_obj_by_type(machine, type, unit);
    return one ? static_cast<int>(one->logical_index) : 0;
  };
  while ((unit = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_PU, unit))) {
    const auto* const core = hwloc_get_ancestor_obj_by_type(machine, HWLOC_OBJ_CORE, unit);
    found.push_back({.number = static_cast<int>(unit->os_index),
                     .node = std::max(0, hwloc_bitmap_first(unit->nodeset)),
                     .socket = around(HWLOC_OBJ_PACKAGE),
                     .cache = around(HWLOC_OBJ_L3CACHE),
                     .core = static_cast<int>(core ? core->logical_index : unit->logical_index)});
  }
  return found;
}

std::vector<processor> describe_allowed_processors() {
  const auto allowed = allowed_processors();
  std::vector<processor> found;
  hwloc_topology_t machine = nullptr;
  if (hwloc_topology_init(&machine) == 0) {
    if (hwloc_topology_load(machine) == 0) found = processors_of(machine);
    hwloc_topology_destroy(machine);
  }
  std::erase_if(found, [&](const processor& one) {
    return !std::binary_search(allowed.begin(), allowed.end(), one.number);
  });
  return found.size() == allowed.size() ? found : processors_in_files(allowed);
}

#else

std::vector<processor> describe_allowed_processors() {
  return processors_in_files(allowed_processors());
}

#endif

}  // namespace troupe
