// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <thread>
#include <vector>

#include "troupe/actors/memory_credit.hpp"
#include "troupe/devices/cpu/memory_pool.hpp"
#include "troupe/tests/devices/cpu/counting_listener.hpp"

using namespace troupe;
using testing::counting_listener;

TEST_CASE("credit is granted up to the limit, in addition to live memory") {
  const auto pool = std::make_shared<memory_pool>(0);
  memory_credit credit(pool, 1024);
  CHECK(credit.take(512));
  CHECK_FALSE(credit.take(513));
  const buffer held(pool, 256);
  CHECK_FALSE(credit.take(257));
  CHECK(credit.take(256));
  credit.give_back(512);
  CHECK(credit.take(512));
}

TEST_CASE("forced credit counts, too") {
  const auto pool = std::make_shared<memory_pool>(0);
  memory_credit credit(pool, 1024);
  credit.force(4096);
  CHECK_FALSE(credit.take(1));
  credit.give_back(4096);
  CHECK(credit.take(1024));
}

TEST_CASE("after a refusal, the next freed buffer is reported") {
  const auto pool = std::make_shared<memory_pool>(0);
  const auto listener = std::make_shared<counting_listener>();
  pool->set_listener(listener);
  memory_credit credit(pool, 1024);
  {
    const buffer held(pool, 1024);
    CHECK_FALSE(credit.take(64));
  }
  CHECK(listener->told == 1);
  CHECK(credit.take(64));
}

TEST_CASE("threads that take credit never hold more than the limit together") {
  const auto pool = std::make_shared<memory_pool>(0);
  memory_credit credit(pool, 10'000);
  std::atomic<std::int64_t> held = 0, most = 0;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < 20'000; ++n) {
        const auto bytes = 1'000 * (i + 1);
        if (!credit.take(bytes)) continue;
        const auto all =
            held.fetch_add(static_cast<std::int64_t>(bytes)) + static_cast<std::int64_t>(bytes);
        for (auto seen = most.load(); seen < all && !most.compare_exchange_weak(seen, all);) {}
        held -= static_cast<std::int64_t>(bytes);
        credit.give_back(bytes);
      }
    });
  for (auto& t : threads) t.join();
  CHECK(most > 0);
  CHECK(most <= 10'000);
  CHECK(credit.take(10'000));
}
