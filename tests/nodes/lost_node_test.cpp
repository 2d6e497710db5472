// SPDX-License-Identifier: MIT
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "troupe/tests/error_of.hpp"
#include "troupe/tests/nodes/tested_nodes.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using namespace std::chrono_literals;
using troupe::testing::disturbance;
using troupe::testing::error_of;
using troupe::testing::tested_node;
using troupe::testing::tested_nodes;

namespace {

/// Kills a node if this object lives for too long, so that what waits for it ends.
class patience {
 public:
  patience(const tested_node& with, std::chrono::seconds limit)
      : thread_([this, &with, limit] {
          std::unique_lock lock(mutex_);
          if (changed_.wait_for(lock, limit, [this] { return over_; })) return;
          lost_ = true;
          with.send(SIGKILL);
        }) {}
  ~patience() { end(); }

  /// Returns true if the node was not killed.
  bool end() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    return !lost_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false, lost_ = false;
  std::thread thread_;
};

/// Trains a small network with data of this machine, and returns its parameters.
std::vector<float> train(runtime& rt, device where, int steps) {
  rt.seed(5);
  auto w = normal({30, 20}).to(where), v = normal({20, 5}).to(where);
  for (int i = 0; i < steps; ++i) {
    const auto x = normal({100, 30}).to(where), y = normal({100, 5}).to(where);
    const auto g = grad([&](const std::vector<tensor>& p) {
      const auto noise = uniform({100, 20}, 0, 0.1, {.device = where});
      return mean(square(matmul(tanh(matmul(x, p[0])) + noise, p[1]) - y));
    })({w, v});
    w -= 0.05 * g[0];
    v -= 0.05 * g[1];
  }
  return concatenate({w.reshape({600}), v.reshape({100})}, 0).to(cpu()).to_vector<float>();
}

/// Runs of each kind: more with TROUPE_LONG_TESTS.
int runs() { return std::getenv("TROUPE_LONG_TESTS") ? 200 : 3; }

}  // namespace

TEST_CASE("a node may be killed or stopped at any moment: another one takes its place") {
  using clock = std::chrono::steady_clock;
  const auto signal = GENERATE(SIGKILL, SIGSTOP);
  constexpr int steps = 150;
  std::vector<float> undisturbed;
  clock::duration whole{}, longest{};
  {
    tested_nodes n(1);
    runtime rt(n.options);
    undisturbed = train(rt, cpu(), steps);
    const auto since = clock::now();
    REQUIRE(train(rt, cpu(0, node(1)), steps) == undisturbed);
    whole = clock::now() - since;
  }
  std::mt19937 random(Catch::rngSeed() + 1);
  for (int i = 0; i < runs(); ++i) {
    tested_nodes n(2);
    runtime rt(n.options);
    const auto since = clock::now();
    const disturbance soon(
        *n.all[0], signal,
        std::chrono::microseconds(
            random() % (std::chrono::duration_cast<std::chrono::microseconds>(whole).count() + 1)));
    INFO("run " << i);
    CHECK(train(rt, cpu(0, node(1)), steps) == undisturbed);
    longest = std::max(longest, clock::now() - since);
  }
  // Detecting the loss takes a second, computing again what was lost no longer than all of it: the
  // rest is for a machine where others compute.
  if (std::getenv("TROUPE_LONG_TESTS"))
    WARN((signal == SIGKILL ? "killed: " : "stopped: ")
         << longest / 1ms << " ms at most, " << whole / 1ms << " ms without");
  CHECK(longest < 2s + 3 * whole);
}

TEST_CASE("a runtime ends although a node has stopped to read what is sent to it") {
  const bool with_bytes = GENERATE(false, true);
  tested_nodes n(1);
  patience limit(*n.all[0], 20s);
  {
    runtime_options o = n.options;
    o.tell_failures = false;
    runtime rt(o);
    const auto far = cpu(0, node(1));
    ones({10}, {.device = far}).wait();
    n.all[0]->send(SIGSTOP);
    if (with_bytes) ones({16, 1 << 20}).to(far);
  }
  CHECK(limit.end());
}

TEST_CASE("a node that is started again goes on") {
  tested_nodes n(1);
  runtime rt(n.options);
  auto x = arange(1000).to(cpu(0, node(1)));
  for (int i = 0; i < 100; ++i) x = x + 1;
  x.wait();
  const auto address = n.all[0]->address();
  n.all[0] = nullptr;
  const tested_node again(n.key, address);
  x = x + 1;
  CHECK(sum(x).item<std::int64_t>() == 499'500 + 101'000);
}

TEST_CASE("with no node left, what is lost fails, the rest goes on, and a later node takes over") {
  tested_nodes n(1);
  runtime rt(n.options);
  const auto far = cpu(0, node(1));
  const auto x = ones({10}).to(far) * 3;
  x.wait();
  const auto address = n.all[0]->address();
  n.all[0] = nullptr;
  const auto y = x + 1;
  const auto line = std::to_string(__LINE__ - 1);
  const auto text = error_of([&] { y.wait(); });
  CHECK(text.find(address + " is lost") != std::string::npos);
  CHECK(text.find("no other node answers") != std::string::npos);
  CHECK(text.find("lost_node_test.cpp:" + line) != std::string::npos);
  CHECK(sum(ones({10})).item<float>() == 10);
  CHECK(error_of([&] { ones({10}, {.device = far}).wait(); }).find("no other node answers") !=
        std::string::npos);

  const tested_node again(n.key, address);
  const auto since = std::chrono::steady_clock::now();
  while (error_of([&] { ones({10}, {.device = far}).wait(); }) != "no error")
    REQUIRE(std::chrono::steady_clock::now() - since < 20s);
  CHECK(sum(x).item<float>() == 30);
  CHECK(sum((x + 1).to(cpu())).item<float>() == 40);
  CHECK(error_of([&] { y.wait(); }) == text);
}

TEST_CASE("what is at work while node after node ends fails, and the next one goes on without it") {
  tested_nodes n(1);
  n.options.tell_failures = false;
  runtime rt(n.options);
  const auto far = cpu(0, node(1));
  const auto kept = arange(1000).to(far) + 1;
  kept.wait();
  const auto x = full({9000, 9000}, 0.5F, {.device = far});
  x.wait();
  const auto y = matmul(x, x);  // takes seconds
  const auto line = std::to_string(__LINE__ - 1);
  const auto address = n.all[0]->address();
  const auto& place = *rt.devices()[1];
  for (int i = 0; i < 4; ++i) {
    n.all[0] = nullptr;
    REQUIRE(comes_true([&] { return !place.lost_node().empty(); }));
    n.all[0] = std::make_unique<tested_node>(n.key, address);
    REQUIRE(comes_true([&] { return place.lost_node().empty(); }));
  }
  const auto text = error_of([&] { y.wait(); });
  CHECK(text.find("node 1 is lost, as the ones before it") != std::string::npos);
  CHECK(text.find("lost_node_test.cpp:" + line) != std::string::npos);
  CHECK(sum(kept).item<std::int64_t>() == 500'500);
  CHECK(sum(ones({2}, {.device = far})).item<float>() == 2);
  CHECK(error_of([&] { y.wait(); }) == text);
}

TEST_CASE("long chains of values on a node do not pile up here") {
  tested_nodes n(2);
  runtime rt(n.options);
  auto x = ones({100}).to(cpu(0, node(1)));
  for (int i = 0; i < 20'000; ++i) x = x + 1;
  x.wait();
  const auto since = std::chrono::steady_clock::now();
  n.all[0] = nullptr;
  CHECK(sum(x).item<float>() == 100 * 20'001.F);
  CHECK(std::chrono::steady_clock::now() - since < 3s);
}

TEST_CASE(
    "copies of a node's values take a quarter of the memory here, and the rest comes back, too") {
  tested_nodes n(2);
  n.options.memory_limit = std::size_t{32} << 20;
  runtime rt(n.options);
  const auto far = cpu(0, node(1));
  std::vector<tensor> all;
  for (int i = 0; i < 3; ++i) {  // of 8 MiB each
    auto x = full({2 << 20}, i, {.dtype = float32, .device = far});
    for (int k = 0; k < 250; ++k) x = x + 1;
    all.push_back(x);
  }
  for (const auto& x : all) x.wait();
  n.all[0] = nullptr;
  for (int i = 0; i < 3; ++i)
    CHECK(max(all[static_cast<std::size_t>(i)]).item<float>() == static_cast<float>(250 + i));
  CHECK(rt.memory(cpu()).peak <= std::size_t{9} << 20);
}

TEST_CASE("a value with a long way back that was too large to be copied is lost, and says so") {
  tested_nodes n(2);
  n.options.memory_limit = std::size_t{1} << 20;
  n.options.tell_failures = false;
  runtime rt(n.options);
  const auto far = cpu(0, node(1));
  auto x = zeros({1 << 17}, {.dtype = float32, .device = far});  // 512 KiB
  for (int i = 0; i < 20'500; ++i) x = x + 1;
  const auto fresh = x + 1;
  fresh.wait();
  x = {};
  n.all[0] = nullptr;
  const auto text = error_of([&] { max(fresh).wait(); });
  CHECK(text.find("it takes too many operations to have this value again") != std::string::npos);
  CHECK(max(ones({4}, {.device = far})).item<float>() == 1);
}

TEST_CASE("what a node with less memory cannot have again fails with the reason, and only that") {
  tested_nodes n(1);
  {
    const troupe::testing::set_variable small("TROUPE_MEMORY_LIMIT", "8388608");
    n.all.push_back(std::make_unique<tested_node>(n.key));
    n.options.nodes->push_back(n.all.back()->address());
  }
  n.options.tell_failures = false;
  runtime rt(n.options);
  const auto far = cpu(0, node(1));
  const bool computed = GENERATE(true, false);
  const auto large = computed ? full({4 << 20}, 3, {.dtype = float32, .device = far})
                              : full({4 << 20}, 3, {.dtype = float32}).to(far);
  const auto small = arange(1000).to(far) + 1;
  large.wait();
  small.wait();
  n.all[0] = nullptr;

  const auto at_home = large.to(cpu());
  const auto line = std::to_string(__LINE__ - 1);
  const auto text = error_of([&] { at_home.wait(); });
  CHECK(text.find("out of memory: 16.0 MiB do not fit under the memory limit") !=
        std::string::npos);
  CHECK(text.find("lost_node_test.cpp:" + line) != std::string::npos);
  CHECK(error_of([&] { large.to(cpu(0, node(2))).wait(); }).find("out of memory") !=
        std::string::npos);
  CHECK(error_of([&] { sum(large).wait(); }).find("out of memory") != std::string::npos);
  CHECK(sum(small).item<std::int64_t>() == 500'500);
}

TEST_CASE("copies to a node with a strict memory limit keep to it, too") {
  tested_nodes n(0);
  {
    const troupe::testing::set_variable small("TROUPE_MEMORY_LIMIT", "8388608");
    const troupe::testing::set_variable strict("TROUPE_STRICT_MEMORY", "1");
    n.all.push_back(std::make_unique<tested_node>(n.key));
    n.options.nodes->push_back(n.all.back()->address());
  }
  n.options.tell_failures = false;
  runtime rt(n.options);
  std::vector<tensor> held;
  for (int i = 0; i < 6; ++i) held.push_back(full({1 << 18}, i).to(cpu(0, node(1))));
  int refused = 0;
  for (const auto& x : held)
    refused += error_of([&] { x.wait(); }).find("2.0 MiB do not fit") != std::string::npos;
  CHECK(refused == 2);
}

TEST_CASE("a child that is forked leaves its parent's nodes alone") {
  const bool synchronous = GENERATE(false, true);
  tested_nodes n(1);
  n.options.synchronous = synchronous;
  std::optional<runtime> rt(n.options);
  tensor x = ones({1000}).to(cpu(0, node(1)));
  x.wait();
  const pid_t child = ::fork();
  if (child == 0) {
    const auto stays_behind = [](const std::function<void()>& use) {
      return error_of(use).find("stayed behind") != std::string::npos;
    };
    const bool refused = stays_behind([&] { x + 1; }) && stays_behind([&] { x.to(cpu()); }) &&
                         stays_behind([] { ones({1000}); }) &&
                         stays_behind([&] { rt->wait_all(); });
    x = {};
    rt.reset();
    ::_exit(refused ? 0 : 1);
  }
  CHECK(sum(x + 1).item<float>() == 2000);
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(sum(x + 2).item<float>() == 3000);
}

TEST_CASE("an owner that is stopped for a while goes on with its nodes") {
  tested_nodes n(1);
  const pid_t owner = ::fork();
  if (owner == 0) {
    int result = 1;
    {
      runtime rt(n.options);
      auto x = ones({1000}).to(cpu(0, node(1)));
      for (int i = 0; i < 3; ++i) {
        x = x + 1;
        x.wait();
        if (i == 1) ::raise(SIGSTOP);
      }
      result = sum(x).item<float>() == 4000 ? 0 : 2;
    }
    ::_exit(result);
  }
  int status = 0;
  ::waitpid(owner, &status, WUNTRACED);
  REQUIRE(WIFSTOPPED(status));
  std::this_thread::sleep_for(1500ms);  // longer than nodes bear to hear nothing
  ::kill(owner, SIGCONT);
  ::waitpid(owner, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
