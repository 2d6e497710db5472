// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/control_group.hpp"

#include <algorithm>
#include <fstream>

namespace troupe {

namespace {

/// The first numbers of a file, as many as are asked for. Groups without a limit have words or
/// negative numbers there.
template <class... Number>
bool read(const std::string& file, Number&... numbers) {
  std::ifstream in(file);
  return (in >> ... >> numbers) && ((numbers > 0) && ...);
}

template <class T>
void narrow(std::optional<T>& limit, T other) {
  limit = std::min(limit.value_or(other), other);
}

/// The folder of a group, then of each group above it. In a container some of them are out of
/// sight.
template <class Look>
void upwards(const std::string& hierarchy, std::string group, Look look) {
  for (;;) {
    look(hierarchy + group + "/");
    const auto slash = group.rfind('/');
    if (slash == std::string::npos) return;
    group.erase(slash);
  }
}

}  // namespace

group_limits limits_of_this_process(const std::string& root) {
  group_limits limits;
  const auto tree = root + "/sys/fs/cgroup";
  const auto take_memory = [&](const std::string& file) {
    if (std::int64_t bytes = 0; read(file, bytes))
      narrow(limits.memory, static_cast<std::uint64_t>(bytes));
  };
  std::ifstream groups(root + "/proc/self/cgroup");
  // Lines of NUMBER:CONTROLLERS:GROUP; version 2 names no controllers.
  for (std::string number, controllers, group; std::getline(groups, number, ':') &&
                                               std::getline(groups, controllers, ':') &&
                                               std::getline(groups, group);) {
    const auto controls = [&](const std::string& what) {
      return ("," + controllers + ",").find("," + what + ",") != std::string::npos;
    };
    if (controllers.empty())
      upwards(tree, group, [&](const std::string& folder) {
        take_memory(folder + "memory.max");
        if (double quota = 0, period = 0; read(folder + "cpu.max", quota, period))
          narrow(limits.cores, quota / period);
      });
    if (controls("memory"))
      upwards(tree + "/memory", group,
              [&](const std::string& folder) { take_memory(folder + "memory.limit_in_bytes"); });
    if (controls("cpu"))
      upwards(tree + "/cpu", group, [&](const std::string& folder) {
        double quota = 0, period = 0;
        if (read(folder + "cpu.cfs_quota_us", quota) && read(folder + "cpu.cfs_period_us", period))
          narrow(limits.cores, quota / period);
      });
  }
  return limits;
}

}  // namespace troupe
