// SPDX-License-Identifier: MIT
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "troupe/tests/error_of.hpp"
#include "troupe/tests/nodes/loopback.hpp"
#include "troupe/tests/nodes/tested_nodes.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using namespace std::chrono_literals;
using troupe::testing::comes_true;
using troupe::testing::disturbance;
using troupe::testing::tested_nodes;

namespace {

/// Passes connections on, each to the next of some nodes; who comes later finds nobody.
class narrow_door {
 public:
  explicit narrow_door(std::vector<std::string> behind) : behind_(std::move(behind)) {
    door_ = ::socket(AF_INET, SOCK_STREAM, 0);
    address_ = testing::listen_on_loopback(door_, 1);
    thread_ = std::thread([this] { open(); });
  }
  ~narrow_door() {
    ::shutdown(door_, SHUT_RDWR);
    thread_.join();
    for (auto& one : passes_) one.join();
    ::close(door_);
  }

  const std::string& address() const noexcept { return address_; }

 private:
  void open() {
    for (const auto& to : behind_) {
      const int one = ::accept(door_, nullptr, nullptr);
      if (one < 0) return;
      const auto at = testing::loopback_of(to);
      passes_.emplace_back([one, at] { pass_on(one, at); });
    }
    ::shutdown(door_, SHUT_RDWR);
  }
  static void pass_on(int one, const sockaddr_in& to) {
    const int other = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(other, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
      while (moved(one, other)) {}
    }
    ::close(one);
    ::close(other);
  }
  static bool moved(int one, int other) {
    pollfd both[] = {{one, POLLIN, 0}, {other, POLLIN, 0}};
    if (::poll(both, 2, -1) < 0) return false;
    std::vector<char> some(1 << 18);
    for (int i = 0; i < 2; ++i) {
      if (both[i].revents == 0) continue;
      const auto n = ::read(both[i].fd, some.data(), some.size());
      if (n <= 0) return false;
      for (ssize_t sent = 0; sent < n;) {
        const auto more = ::send(both[1 - i].fd, some.data() + sent,
                                 static_cast<std::size_t>(n - sent), MSG_NOSIGNAL);
        if (more <= 0) return false;
        sent += more;
      }
    }
    return true;
  }

  const std::vector<std::string> behind_;
  int door_ = -1;
  std::string address_;
  std::vector<std::thread> passes_;
  std::thread thread_;
};

constexpr std::size_t mebi = std::size_t{1} << 20;

/// Values that go to and fro between two devices, of which only the last ones are kept.
std::vector<float> to_and_fro(runtime& rt, device one, device other, int rounds) {
  rt.seed(3);
  auto x = normal({300, 1000}).to(one), kept = x;
  for (int i = 0; i < rounds; ++i) {
    auto y = (x * 1.001 + 0.01).to(i % 2 == 0 ? other : one);
    if (i % 5 == 0) kept = y;
    x = tanh(y) + kept.to(y.device()) * 0.5;
  }
  return concatenate({x.to(cpu()), kept.to(cpu())}, 0).to_vector<float>();
}

int runs_of_passages() { return std::getenv("TROUPE_LONG_TESTS") ? 100 : 3; }

}  // namespace

TEST_CASE("a value goes straight from node to node, past the owner's memory") {
  tested_nodes p(2);
  runtime rt(p.options);
  const auto x = arange(4 << 20).to(cpu(0, node(1))) * 3;
  x.wait();
  rt.wait_all();
  const auto before = rt.memory().peak;
  const auto y = x.to(cpu(0, node(2)));
  y.wait();
  CHECK(rt.memory().peak < before + mebi);
  CHECK(y.device() == cpu(0, node(2)));
  CHECK(sum(y - arange(4 << 20, {.device = cpu(0, node(2))}) * 3).item<std::int64_t>() == 0);
  // Views and empty ones, too.
  CHECK(sum(x.slice(0, 1000, 2000).to(cpu(0, node(2)))).item<std::int64_t>() == 3 * 1'499'500);
  CHECK(zeros({0, 3}, {.device = cpu(0, node(1))}).to(cpu(0, node(2))).shape() == shape{0, 3});
}

TEST_CASE("where nodes do not reach each other, values go through the owner") {
  tested_nodes p(2);
  const narrow_door door({p.all[1]->address()});
  (*p.options.nodes)[1] = door.address();
  runtime rt(p.options);
  for (int i = 0; i < 3; ++i) {
    const auto x = full({1 << 20}, i, {.dtype = float32, .device = cpu(0, node(1))});
    CHECK(sum(x.to(cpu(0, node(2)))).item<float>() == static_cast<float>(i << 20));
  }
}

TEST_CASE("where another node is at the address, values go through the owner") {
  tested_nodes p(3);
  const int instead = GENERATE(0, 2);  // the node itself, as its door is called on each host, too
  const auto whom = p.all[static_cast<std::size_t>(instead)]->address();
  const narrow_door door({p.all[1]->address(), whom, whom});
  runtime_options o = p.options;
  o.nodes = {p.all[0]->address(), door.address()};
  runtime rt(o);
  for (int i = 0; i < 3; ++i) {
    const auto x = full({1 << 20}, i, {.dtype = float32, .device = cpu(0, node(1))});
    const auto y = x.to(cpu(0, node(2)));
    REQUIRE(y.wait_for(20s));
    CHECK(sum(y).item<float>() == static_cast<float>(i << 20));
  }
}

TEST_CASE("what was copied between nodes is dropped on both") {
  const troupe::testing::temporary_folder folder;
  const auto key = troupe::testing::key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  runtime far({.lanes = 1}), farther({.lanes = 1});
  const node_server one(far, {.listen = "127.0.0.1:0", .key = key}),
      other(farther, {.listen = "127.0.0.1:0", .key = key});
  runtime rt({.lanes = 1,
              .nodes = std::vector<std::string>{"127.0.0.1:" + std::to_string(one.port()),
                                                "127.0.0.1:" + std::to_string(other.port())},
              .key = key});
  const auto holds = [](const runtime& of, std::size_t bytes) {
    return comes_true([&] { return of.memory().live == bytes; });
  };
  auto x = ones({1 << 20}, {.device = cpu(0, node(1))});
  auto y = x.to(cpu(0, node(2)));
  y.wait();
  x = zeros({});
  CHECK(holds(far, 0));
  CHECK(holds(farther, 4 * mebi));
  CHECK(sum(y).item<float>() == 1 << 20);
  y = zeros({});
  CHECK(holds(farther, 0));
}

TEST_CASE("nodes that are lost while values go between them change no bit") {
  const auto signal = GENERATE(SIGKILL, SIGSTOP);
  constexpr int rounds = 60;
  const auto one = cpu(0, node(1)), other = cpu(0, node(2));
  std::vector<float> undisturbed;
  auto whole = 0us;
  {
    tested_nodes p(2);
    runtime rt(p.options);
    undisturbed = to_and_fro(rt, cpu(), cpu(), rounds);
    const auto since = std::chrono::steady_clock::now();
    REQUIRE(to_and_fro(rt, one, other, rounds) == undisturbed);
    whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                  since);
  }
  std::mt19937 random(2);
  for (int i = 0; i < runs_of_passages(); ++i) {
    tested_nodes p(3);
    runtime rt(p.options);
    const auto after = std::chrono::microseconds(random() % (whole.count() + 1));
    const int which = i % 3;  // 2: both at once
    std::vector<std::unique_ptr<disturbance>> soon;
    for (int n = 0; n < 2; ++n) {
      if (which == n || which == 2)
        soon.push_back(
            std::make_unique<disturbance>(*p.all[static_cast<std::size_t>(n)], signal, after));
    }
    INFO("run " << i << ", after " << after.count() << " us");
    CHECK(to_and_fro(rt, one, other, rounds) == undisturbed);
  }
}

TEST_CASE("a value comes back from where it was copied, or from here when that was dropped") {
  tested_nodes p(3);
  runtime rt(p.options);
  const auto one = cpu(0, node(1)), other = cpu(0, node(2));
  auto x = arange(1 << 20).to(one) + 1;
  const auto y = x.to(other);
  y.wait();
  const bool dropped = GENERATE(false, true);
  if (dropped) x = zeros({});
  p.all[1] = nullptr;
  CHECK(sum(y).item<std::int64_t>() == (std::int64_t{1} << 19) * ((1 << 20) + 1));
  p.all[0] = nullptr;  // now one is left, for both
  CHECK(sum(y * 2).item<std::int64_t>() == (std::int64_t{1} << 20) * ((1 << 20) + 1));
}

TEST_CASE("machines that are lost together with copies of each other's values come back") {
  tested_nodes p(3);
  runtime rt(p.options);
  const auto one = cpu(0, node(1)), other = cpu(0, node(2));
  const auto a = arange(1000, {.device = one}), b = a.to(other), g = b + 1;
  const auto c = arange(1000, {.device = other}) * 2, d = c.to(one), e = d + 1;
  g.wait();
  e.wait();
  p.all[0]->send(SIGKILL);
  p.all[1]->send(SIGKILL);
  const auto x = sum(e), y = sum(g);
  REQUIRE(x.wait_for(20s));
  REQUIRE(y.wait_for(20s));
  CHECK(x.item<std::int64_t>() == 1'000'000);
  CHECK(y.item<std::int64_t>() == 500'500);
}

TEST_CASE("values that were copied come back although the owner has no room for all at once") {
  tested_nodes p(3);
  p.options.memory_limit = 20 * mebi;
  runtime rt(p.options);
  std::vector<tensor> from, to;
  for (int i = 0; i < 6; ++i) {
    from.push_back(full({2 << 20}, i, {.dtype = float32, .device = cpu(0, node(1))}));
    to.push_back(from.back().to(cpu(0, node(2))));
    to.back().wait();
  }
  p.all[1] = nullptr;
  for (int i = 0; i < 6; ++i)
    CHECK(sum(to[static_cast<std::size_t>(i)]).item<float>() == static_cast<float>(i << 21));
}
