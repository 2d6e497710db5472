// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>
#include <vector>

#include "troupe/actors/callers_lane.hpp"
#include "troupe/actors/runtime.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/wait_watch.hpp"
#include "troupe/tests/actors/test_operations.hpp"
#include "troupe/tests/effort.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;
using Catch::Contains;

TEST_CASE("any thread may wait, not only the one that submitted") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  std::atomic<int> seen = 0;
  tensor x;
  std::vector<std::jthread> threads;
  gate g;
  x = gated(rt.engine(), g);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { seen += static_cast<int>(x.item<double>()); });
  REQUIRE(g.await_inside(1));
  CHECK(seen == 0);
  g.open();
  threads.clear();
  CHECK(seen == 4);
}

TEST_CASE("twenty client threads submit, share tensors and wait at the same time") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .max_pending = 64});
  auto& e = rt.engine();
  const auto shared = filled(e, {8}, 1);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int c = 0; c < 20; ++c)
    threads.emplace_back([&, c] {
      tensor x = filled(e, {8}, c);
      for (int i = 0; i < 300; ++i) {
        x = plus(e, x, shared);
        if (i % 50 == 0) wrong += x.to_vector<double>()[3] != c + i + 1;
        if (i % 97 == 0) rt.wait_all();
      }
      wrong += x.to_vector<double>() != std::vector<double>(8, c + 300);
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("wait_for gives up when its time has passed, and succeeds later") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto x = gated(rt.engine(), g);
  CHECK_FALSE(x.wait_for(0ns));
  CHECK_FALSE(x.wait_for(-1s));
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(x.wait_for(20ms));
  CHECK(std::chrono::steady_clock::now() - start >= 20ms);
  g.open();
  CHECK(x.wait_for(30s));
  CHECK(x.wait_for(0ns));
}

TEST_CASE("wait_for accepts an endless time") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto x = gated(rt.engine(), g);
  const std::jthread opener([&] {
    g.await_inside(1);
    for (int i = 0; i < 5'000; ++i) std::this_thread::yield();
    g.open();
  });
  CHECK(x.wait_for(std::chrono::nanoseconds::max()));
}

TEST_CASE("waiting inside an operation is refused with a clear error, on any number of lanes") {
  runtime rt({.lanes = GENERATE(1, 2), .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto start = gated(e, g);
  tensor later;
  const auto waits = [&](auto wait) {
    return call(e, {start}, {}, [wait](const kernel_args&, auto, auto) { wait(); },
                {.nanoseconds = 10});
  };
  const auto item = waits([&] { (void)later.item<double>(); }),
             plain = waits([&] { later.wait(); }), timed = waits([&] { later.wait_for(1h); }),
             everything = waits([&] { rt.wait_all(); }), trace = waits([&] { (void)rt.trace(); });
  later =
      call(e, {item, plain, timed, everything, trace}, {}, [](const kernel_args&, auto, auto) {});
  g.open();
  CHECK_THAT(error_of(item),
             Contains("item: not possible inside an operation, which would wait for itself"));
  CHECK_THAT(error_of(plain), Contains("wait: not possible inside an operation"));
  CHECK_THAT(error_of(timed), Contains("wait_for: not possible inside an operation"));
  CHECK_THAT(error_of(everything), Contains("wait_all: not possible inside an operation"));
  CHECK_THAT(error_of(trace), Contains("trace: not possible inside an operation"));
}

TEST_CASE("what an operation captured may not wait as it is destroyed") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  gate g;
  const auto later = gated(rt.engine(), g);
  std::string said;
  std::atomic<bool> ended = false;
  {
    struct last_words {
      explicit last_words(std::function<void()> f) : say(std::move(f)) {}
      last_words(last_words&&) = default;
      ~last_words() {
        if (say) say();
      }
      std::function<void()> say;
    };
    last_words own([&] {
      try {
        later.wait();
      } catch (const error& e) { said = e.what(); }
      ended = true;
      ended.notify_one();
    });
    effect("ends", {}, [held = std::make_shared<last_words>(std::move(own))](const inputs&) {});
  }
  ended.wait(false);
  g.open();
  rt.wait_all();
  CHECK_THAT(said, Contains("wait: not possible inside an operation"));
}

TEST_CASE("signals to the process are not delivered to the library's threads") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  sigset_t blocked;
  sigemptyset(&blocked);
  effect("looks", {}, [&](const inputs&) { pthread_sigmask(SIG_BLOCK, nullptr, &blocked); }).wait();
  for (const int one : {SIGTERM, SIGINT, SIGUSR1, SIGALRM}) CHECK(sigismember(&blocked, one) == 1);
  for (const int one : {SIGSEGV, SIGFPE, SIGPROF}) CHECK(sigismember(&blocked, one) == 0);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  CHECK(sigismember(&blocked, SIGTERM) == 0);
}

TEST_CASE("a ready value may be read inside an operation") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  const auto x = filled(rt.engine(), {}, 7).wait();
  const auto y = call(rt.engine(), {}, {}, [&](const kernel_args& a, auto, auto) {
    *begin(a.outputs[0]) = x.item<double>() + 1;
  });
  CHECK(y.item<double>() == 8);
}

TEST_CASE("an operation may submit tasks, and wait_all waits for those, too") {
  runtime rt({.lanes = GENERATE(1, 2), .cpu_devices = 1, .max_pending = 16});
  auto& e = rt.engine();
  std::atomic<int> ran = 0;
  call(e, {}, {}, [&](const kernel_args&, auto, auto) {
    tensor x = filled(e, {}, 0);
    for (int i = 0; i < 500; ++i)
      x = call(e, {x}, {}, [&](const kernel_args&, auto, auto) { ++ran; });
  }).wait();
  rt.wait_all();
  CHECK(ran == 500);
}

TEST_CASE("a client thread that has submitted too many tasks waits until half of them have ended") {
  constexpr int most = 16;
  runtime rt({.lanes = 1, .cpu_devices = 1, .max_pending = most});
  std::atomic<int> submitted = 0;
  std::array<tensor, most + 1> all;
  std::jthread client;
  std::array<gate, most + 1> gates;
  client = std::jthread([&] {
    for (std::size_t i = 0; i < all.size(); ++i, ++submitted) all[i] = gated(rt.engine(), gates[i]);
  });
  while (submitted < most) std::this_thread::yield();
  for (std::size_t i = 0; i < most / 2 - 1; ++i) {
    gates[i].open();
    all[i].wait();
  }
  for (int i = 0; i < 1'000; ++i) std::this_thread::yield();
  CHECK(submitted == most);
  gates[most / 2 - 1].open();
  const auto patience = std::chrono::steady_clock::now() + 30s;
  while (submitted == most && std::chrono::steady_clock::now() < patience)
    std::this_thread::yield();
  CHECK(submitted == most + 1);
}

TEST_CASE("a request for a value is answered while its lane does other work") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto quick = filled(e, {100}, 1);
  const auto slow = gated(e, g);
  CHECK(quick.wait_for(30s));
  CHECK_FALSE(slow.ready());
}

TEST_CASE("a tensor that names no array cannot be waited for or read") {
  const tensor none;
  const auto says = [](const std::string& what) {
    return Contains(what + ": the tensor names no array yet (waiting_test.cpp:");
  };
  CHECK_THROWS_WITH(none.wait(), says("wait"));
  CHECK_THROWS_WITH(none.wait_for(1s), says("wait_for"));
  CHECK_THROWS_WITH(none.item<float>(), says("item"));
  CHECK_THROWS_WITH(none.dtype(), says("dtype"));
  CHECK_THROWS_WITH(none.ready(), says("ready"));
  CHECK_THROWS_WITH(wait({none}), says("wait"));
  CHECK_THROWS_WITH(wait(none, std::stop_source().get_token()), says("wait"));
}

TEST_CASE("one call waits for several tensors, and throws the first failure once all have ended") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto a = filled(e, {}, 1), held = gated(e, g), b = failing(e, "first", {a}),
             c = failing(e, "second", {held});
  const std::jthread opener([&] {
    g.await_inside(1);
    g.open();
  });
  CHECK_THROWS_WITH(wait({a, c, b}), Contains("second"));
  CHECK(held.ready());
  CHECK(b.failed());
  CHECK_NOTHROW(wait({a, held}));
  CHECK_NOTHROW(wait({}));
  CHECK_THROWS_WITH(wait({a, tensor()}), Contains("the tensor names no array yet"));
}

TEST_CASE("another thread ends a wait by a request to stop; the task goes on") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto x = gated(rt.engine(), g);
  REQUIRE(g.await_inside(1));
  std::stop_source button;
  std::atomic<bool> stopped = false;
  std::jthread client([&] { stopped = !wait(x, button.get_token()); });
  button.request_stop();
  client.join();
  CHECK(stopped);
  CHECK_FALSE(wait(x, button.get_token()));
  g.open();
  CHECK(wait(x, std::stop_source().get_token()));
  CHECK(wait(x, button.get_token()));
}

TEST_CASE("a client's thread does not stay with others' work once it has what it waits for") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  constexpr int rounds = 6;
  constexpr int n = sanitized ? 1000 : 3000;  // some 50 ms of work, or more
  const auto x = ones({n, n}).wait();
  int left_early = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto product = matmul(x, x);
    CHECK_THAT(error_of(product.within(5ms)), Contains("not computed after 5 ms"));
    left_early += !product.wait_for(0ms);
    CHECK(product[0][0].item<float>() == n);
  }
  CHECK(left_early > rounds / 2);
}

TEST_CASE("what looks up while a thread waits for a value may end the wait, but for the last one") {
  struct enough {};
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto x = gated(rt.engine(), g);
  REQUIRE(g.await_inside(1));
  std::atomic<int> looked = 0;
  {
    const wait_watch interruptible([&] {
      if (++looked > 1) throw enough();
    });
    CHECK_THROWS_AS(x.wait(), enough);
    CHECK_THROWS_AS(x.item<double>(), enough);
    CHECK_THROWS_AS(nonzero(x.reshape({1})), enough);
    CHECK_THROWS_AS(rt.wait_all(), enough);
    CHECK_THROWS_AS(rt.trace(), enough);
    const wait_watch none(nullptr);
    std::jthread later([&] {
      std::this_thread::sleep_for(150ms);
      g.open();
    });
    CHECK(x.item<double>() == 1);
  }
  CHECK(looked == 6);
}

TEST_CASE("while one operation takes long, its runtime leaves the other cores alone") {
  constexpr auto long_time = 300ms, most = long_time / (sanitized ? 5 : 10);
  const auto cpu_time = [] {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
  };
  runtime rt({.lanes = 2, .cpu_devices = 1});
  std::chrono::nanoseconds used{};
  const auto slow = call("slow", {}, {float32, {1}}, [=, &used](const inputs&, outputs& out) {
    // Threads may still be starting at first.
    for (int times = 0; times == 0 || (times < 5 && used >= most); ++times) {
      const auto before = cpu_time();
      std::this_thread::sleep_for(long_time);
      used = cpu_time() - before;
    }
    out[0] = std::vector<float>{1};
  });
  slow.wait();
  CHECK(used < most);
}

TEST_CASE(
    "what takes less than passing it on runs where it is called, though all lanes are taken") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  gate g;
  const auto slow = gated(rt.engine(), g);
  REQUIRE(g.await_inside(1));
  const auto since = now();
  const auto x = tensor{1.0, 2.0};
  const auto y = exp(x) + 1;
  const auto there = y.to(cpu(1));
  CHECK(rt.pending() == 1);
  CHECK(there.to_vector<double>() == y.to_vector<double>());
  const auto behind = slow + y.sum();
  CHECK(rt.pending() >= 2);
  g.open();
  CHECK(behind.item<double>() == slow.item<double>() + y.sum().item<double>());
  const auto log = rt.trace(since);
  const auto added = std::ranges::find(log.events, std::string_view("add"), &task_event::name);
  REQUIRE(added != log.events.end());
  CHECK(log.lanes[static_cast<std::size_t>(added->lane)] == callers_lane::name);
}

TEST_CASE("what fails where it is called fails its value alone, and is told as any failure") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  const tensor x{1.0, 2.0}, bad = take(x, tensor(std::int64_t{7})), behind = bad * 2;
  CHECK(rt.pending() == 0);
  CHECK((x * 2).to_vector<double>() == std::vector<double>{2, 4});
  CHECK_THROWS_WITH(rt.wait_all(), Contains("take: ") && Contains("waiting_test.cpp"));
  CHECK_NOTHROW(rt.wait_all());
  CHECK_THROWS_WITH(behind.item<double>(), Contains("take: "));
}

TEST_CASE("a client who waits runs the short tasks that it left, without a lane") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  const auto x = normal({64, 64});
  x.wait();
  // By estimate too long to run as they are called, and too short to wake a thread for. A thread
  // that looks for work at that moment may be quicker.
  const auto by_client = [&] {
    const auto since = now();
    for (int i = 0; i < 50; ++i) sum(x * 2 + 1).wait();
    const auto log = rt.trace(since);
    return std::ranges::any_of(log.events, [&](const task_event& e) {
      return log.lanes[static_cast<std::size_t>(e.lane)] == callers_lane::name;
    });
  };
  const auto end = std::chrono::steady_clock::now() + 30s;
  bool seen = false;
  while (!seen && std::chrono::steady_clock::now() < end) seen = by_client();
  CHECK(seen);
}

TEST_CASE("a client who reads soon computes what it submits, if that is quicker") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  const auto x = normal({140, 140});
  x.wait();
  // Too long to run as it is called, or on a waiting client's thread, for its length alone.
  const auto by_client = [&] {
    const auto since = now();
    for (int i = 0; i < 100; ++i) matmul(x, x).wait();
    const auto log = rt.trace(since);
    return std::ranges::count_if(log.events, [&](const task_event& e) {
      return log.lanes[static_cast<std::size_t>(e.lane)] == callers_lane::name;
    });
  };
  const auto end = std::chrono::steady_clock::now() + 30s;
  std::ptrdiff_t most = 0;
  while (most < 10 && std::chrono::steady_clock::now() < end) most = std::max(most, by_client());
  CHECK(most >= 10);
}

TEST_CASE("clients that compute what they submit take no more cores than there are lanes") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  const auto x = normal({140, 140});  // too long for a thread that takes part in deciding
  x.wait();
  const auto since = now();
  std::vector<std::thread> clients;
  for (int i = 0; i < 4 * available_cores(); ++i)
    clients.emplace_back([x] {
      for (int k = 0; k < 300; ++k) matmul(x, x).wait();
    });
  for (auto& one : clients) one.join();
  const auto log = rt.trace(since);
  std::map<ticks, int> changes;  // of the number of threads that compute
  for (const auto& e : log.events) {
    if (log.lanes[static_cast<std::size_t>(e.lane)] != callers_lane::name) continue;
    ++changes[e.started];
    --changes[e.ended];
  }
  CHECK(changes.size() > 1);
  int computing = 0, most = 0;
  for (const auto& [when, change] : changes) most = std::max(most, computing += change);
  CHECK(most <= 2);
}

TEST_CASE("what runs where it is called takes no memory beyond a strict limit") {
  constexpr std::size_t limit = 1 << 20;
  runtime rt({.lanes = 1, .cpu_devices = 1, .memory_limit = limit, .strict_memory = true});
  std::vector<tensor> kept;
  for (int i = 0; i < 400; ++i) kept.push_back(full({1024}, 1.0F));
  CHECK(kept[100].to_vector<float>().back() == 1);
  CHECK_THROWS_WITH(kept.back().wait(), Contains("memory"));
  CHECK_THROWS_WITH(rt.wait_all(), Contains("full: out of memory"));
  CHECK(rt.memory().peak <= limit);
}
