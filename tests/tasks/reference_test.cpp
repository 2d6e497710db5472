// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "troupe/tasks/reference.hpp"

using namespace troupe;

namespace {

struct object : counted<object> {
  explicit object(int& count) : destroyed(&count) {}
  ~object() { ++*destroyed; }
  int* destroyed;
  int payload = 0;
};

}  // namespace

TEST_CASE("an object is destroyed with its last reference, once") {
  int destroyed = 0;
  reference<object> a(new object(destroyed));
  CHECK(a->unique());
  auto b = a;
  CHECK_FALSE(a->unique());
  a = nullptr;
  CHECK(destroyed == 0);
  CHECK(b->unique());
  b = std::move(a);
  CHECK(destroyed == 1);
}

TEST_CASE("assigning a reference to itself keeps the object") {
  int destroyed = 0;
  reference<object> a(new object(destroyed));
  const auto& same = a;
  a = same;
  CHECK(destroyed == 0);
  CHECK(a->unique());
}

TEST_CASE(
    "writes before a release are visible to the thread that destroys, and to the only remaining "
    "holder") {
  for (int round = 0; round < 2'000; ++round) {
    int destroyed = 0;
    reference<object> mine(new object(destroyed));
    std::thread other([theirs = mine]() mutable {
      theirs->payload = 42;
      theirs = nullptr;
    });
    while (!mine->unique()) std::this_thread::yield();
    if (mine->payload != 42) FAIL("not seen");
    mine = nullptr;
    other.join();
    if (destroyed != 1) FAIL("destroyed " << destroyed << " times");
  }
}

TEST_CASE(
    "a thread that sees the last action of a release is the only holder, and the object outlives "
    "the action") {
  for (int round = 0; round < 2'000; ++round) {
    int destroyed = 0;
    std::atomic<bool> published = false, taken = false;
    reference<object> mine(new object(destroyed));
    std::thread other([&, theirs = mine]() mutable {
      theirs.let_go([&](object& o) {
        o.payload = 42;
        published = true;
        while (round % 2 && !taken) std::this_thread::yield();
        if (o.destroyed != &destroyed) std::abort();
      });
    });
    while (!published) std::this_thread::yield();
    const bool alone = mine->unique();
    mine = nullptr;
    taken = true;
    other.join();
    REQUIRE(alone);
    REQUIRE(destroyed == 1);
  }
}

TEST_CASE("many threads copy and drop references to one object") {
  int destroyed = 0;
  {
    reference<object> shared(new object(destroyed));
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([shared] {
        for (int n = 0; n < 20'000; ++n) {
          auto one = shared;
          auto two = one;
          one = nullptr;
        }
      });
    shared = nullptr;
    for (auto& t : threads) t.join();
  }
  CHECK(destroyed == 1);
}
