// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>
#include <thread>

#include "troupe/tasks/node_pool.hpp"

using namespace troupe;

TEST_CASE("nodes in use at the same time are different memory") {
  using pool = node_pool<48>;
  std::set<void*> nodes;
  for (int i = 0; i < 1'000; ++i) {
    auto* memory = pool::allocate();
    std::memset(memory, i, 48);
    CHECK(nodes.insert(memory).second);
  }
  for (auto* memory : nodes) pool::deallocate(memory);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("a returned node is the next to be handed out") {
  using pool = node_pool<56>;
  auto* first = pool::allocate();
  pool::deallocate(first);
  CHECK(pool::allocate() == first);
  pool::deallocate(first);
}

TEST_CASE("nodes freed by one thread are reused by another, even after the first has ended") {
  using pool = node_pool<72>;
  std::set<void*> made;
  for (int i = 0; i < 640; ++i) made.insert(pool::allocate());
  std::thread([&] {
    for (auto* memory : made) pool::deallocate(memory);
  }).join();
  std::size_t reused = 0;
  std::vector<void*> again;
  std::thread([&] {
    for (int i = 0; i < 640; ++i) {
      again.push_back(pool::allocate());
      reused += made.count(again.back());
    }
    for (auto* memory : again) pool::deallocate(memory);
  }).join();
  CHECK(reused == 640);
}

#if !defined(__SANITIZE_THREAD__)  // which needs memory of its own
TEST_CASE("a thread that has no memory left can still free its first node") {
  using pool = node_pool<88>;
  const auto child = fork();
  if (child == 0) {
    std::atomic<bool> full = false;
    auto* const memory = pool::allocate();
    std::thread last([&] {
      full.wait(false);
      pool::deallocate(memory);
      _exit(0);
    });
    const rlimit nothing{1, 1};
    if (setrlimit(RLIMIT_AS, &nothing) != 0) _exit(1);
    for (std::size_t size = 1 << 20; size >= 8; size /= 2) {
      while (std::malloc(size)) {}
    }
    full = true;
    full.notify_one();
    last.join();
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
#endif
#endif

TEST_CASE("a hundred thousand objects are created on one thread and destroyed on another") {
  struct object : pooled<object> {
    std::uint64_t number;
    std::uint64_t check;
  };
  constexpr std::uint64_t count = 100'000;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<object*> on_the_way;
  std::uint64_t wrong = 0;
  std::thread maker([&] {
    for (std::uint64_t i = 0; i < count; ++i) {
      auto* one = new object;
      one->number = i;
      one->check = ~i;
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return on_the_way.size() < 500; });
      on_the_way.push_back(one);
      changed.notify_all();
    }
  });
  for (std::uint64_t i = 0; i < count; ++i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !on_the_way.empty(); });
    auto* one = on_the_way.front();
    on_the_way.pop_front();
    changed.notify_all();
    lock.unlock();
    wrong += one->number != i || one->check != ~i;
    delete one;
  }
  maker.join();
  CHECK(wrong == 0);
}
