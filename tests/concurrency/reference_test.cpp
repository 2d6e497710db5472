// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <thread>
#include <vector>

#include "troupe/tensor/reference.hpp"

using namespace troupe;

namespace {

struct object : counted<object> {
  explicit object(int& count) : destroyed(&count) {}
  ~object() { ++*destroyed; }
  int* destroyed;
  int payload = 0;
};

}  // namespace

TEST_CASE("an object goes with its last reference, once") {
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
    "what a thread wrote before it let go is seen by the one that destroys, and by the one left "
    "alone") {
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
