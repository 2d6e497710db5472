// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/memory_pool.hpp"

// Sanitizers reserve more address space than any limit leaves.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>

#include "troupe/tests/memory_sizes.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Lets this process map `more` bytes of addresses beyond its present ones.
bool limit_addresses(std::size_t more) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  if (pages == 0 || getrlimit(RLIMIT_AS, &limit) != 0) return false;
  limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more;
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

bool refused(memory_pool& pool, std::size_t bytes) {
  try {
    pool.allocate(bytes);
  } catch (const std::bad_alloc&) { return true; }
  return false;
}

/// Runs a function in a process of its own and returns its result, or -1 if it did not return.
template <class F>
int in_child(F f) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    int result = -1;
    try {
      result = f();
    } catch (...) { std::_Exit(99); }
    std::_Exit(result);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// Returns the number of the first step that failed, or 0.
int use_all_memory() {
  constexpr std::size_t part = 128 * mebibyte, parts = 4;
  const auto pool = std::make_shared<memory_pool>(parts * part);
  // Room for the parts and their alignment, but not for another part.
  if (!limit_addresses(parts * part + part / 4)) return 1;

  void* held[parts];
  for (auto& data : held) data = pool->allocate(part);
  if (!refused(*pool, part)) return 2;
  for (auto* data : held) pool->deallocate(data, part);
  if (pool->statistics().cached != parts * part) return 3;

  auto* large = static_cast<char*>(pool->allocate(2 * part));
  large[0] = large[2 * part - 1] = 1;
  if (pool->statistics().cached != 0) return 4;
  if (pool->live() != 2 * part) return 5;

  if (!refused(*pool, 8 * part)) return 6;
  if (pool->live() != 2 * part) return 7;

  auto* small = static_cast<char*>(pool->allocate(1000));
  std::memset(small, 1, 1000);
  pool->deallocate(small, 1000);
  pool->deallocate(large, 2 * part);
  return pool->live() == 0 ? 0 : 8;
}

}  // namespace

TEST_CASE("memory that the system refuses is taken from the cache, or refused with bad_alloc") {
  REQUIRE(in_child(use_all_memory) == 0);
}

#endif
