// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/topology.hpp"

#include <sched.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <thread>

#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tests/temporary_folder.hpp"

#ifdef TROUPE_HAS_HWLOC
#include <hwloc.h>
#endif

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Describes a machine that numbers its hyperthreads last: those of core c are c, c + cores, ...
std::vector<processor> machine(int nodes, int cores_of_node, int threads_of_core) {
  std::vector<processor> all;
  const int cores = nodes * cores_of_node;
  for (int i = 0; i < cores * threads_of_core; ++i) {
    const int core = i % cores, node = core / cores_of_node;
    all.push_back({.number = i, .node = node, .socket = node, .cache = node, .core = core});
  }
  return all;
}

std::vector<std::vector<int>> processors_of(const std::vector<cpu_share>& shares) {
  std::vector<std::vector<int>> numbers;
  for (const auto& one : shares) numbers.push_back(one.processors);
  return numbers;
}

using lists = std::vector<std::vector<int>>;

/// Writes the files by which Linux describes a machine of two sockets, each a node, with two cores
/// of two hyperthreads.
void describe_two_sockets(const temporary_folder& root) {
  const auto put = [&](const std::string& path, const std::string& content) {
    const auto file = root / ("sys/devices/system/" + path);
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    put_bytes(file, content);
  };
  for (int i = 0; i < 8; ++i) {
    const auto folder = "cpu/cpu" + std::to_string(i) + "/";
    const int core = i % 4;
    put(folder + "topology/physical_package_id", std::to_string(core / 2) + "\n");
    put(folder + "topology/thread_siblings_list",
        std::to_string(core) + "," + std::to_string(core + 4) + "\n");
    put(folder + "cache/index3/shared_cpu_list", core < 2 ? "0-1,4-5\n" : "2-3,6-7\n");
  }
  put("node/online", "0-1\n");
  put("node/node0/cpulist", "0-1,4-5\n");
  put("node/node1/cpulist", "2-3,6-7\n");
}

}  // namespace

TEST_CASE("devices get whole cores where hyperthreads are numbered last") {
  CHECK(processors_of(divide(machine(1, 4, 2), 2)) == lists{{0, 4, 1, 5}, {2, 6, 3, 7}});
  CHECK(processors_of(divide(machine(1, 2, 2), 2)) == lists{{0, 2}, {1, 3}});
}

TEST_CASE("devices are divided by node where nodes do not number their cores in a row") {
  auto all = machine(2, 2, 1);
  for (auto& one : all) one.node = one.socket = one.number % 2;
  const auto shares = divide(all, 2);
  CHECK(shares[0] == cpu_share{{0, 2}, 0});
  CHECK(shares[1] == cpu_share{{1, 3}, 1});
}

TEST_CASE("a device has a node if all its cores are there and the machine has several") {
  const auto nodes = [](const std::vector<cpu_share>& shares) {
    std::vector<int> found;
    for (const auto& one : shares) found.push_back(one.node);
    return found;
  };
  CHECK(nodes(divide(machine(2, 4, 2), 4)) == std::vector{0, 0, 1, 1});
  CHECK(nodes(divide(machine(2, 4, 2), 3)) == std::vector{0, -1, 1});
  CHECK(nodes(divide(machine(2, 4, 2), 1)) == std::vector{-1});
  CHECK(nodes(divide(machine(1, 4, 2), 2)) == std::vector{-1, -1});
}

TEST_CASE("cores that share a cache stay together within a socket") {
  auto all = machine(1, 4, 1);
  for (auto& one : all) one.cache = one.number % 2;
  CHECK(processors_of(divide(all, 2)) == lists{{0, 2}, {1, 3}});
}

TEST_CASE("shares of any machine are fair, whole cores, and together all of it") {
  for (const int nodes : {1, 2, 3}) {
    for (const int cores : {1, 2, 5, 8}) {
      for (const int threads : {1, 2, 4}) {
        for (int devices = 1; devices <= nodes * cores; ++devices) {
          INFO(nodes << " nodes of " << cores << " cores of " << threads << " for " << devices);
          std::set<int> seen, sizes;
          for (const auto& one : divide(machine(nodes, cores, threads), devices)) {
            std::map<int, int> threads_here;
            for (const int number : one.processors) {
              REQUIRE(seen.insert(number).second);
              ++threads_here[number % (nodes * cores)];
            }
            for (const auto& [core, count] : threads_here) REQUIRE(count == threads);
            sizes.insert(static_cast<int>(threads_here.size()));
          }
          REQUIRE(static_cast<int>(seen.size()) == nodes * cores * threads);
          REQUIRE(*sizes.begin() >= 1);
          REQUIRE(*sizes.rbegin() - *sizes.begin() <= 1);
        }
      }
    }
  }
}

TEST_CASE("more devices than cores divide the hyperthreads, and still more share all of them") {
  CHECK(processors_of(divide(machine(1, 2, 2), 3)) == lists{{0}, {2}, {1, 3}});
  CHECK(processors_of(divide(machine(1, 2, 2), 5)) == lists(5));
}

TEST_CASE("the system's files tell sockets, nodes, caches and cores") {
  const temporary_folder root;
  describe_two_sockets(root);
  std::vector<int> all(8);
  std::iota(all.begin(), all.end(), 0);
  const auto found = processors_in_files(all, root.path());
  CHECK(found[1] == processor{.number = 1, .node = 0, .socket = 0, .cache = 0, .core = 1});
  CHECK(found[6] == processor{.number = 6, .node = 1, .socket = 1, .cache = 2, .core = 2});
  const auto shares = divide(found, 2);
  CHECK(shares[0] == cpu_share{{0, 4, 1, 5}, 0});
  CHECK(shares[1] == cpu_share{{2, 6, 3, 7}, 1});
}

TEST_CASE("only the processors that a process may use are divided") {
  const temporary_folder root;
  describe_two_sockets(root);
  CHECK(processors_of(divide(processors_in_files({1, 2, 5, 6}, root.path()), 2)) ==
        lists{{1, 5}, {2, 6}});
}

TEST_CASE("without the system's files every processor is a core") {
  const temporary_folder root;
  CHECK(processors_of(divide(processors_in_files({0, 1, 2}, root.path()), 3)) ==
        lists{{0}, {1}, {2}});
}

TEST_CASE("the processors described are those that this thread may run on") {
  std::vector<int> found;
  for (const auto& one : describe_allowed_processors()) found.push_back(one.number);
  std::sort(found.begin(), found.end());
  CHECK(found == allowed_processors());
}

TEST_CASE("lanes may run on all processors of their device, and on no other device's") {
  const auto shares = divide(describe_allowed_processors(), 2);
  const auto all = make_cpu_drivers({.devices = 2});
  for (std::size_t d = 0; d < all.size(); ++d) {
    for (int lane = driver::no_lane; lane < all[d]->lanes(); ++lane) {
      std::vector<int> allowed;
      std::jthread([&] {
        all[d]->enter(lane);
        allowed = allowed_processors();
      }).join();
      auto expected = shares[d].processors;
      std::sort(expected.begin(), expected.end());
      CHECK(allowed == (expected.empty() ? allowed_processors() : expected));
    }
  }
}

TEST_CASE("the lanes of an only device may run wherever the process may") {
  const auto device = make_cpu_drivers({.devices = 1}).front();
  std::vector<int> allowed;
  std::jthread([&] {
    device->enter(0);
    allowed = allowed_processors();
  }).join();
  CHECK(allowed == allowed_processors());
}

#ifdef TROUPE_HAS_HWLOC

TEST_CASE("hwloc's machines are divided by node and core") {
  hwloc_topology_t made = nullptr;
  REQUIRE(hwloc_topology_init(&made) == 0);
  const auto shares_of = [&](const char* description, int devices) {
    REQUIRE(hwloc_topology_set_synthetic(made, description) == 0);
    REQUIRE(hwloc_topology_load(made) == 0);
    return divide(processors_of(made), devices);
  };
  SECTION("two nodes") {
    const auto shares = shares_of("numa:2 core:4 pu:2", 4);
    CHECK(shares[1] == cpu_share{{4, 5, 6, 7}, 0});
    CHECK(shares[2] == cpu_share{{8, 9, 10, 11}, 1});
  }
  SECTION("hyperthreads are numbered last") {
    const auto shares = shares_of("core:4 pu:2(indexes=0,4,1,5,2,6,3,7)", 2);
    CHECK(shares[0] == cpu_share{{0, 4, 1, 5}, cpu_share::no_node});
  }
  SECTION("caches divide a socket") {
    const auto shares = shares_of("pack:1 l3:2 core:2 pu:1(indexes=0,2,1,3)", 2);
    CHECK(shares[0] == cpu_share{{0, 2}, cpu_share::no_node});
  }
  hwloc_topology_destroy(made);
}

TEST_CASE("hwloc and the system's files describe this machine alike") {
  const auto all = describe_allowed_processors(), files = processors_in_files(allowed_processors());
  for (int devices = 1; devices <= static_cast<int>(all.size()); ++devices)
    CHECK(divide(all, devices) == divide(files, devices));
}

#endif
