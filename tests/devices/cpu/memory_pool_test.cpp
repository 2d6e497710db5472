// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <linux/mempolicy.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "troupe/devices/cpu/memory_pool.hpp"
#include "troupe/tests/devices/cpu/counting_listener.hpp"
#include "troupe/tests/memory_sizes.hpp"

using namespace troupe;
using namespace troupe::testing;
using testing::counting_listener;

namespace {

std::shared_ptr<memory_pool> make_pool(std::size_t cache_limit = 64 * mebibyte) {
  return std::make_shared<memory_pool>(cache_limit);
}

}  // namespace

TEST_CASE("buffers of every size are aligned to 64 bytes and writable to their end") {
  const auto pool = make_pool();
  for (std::size_t bytes :
       {0, 1, 63, 64, 65, 127, 128, 129, 320, 321, 1000, 4096, 4097, 1 << 20, (4 << 20) + 1}) {
    buffer b(pool, bytes);
    INFO(bytes << " bytes");
    CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % 64 == 0);
    std::memset(b.data(), 0xab, bytes);
  }
}

TEST_CASE("no size is rounded up by more than a quarter, or to 64 bytes") {
  const auto pool = make_pool();
  for (std::size_t bytes = 1; bytes < 300'000; bytes += 1 + bytes / 7) {
    buffer b(pool, bytes);
    INFO(bytes << " bytes");
    CHECK(pool->live() >= bytes);
    CHECK(pool->live() <= std::max(bytes + bytes / 4, (bytes + 63) / 64 * 64) + 63);
  }
}

TEST_CASE("a freed buffer is the next one of its size") {
  const auto pool = make_pool();
  void* first = nullptr;
  {
    buffer b(pool, 100'000);
    first = b.data();
  }
  CHECK(buffer(pool, 99'000).data() == first);
}

TEST_CASE("live, peak and cached bytes are counted") {
  const auto pool = make_pool();
  {
    buffer a(pool, mebibyte), b(pool, 2 * mebibyte);
    CHECK(pool->live() == 3 * mebibyte);
  }
  buffer c(pool, mebibyte);
  const auto seen = pool->statistics();
  CHECK(seen.live == mebibyte);
  CHECK(seen.peak == 3 * mebibyte);
  CHECK(seen.cached == 2 * mebibyte);
  pool->trim();
  CHECK(pool->statistics().cached == 0);
  CHECK(pool->statistics().live == mebibyte);
}

TEST_CASE("no more is cached than allowed") {
  const auto pool = make_pool(3 * mebibyte);
  {
    std::vector<buffer> some;
    for (int i = 0; i < 10; ++i) some.emplace_back(pool, mebibyte);
  }
  CHECK(pool->statistics().cached == 3 * mebibyte);
  CHECK(pool->live() == 0);
}

TEST_CASE("a request beyond any machine's memory is refused with bad_alloc and counts nothing") {
  const auto pool = make_pool();
  for (int bits : {46, 50, 60, 63})
    CHECK_THROWS_AS(pool->allocate(std::size_t{1} << bits), std::bad_alloc);
  CHECK(pool->statistics().live == 0);
  CHECK(pool->statistics().peak == 0);
}

TEST_CASE("a pool never lends more than its capacity, and returned memory can be lent again") {
  const auto pool = std::make_shared<memory_pool>(0, 3 * mebibyte);
  {
    const buffer a(pool, 2 * mebibyte);
    CHECK_THROWS_AS(pool->allocate(2 * mebibyte), std::bad_alloc);
    const buffer b(pool, mebibyte);
    CHECK_THROWS_AS(pool->allocate(1), std::bad_alloc);
  }
  const buffer c(pool, 3 * mebibyte);
  CHECK(pool->live() == 3 * mebibyte);
}

TEST_CASE("a request for notification of freed memory is answered once") {
  const auto pool = make_pool();
  const auto listener = std::make_shared<counting_listener>();
  pool->set_listener(listener);
  { buffer b(pool, 100); }
  CHECK(listener->told == 0);
  pool->notify_when_freed();
  { buffer a(pool, 100), b(pool, 100); }
  CHECK(listener->told == 1);
  pool->set_listener(nullptr);
  pool->notify_when_freed();
  { buffer b(pool, 100); }
  CHECK(listener->told == 1);
}

TEST_CASE("threads that share a pool never get the same memory at the same time") {
  const auto pool = make_pool(mebibyte);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    threads.emplace_back([&, seed] {
      std::mt19937_64 random(seed);
      std::vector<std::pair<buffer, std::uint64_t>> held;
      for (int i = 0; i < 5'000; ++i) {
        if (held.size() < 20 && random() % 2) {
          held.emplace_back(buffer(pool, 8 + random() % 5'000), random());
          std::memcpy(held.back().first.data(), &held.back().second, 8);
        } else if (!held.empty()) {
          std::uint64_t found = 0;
          std::memcpy(&found, held.back().first.data(), 8);
          wrong += found != held.back().second;
          held.pop_back();
        }
      }
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
  CHECK(pool->live() == 0);
  CHECK(pool->statistics().cached <= mebibyte);
}

TEST_CASE("large blocks of a pool with a NUMA node prefer it, others do not") {
  const auto node_preferred_at = [](const void* address) {
    int policy = MPOL_DEFAULT;
    unsigned long nodes[16] = {};
    if (syscall(SYS_get_mempolicy, &policy, nodes, 1025UL, address, MPOL_F_ADDR) != 0) return -2;
    return policy == MPOL_PREFERRED && nodes[0] == 1 ? 0 : -1;
  };
  memory_pool there(0, 64 * mebibyte, {}, 0), anywhere(0);
  void* const large = there.allocate(mebibyte);
  void* const huge = there.allocate(8 * mebibyte + 1);
  void* const small = there.allocate(1000);
  void* const other = anywhere.allocate(mebibyte);
  if (node_preferred_at(large) == -2) {
    WARN("this system has no NUMA nodes: not checked");
  } else {
    CHECK(node_preferred_at(large) == 0);
    CHECK(node_preferred_at(static_cast<std::byte*>(large) + mebibyte - 1) == 0);
    CHECK(node_preferred_at(huge) == 0);
    CHECK(node_preferred_at(static_cast<std::byte*>(huge) + 8 * mebibyte) == 0);
    CHECK(node_preferred_at(small) == -1);
    CHECK(node_preferred_at(other) == -1);
  }
  std::memset(huge, 1, 8 * mebibyte + 1);
  there.deallocate(large, mebibyte);
  there.deallocate(huge, 8 * mebibyte + 1);
  there.deallocate(small, 1000);
  anywhere.deallocate(other, mebibyte);
}

TEST_CASE("memory that a pool gives back to the system prefers no node any more") {
  int placed = 0;
  const auto policy_at = [](const void* address) {
    int policy = -1;
    unsigned long nodes[16] = {};
    syscall(SYS_get_mempolicy, &policy, nodes, 1025UL, address, MPOL_F_ADDR);
    return policy;
  };
  // The heap serves all sizes below, and keeps what does not lie at its end. A sanitizer's
  // allocator has no such setting.
  if (mallopt(M_MMAP_THRESHOLD, 32 << 20) != 1) return;
  memory_pool pool(0, 64 * mebibyte, {}, 0);
  for (int i = 0; i < 20; ++i) {
    void* const data = pool.allocate(2 * mebibyte);
    const std::vector<std::byte> above(100'000);
    pool.deallocate(data, 2 * mebibyte);
    placed += policy_at(data) == MPOL_PREFERRED;
  }
  CHECK(placed == 0);
}
