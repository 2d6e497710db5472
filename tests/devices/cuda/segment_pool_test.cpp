// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/segment_pool.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "troupe/tests/memory_sizes.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Source that lends addresses without memory behind them, as a GPU's are for the host.
class fake_source final : public memory_source {
 public:
  struct books {
    std::mutex mutex;
    std::map<std::uintptr_t, std::size_t> lent;
    std::size_t bytes = 0, most = ~std::size_t{0};
    int calls = 0;
    std::function<void()> meanwhile = [] {};  ///< runs in each call
  };
  explicit fake_source(books& b) : books_(b) {}

  void* allocate(std::size_t bytes) noexcept override {
    books_.meanwhile();
    std::lock_guard lock(books_.mutex);
    ++books_.calls;
    if (books_.bytes + bytes > books_.most) return nullptr;
    books_.bytes += bytes;
    next_ += bytes + mebibyte;  // segments are not adjacent, but the next one may be
    if (books_.calls % 3 == 0) next_ -= mebibyte;
    const auto at = next_ - bytes;
    books_.lent.emplace(at, bytes);
    return reinterpret_cast<void*>(at);
  }
  void release(void* data) noexcept override {
    books_.meanwhile();
    std::lock_guard lock(books_.mutex);
    const auto found = books_.lent.find(reinterpret_cast<std::uintptr_t>(data));
    REQUIRE(found != books_.lent.end());
    books_.bytes -= found->second;
    books_.lent.erase(found);
  }

 private:
  books& books_;
  std::uintptr_t next_ = std::uintptr_t{1} << 40;
};

}  // namespace

TEST_CASE("a pool of segments lends pieces that are aligned, apart and inside its segments") {
  fake_source::books b;
  segment_pool pool(std::make_unique<fake_source>(b), 1024 * mebibyte);
  std::mt19937 random(7);
  std::map<std::uintptr_t, std::size_t> held;
  std::size_t live = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (held.size() < 40 && random() % 2) {
      const std::size_t bytes = random() % (random() % 4 ? 5'000 : 5 * mebibyte);
      const auto at = reinterpret_cast<std::uintptr_t>(pool.allocate(bytes));
      const auto next = held.lower_bound(at);
      REQUIRE(at % 256 == 0);
      REQUIRE((next == held.end() || at + std::max<std::size_t>(bytes, 1) <= next->first));
      if (next != held.begin()) REQUIRE(std::prev(next)->first + std::prev(next)->second <= at);
      const auto segment = std::prev(b.lent.upper_bound(at));
      REQUIRE(at + bytes <= segment->first + segment->second);
      held.emplace(at, bytes);
    } else if (!held.empty()) {
      const auto one = std::next(held.begin(), static_cast<std::ptrdiff_t>(random() % held.size()));
      pool.deallocate(reinterpret_cast<void*>(one->first), one->second);
      held.erase(one);
    }
    live = 0;
    for (const auto& [at, bytes] : held)
      live += std::max<std::size_t>((bytes + 255) / 256, 1) * 256;
    REQUIRE(pool.live() == live);
  }
  for (const auto& [at, bytes] : held) pool.deallocate(reinterpret_cast<void*>(at), bytes);
  CHECK(pool.live() == 0);
  CHECK(pool.statistics().cached == b.bytes);
  pool.trim();
  CHECK(b.bytes == 0);
  CHECK(pool.statistics().cached == 0);
}

TEST_CASE("freed memory is lent again without asking the source") {
  fake_source::books b;
  segment_pool pool(std::make_unique<fake_source>(b), 1024 * mebibyte);
  for (int i = 0; i < 100; ++i) {
    void* const x = pool.allocate(3 * mebibyte);
    void* const y = pool.allocate(1000);
    pool.deallocate(x, 3 * mebibyte);
    pool.deallocate(y, 1000);
  }
  CHECK(b.calls <= 2);
}

TEST_CASE("when the source has no more, free segments go back to it before anything fails") {
  fake_source::books b;
  b.most = 10 * mebibyte;
  segment_pool pool(std::make_unique<fake_source>(b), 1024 * mebibyte);
  void* const small = pool.allocate(100);
  void* const x = pool.allocate(4 * mebibyte);
  void* const y = pool.allocate(4 * mebibyte);
  CHECK_THROWS_AS(pool.allocate(8 * mebibyte), std::bad_alloc);
  pool.deallocate(x, 4 * mebibyte);
  pool.deallocate(y, 4 * mebibyte);
  void* const large = pool.allocate(8 * mebibyte);
  pool.deallocate(large, 8 * mebibyte);
  pool.deallocate(small, 100);
  CHECK(pool.statistics().peak == 8 * mebibyte + 256);
}

TEST_CASE("a pool takes no more of its source than its limit") {
  fake_source::books b;
  segment_pool pool(std::make_unique<fake_source>(b), 4 * mebibyte);
  CHECK_THROWS_AS(pool.allocate(5 * mebibyte), std::bad_alloc);
  CHECK_THROWS_AS(pool.allocate(~std::size_t{0}), std::bad_alloc);
  CHECK(b.calls == 0);
  void* const x = pool.allocate(2 * mebibyte);
  void* const y = pool.allocate(2 * mebibyte);
  CHECK_THROWS_AS(pool.allocate(1), std::bad_alloc);
  pool.deallocate(x, 2 * mebibyte);
  pool.deallocate(y, 2 * mebibyte);
}

TEST_CASE("memory can be freed and had while another thread asks the source") {
  fake_source::books b;
  segment_pool pool(std::make_unique<fake_source>(b), 1024 * mebibyte);
  void* const held = pool.allocate(1000);
  void* const spare = pool.allocate(4 * mebibyte);
  pool.deallocate(spare, 4 * mebibyte);
  std::future<void> other;
  std::atomic<bool> asked = false;
  bool done = false;
  b.meanwhile = [&] {
    if (asked.exchange(true)) return;
    other = std::async(std::launch::async, [&] {
      pool.deallocate(held, 1000);
      pool.deallocate(pool.allocate(1000), 1000);
    });
    done = other.wait_for(std::chrono::seconds(10)) == std::future_status::ready;
  };
  SECTION("for more") { pool.deallocate(pool.allocate(8 * mebibyte), 8 * mebibyte); }
  SECTION("to take some back") { pool.trim(); }
  CHECK(done);
  other.get();
  CHECK(pool.live() == 0);
}

TEST_CASE("who is refused because another thread asks waits for the answer") {
  fake_source::books b;
  b.most = 2 * mebibyte;  // the source has less than the pool's limit
  segment_pool pool(std::make_unique<fake_source>(b), 8 * mebibyte);
  std::future<void*> small;
  std::atomic<bool> asked = false;
  b.meanwhile = [&] {
    if (asked.exchange(true)) return;
    small = std::async(std::launch::async, [&] { return pool.allocate(mebibyte); });
  };
  CHECK_THROWS_AS(pool.allocate(8 * mebibyte), std::bad_alloc);
  void* const got = small.get();
  CHECK(got);
  pool.deallocate(got, mebibyte);
}

TEST_CASE("threads that use up a source together get pieces apart, and all of it back") {
  fake_source::books b;
  b.most = 24 * mebibyte;
  segment_pool pool(std::make_unique<fake_source>(b), 32 * mebibyte);
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> held;
  std::atomic<int> overlaps = 0, refused = 0;
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 3000; ++i) {
      const std::size_t bytes = 1 + random() % (random() % 4 ? 100'000 : 9 * mebibyte);
      void* data = nullptr;
      try {
        data = pool.allocate(bytes);
      } catch (const std::bad_alloc&) {
        ++refused;
        continue;
      }
      const auto at = reinterpret_cast<std::uintptr_t>(data);
      {
        std::lock_guard lock(mutex);
        const auto next = held.lower_bound(at);
        if (next != held.end() && at + bytes > next->first) ++overlaps;
        if (next != held.begin() && std::prev(next)->first + std::prev(next)->second > at)
          ++overlaps;
        held.emplace(at, bytes);
      }
      if (random() % 8 == 0) std::this_thread::yield();
      {
        std::lock_guard lock(mutex);
        held.erase(at);
      }
      pool.deallocate(data, bytes);
      if (random() % 64 == 0) pool.trim();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  }
  CHECK(overlaps == 0);
  CHECK(pool.live() == 0);
  pool.trim();
  CHECK(b.bytes == 0);
  CHECK_NOTHROW(pool.deallocate(pool.allocate(23 * mebibyte), 23 * mebibyte));
}
