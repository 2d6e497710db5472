// SPDX-License-Identifier: MIT
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "troupe/apps/bench/bench_case.hpp"
#include "troupe/apps/bench/timing.hpp"
#include "troupe/apps/local_nodes.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

namespace {

constexpr std::int64_t tensor_bytes = std::int64_t{64} << 20;

/// A node in a process of its own, and a runtime that uses it.
struct with_node {
  local_nodes nodes{1};
  runtime rt{nodes.owner()};
  device far = cpu(0, node(1));
};

measurement copy_there(runtime&, int) {
  const auto all = std::make_shared<with_node>();
  const auto x = ones({tensor_bytes / 4}, {.device = cpu()});
  x.wait();
  return [all, x] { return seconds_of([&] { x.to(all->far).wait(); }); };
}

measurement copy_back(runtime&, int) {
  const auto all = std::make_shared<with_node>();
  const auto x = ones({tensor_bytes / 4}, {.device = all->far});
  x.wait();
  return [all, x] { return seconds_of([&] { x.to(cpu()).wait(); }); };
}

/// Two nodes in processes of their own, and a runtime that uses them.
struct with_two_nodes {
  local_nodes nodes{2};
  runtime rt{nodes.owner()};
};

measurement copy_between(runtime&, int) {
  const auto all = std::make_shared<with_two_nodes>();
  const auto x = ones({tensor_bytes / 4}, {.device = cpu(0, node(1))});
  x.wait();
  x.to(cpu(0, node(2))).wait();  // they meet
  return [all, x] { return seconds_of([&] { x.to(cpu(0, node(2))).wait(); }); };
}

/// Two sockets that are connected through loopback.
struct tcp_pair {
  tcp_pair() {
    const int door = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    auto* const address = reinterpret_cast<sockaddr*>(&at);
    if (::bind(door, address, size) != 0 || ::listen(door, 1) != 0 ||
        ::getsockname(door, address, &size) != 0)
      throw std::runtime_error("no socket");
    one = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(one, address, size) != 0) throw std::runtime_error("no connection");
    other = ::accept(door, nullptr, nullptr);
    ::close(door);
  }
  ~tcp_pair() {
    ::close(one);
    ::close(other);
  }
  int one = -1, other = -1;
};

/// The same bytes through a connection of the system's own, read to where they belong.
measurement plain_tcp(runtime&, int) {
  const auto wires = std::make_shared<tcp_pair>();
  const auto from = std::make_shared<std::vector<char>>(tensor_bytes, 'x'),
             to = std::make_shared<std::vector<char>>(tensor_bytes, 'y');
  return [=] {
    return seconds_of([&] {
      std::jthread writer([&] {
        for (std::span<const char> left(*from); !left.empty();) {
          const auto n = ::write(wires->one, left.data(), left.size());
          if (n <= 0) return;
          left = left.subspan(static_cast<std::size_t>(n));
        }
      });
      for (std::span<char> left(*to); !left.empty();) {
        const auto n = ::read(wires->other, left.data(), left.size());
        if (n <= 0) throw std::runtime_error("the connection is lost");
        left = left.subspan(static_cast<std::size_t>(n));
      }
    });
  };
}

measurement small_operations_there(runtime&, int count) {
  const auto all = std::make_shared<with_node>();
  const auto x = ones({1, 2}, {.device = all->far});
  x.wait();
  return [all, x, count] {
    return seconds_of([&] {
      auto y = x;
      for (int i = 0; i < count; ++i) y = y + 1;
      y.wait();
    });
  };
}

measurement round_trip(runtime&, int) {
  const auto all = std::make_shared<with_node>();
  const auto x = ones({1, 2}, {.device = all->far});
  x.wait();
  return [all, x] { return seconds_of([&] { (x + 1).wait(); }); };
}

constexpr bench_case machine_cases[] = {
    {.name = "node_copy_there",
     .title = "64 MiB to a node on this machine",
     .in_a_row = 5,
     .ours = copy_there,
     .aim = {target::times_as_fast, 0.8},
     .beside = plain_tcp,
     .beside_name = "plain TCP",
     .synchronous = false},
    {.name = "node_copy_back",
     .title = "64 MiB from a node on this machine",
     .in_a_row = 5,
     .ours = copy_back,
     .aim = {target::times_as_fast, 0.8},
     .beside = plain_tcp,
     .beside_name = "plain TCP",
     .synchronous = false},
    {.name = "node_copy_between",
     .title = "64 MiB from a node on this machine to another",
     .in_a_row = 5,
     .ours = copy_between,
     .aim = {target::times_as_fast, 0.8},
     .beside = plain_tcp,
     .beside_name = "plain TCP",
     .synchronous = false},
    {.name = "node_small",
     .title = "100000 x + 1 on a node, shape (1,2)",
     .count = 100'000,
     .in_a_row = 3,
     .shown = figure::rate,
     .ours = small_operations_there,
     .aim = {target::below, 0.2},
     .synchronous = false},
    {.name = "node_round_trip",
     .title = "x + 1 on a node and waiting for it",
     .in_a_row = 500,
     .ours = round_trip,
     .aim = {target::below, 150e-6},
     .synchronous = false},
};

}  // namespace

const std::span<const bench_case> machines = machine_cases;

}  // namespace troupe::bench
