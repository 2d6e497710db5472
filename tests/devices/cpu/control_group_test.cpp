// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/control_group.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <initializer_list>
#include <utility>

#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tests/address_limit.hpp"
#include "troupe/tests/temporary_folder.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Returns the limits of a system with these files.
group_limits limits_with(std::initializer_list<std::pair<std::string, std::string>> files) {
  const temporary_folder root;
  for (const auto& [path, content] : files) {
    std::filesystem::create_directories(std::filesystem::path(root / path).parent_path());
    put_bytes(root / path, content);
  }
  return limits_of_this_process(root.path());
}

}  // namespace

TEST_CASE("a control group limits memory and CPU time") {
  const auto found = limits_with({{"proc/self/cgroup", "0::/batch/job\n"},
                                  {"sys/fs/cgroup/batch/job/memory.max", "1073741824\n"},
                                  {"sys/fs/cgroup/batch/job/cpu.max", "150000 100000\n"}});
  CHECK(found.memory == std::uint64_t{1} << 30);
  CHECK(found.cores == 1.5);
}

TEST_CASE("the narrowest limit of a control group and its ancestors counts") {
  const auto found = limits_with({{"proc/self/cgroup", "0::/batch/job\n"},
                                  {"sys/fs/cgroup/batch/job/memory.max", "max\n"},
                                  {"sys/fs/cgroup/batch/memory.max", "4096000\n"},
                                  {"sys/fs/cgroup/memory.max", "8192000\n"},
                                  {"sys/fs/cgroup/batch/job/cpu.max", "max 100000\n"}});
  CHECK(found.memory == 4096000u);
  CHECK_FALSE(found.cores);
}

TEST_CASE("in a container the group's own folder may be hidden") {
  const auto found = limits_with(
      {{"proc/self/cgroup", "0::/../../outside\n"}, {"sys/fs/cgroup/memory.max", "1000000\n"}});
  CHECK(found.memory == 1000000u);
}

TEST_CASE("control groups of version 1 have a hierarchy for each controller") {
  const auto found =
      limits_with({{"proc/self/cgroup",
                    "5:devices:/\n4:memory:/a\n3:cpu,cpuacct:/b:c\n1:name=systemd:/\n0::/\n"},
                   {"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2000000\n"},
                   {"sys/fs/cgroup/cpu/b:c/cpu.cfs_quota_us", "400000\n"},
                   {"sys/fs/cgroup/cpu/b:c/cpu.cfs_period_us", "100000\n"},
                   {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
                   {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}});
  CHECK(found.memory == 2000000u);
  CHECK(found.cores == 4.0);
}

TEST_CASE("without control groups, or with invalid files, there are no limits") {
  for (const auto* text : {"", "nonsense", "0::", "::::\n::\n", "0::/\n"}) {
    const auto found = limits_with({{"proc/self/cgroup", text},
                                    {"sys/fs/cgroup/memory.max", "-5 apples"},
                                    {"sys/fs/cgroup/cpu.max", "0 0"}});
    CHECK_FALSE(found.memory);
    CHECK_FALSE(found.cores);
  }
  CHECK_FALSE(limits_with({}).memory);
}

TEST_CASE("this process may use at least one core and some memory") {
  CHECK(available_cores() >= 1);
  CHECK(available_memory() >= std::size_t{1} << 20);
}

TEST_CASE("memory that the process may not map is not available") {
  if (!address_limit::possible) return;
  const auto before = available_memory();
  rlimit own{};
  getrlimit(RLIMIT_AS, &own);
  const address_limit few(std::size_t{64} << 20);
  rlimit now{};
  getrlimit(RLIMIT_AS, &now);
  CHECK(available_memory() == std::min<std::size_t>(before, now.rlim_cur));
  CHECK(now.rlim_cur < own.rlim_cur);
}
