// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/system_memory.hpp"

#include <cstdint>
#include <cstdlib>

#if defined(__linux__)
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace troupe::system_memory {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t page = 4096;  // what is locked or placed shares none with other memory

void* aligned(std::size_t alignment_of_it, std::size_t bytes, [[maybe_unused]] bool huge) noexcept {
  const auto whole = (bytes + alignment_of_it - 1) / alignment_of_it * alignment_of_it;
  void* const data = std::aligned_alloc(alignment_of_it, whole);
#if defined(__linux__)
  if (data && huge) madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return data;
}

}  // namespace

void* take(std::size_t bytes) noexcept {
  const bool huge = bytes >= 2 * huge_page;
  return aligned(huge ? huge_page : bytes >= mebibyte ? page : alignment, bytes, huge);
}

void* take_huge_page() noexcept { return aligned(huge_page, huge_page, true); }

void forget([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__)
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const auto first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
#endif
}

void place([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes,
           [[maybe_unused]] int node) noexcept {
#if defined(__linux__) && defined(SYS_mbind)
  constexpr int bits = 8 * sizeof(unsigned long);
  unsigned long nodes[1024 / bits] = {};
  if (node >= 1024) return;
  if (node >= 0) nodes[node / bits] = 1UL << node % bits;
  // The system takes one bit less than it is told of.
  if (node < 0) syscall(SYS_mbind, data, bytes, MPOL_DEFAULT, nullptr, 0UL, 0U);
  else syscall(SYS_mbind, data, bytes, MPOL_PREFERRED, nodes, 1025UL, 0U);
#endif
}

}  // namespace troupe::system_memory
