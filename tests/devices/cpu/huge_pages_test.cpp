// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/huge_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "troupe/devices/cpu/system_memory.hpp"

using namespace troupe;

namespace {

struct block {
  unsigned char* data;
  std::size_t bytes;
  unsigned char mark;

  bool whole() const {
    for (std::size_t i = 0; i < bytes; ++i) {
      if (data[i] != mark) return false;
    }
    return true;
  }
};

std::uintptr_t page_of(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data) / system_memory::huge_page;
}

/// Returns how many of the small pages of a block have memory.
std::size_t resident(void* data, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const auto first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  std::vector<unsigned char> there((last - first) / page);
  REQUIRE(::mincore(reinterpret_cast<void*>(first), last - first, there.data()) == 0);
  std::size_t count = 0;
  for (const auto one : there) count += one & 1;
  return count;
}

}  // namespace

TEST_CASE("blocks of huge pages lie side by side, do not overlap and are aligned") {
  const auto thread = [](unsigned seed, huge_pages& pages) {
    std::mt19937 random(seed);
    std::vector<block> held;
    bool right = true;
    for (int i = 0; i < 2'000; ++i) {
      if (held.size() < 40 && random() % 5 < 3) {
        const std::size_t bytes = (random() % 8 == 0 ? 16'384 : 256) * (1 + random() % 40);
        auto* const data = static_cast<unsigned char*>(pages.take(bytes));
        right = right && data && reinterpret_cast<std::uintptr_t>(data) % 64 == 0;
        held.push_back({data, bytes, static_cast<unsigned char>(random())});
        std::memset(data, held.back().mark, bytes);
      } else if (!held.empty()) {
        std::swap(held[random() % held.size()], held.back());
        right = right && held.back().whole();
        pages.give_back(held.back().data, held.back().bytes);
        held.pop_back();
      }
    }
    for (const auto& one : held) {
      right = right && one.whole();
      pages.give_back(one.data, one.bytes);
    }
    return right;
  };
  huge_pages pages(-1);
  bool other = false;
  std::thread second([&] { other = thread(2, pages); });
  const bool one = thread(1, pages);
  second.join();
  CHECK(one);
  CHECK(other);
}

TEST_CASE("a block that is given back has no memory, and its neighbours keep theirs") {
  constexpr std::size_t bytes = std::size_t{256} << 10;
  huge_pages pages(-1);
  auto* const first = pages.take(bytes);
  auto* const second = pages.take(bytes);
  auto* const third = pages.take(bytes);
  CHECK(page_of(first) == page_of(third));
  for (auto* const one : {first, second, third}) std::memset(one, 7, bytes);
  REQUIRE(resident(second, bytes) > 0);
  pages.give_back(second, bytes);
  CHECK(resident(second, bytes) == 0);
  const block before{static_cast<unsigned char*>(first), bytes, 7};
  const block behind{static_cast<unsigned char*>(third), bytes, 7};
  CHECK(before.whole());
  CHECK(behind.whole());
  pages.give_back(first, bytes);
  pages.give_back(third, bytes);
  // The page that is empty is the next one, until it is trimmed.
  CHECK(pages.take(bytes) == first);
  pages.give_back(first, bytes);
  pages.trim();
  pages.trim();
  pages.give_back(pages.take(bytes), bytes);
}
