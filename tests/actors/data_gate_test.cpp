// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <stdexcept>
#include <thread>
#include <vector>

#include "troupe/actors/data_gate.hpp"
#include "troupe/devices/cpu/memory_pool.hpp"

using namespace troupe;

namespace {

/// Listener that lets the threads at a gate look again.
class gate_listener final : public memory_listener {
 public:
  explicit gate_listener(data_gate& gate) : gate_(gate) {}
  void freed() noexcept override { gate_.look_again(); }

 private:
  data_gate& gate_;
};

struct device_memory {
  explicit device_memory(memory_bound limit) : credit(pool, limit) {
    pool->set_listener(std::make_shared<gate_listener>(gate));
  }
  ~device_memory() { pool->set_listener(nullptr); }

  std::shared_ptr<memory_pool> pool = std::make_shared<memory_pool>(0);
  memory_credit credit;
  submission_window tasks{1024};
  data_gate gate;
};

}  // namespace

TEST_CASE("data leave a quarter of the limit to the results of tasks") {
  device_memory m(4096);
  m.tasks.enter(true);
  m.gate.enter(m.credit, 3072, m.tasks, true);
  CHECK(m.credit.take(1024));
}

TEST_CASE("a thread with data waits until memory is freed") {
  device_memory m(4096);
  m.tasks.enter(true);
  auto held = std::make_unique<buffer>(m.pool, 2048);
  std::jthread client([&] { m.gate.enter(m.credit, 2048, m.tasks, true); });
  while (m.gate.waiting() == 0) std::this_thread::yield();
  m.gate.look_again();  // nothing has changed
  CHECK_FALSE(m.credit.take(2049));
  held = nullptr;
  client.join();  // hangs if the client was not woken
  CHECK_FALSE(m.credit.take(2049));
}

TEST_CASE("what looks up while a thread with data waits may end the wait") {
  device_memory m(4096);
  m.tasks.enter(true);
  const buffer held(m.pool, 2048);
  const wait_watch interruptible([] { throw std::runtime_error("stop"); });
  CHECK_THROWS_AS(m.gate.enter(m.credit, 2048, m.tasks, true), std::runtime_error);
  CHECK(m.gate.waiting() == 0);
  CHECK(m.credit.take(2048));
}

TEST_CASE("a thread with data waits no longer than for the tasks before them") {
  device_memory m(4096);
  m.tasks.enter(true);
  const buffer held(m.pool, 4096);
  std::jthread client([&] { m.gate.enter(m.credit, 2048, m.tasks, true); });
  while (m.gate.waiting() == 0) std::this_thread::yield();
  m.tasks.enter(true);  // later
  m.tasks.leave(1);
  m.gate.look_again();
  client.join();
  CHECK(m.tasks.pending() == 1);
}

TEST_CASE("data that no task makes room for pass at once, unless the limit is strict") {
  const bool strict = GENERATE(false, true);
  device_memory m({4096, strict});
  const buffer held(m.pool, 4096);
  const auto enter = [&](bool may_wait) { m.gate.enter(m.credit, 1024, m.tasks, may_wait); };
  if (strict) CHECK_THROWS_AS(enter(true), over_limit);
  else CHECK_NOTHROW(enter(true));
  m.tasks.enter(true);
  if (strict) CHECK_THROWS_AS(enter(false), over_limit);  // inside an operation
  else CHECK_NOTHROW(enter(false));
}

TEST_CASE("threads that bring data together keep to the limit while tasks make room") {
  device_memory m(16 * 1024);
  for (int i = 0; i < 1000; ++i) m.tasks.enter(false);
  std::vector<std::jthread> clients;
  for (int c = 0; c < 4; ++c)
    clients.emplace_back([&] {
      for (int i = 0; i < 2'000; ++i) {
        m.gate.enter(m.credit, 4096, m.tasks, true);
        const buffer data(m.pool, 4096);
        m.credit.give_back(4096);
      }
    });
  clients.clear();
  CHECK(m.pool->statistics().peak <= 12 * 1024);
  CHECK(m.pool->live() == 0);
}
