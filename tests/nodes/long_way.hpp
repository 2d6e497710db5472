// SPDX-License-Identifier: MIT
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "troupe/tests/nodes/loopback.hpp"

namespace troupe::testing {

/// A way to a node on this machine on which everything takes a time, as if the node were far away:
/// what is sent, in each direction, arrives in its order and so much later.
class long_way {
 public:
  using clock = std::chrono::steady_clock;
  using delay = std::chrono::microseconds;

  /// `next_delay` is asked for each part that arrives, about 64 KiB or less, with the number of its
  /// connection; on one thread.
  long_way(const std::string& to, std::function<delay(int connection)> next_delay)
      : to_(loopback_of(to)), next_delay_(std::move(next_delay)) {
    address_ = listen_on_loopback(door_, 8);
    thread_ = std::thread([this] { serve(); });
  }
  long_way(const long_way&) = delete;
  long_way& operator=(const long_way&) = delete;
  ~long_way() {
    over_ = true;
    thread_.join();
    ::close(door_);
  }

  const std::string& address() const noexcept { return address_; }
  /// The number of connections that there have been.
  int connections() const noexcept { return connections_; }
  /// The number of bytes that have come.
  std::size_t bytes() const noexcept { return bytes_; }
  /// Ends all connections that there are now, with what is on its way.
  void cut() { cut_ = true; }

 private:
  /// A part that is on its way.
  struct part {
    clock::time_point due;
    std::vector<char> bytes;
    std::size_t sent = 0;
  };
  /// One direction of a connection.
  struct direction {
    int from, to;
    std::deque<part> parts = {};
  };
  struct connection {
    int number, one, other;
    direction there{one, other}, back{other, one};
  };

  static void end(connection& c) {
    ::close(c.one);
    ::close(c.other);
  }

  void serve() {
    std::deque<connection> all;
    while (!over_) {
      std::vector<pollfd> readable{{door_, POLLIN, 0}};
      for (const auto& c : all) {
        readable.push_back({c.one, POLLIN, 0});
        readable.push_back({c.other, POLLIN, 0});
      }
      ::poll(readable.data(), readable.size(), 1);
      if (cut_.exchange(false)) {
        for (auto& c : all) end(c);
        all.clear();
        continue;
      }
      for (std::size_t i = 0; i < all.size(); ++i) {
        auto& c = all[i];
        const bool alive = (readable[1 + 2 * i].revents == 0 || takes(c.there, c.number)) &&
                           (readable[2 + 2 * i].revents == 0 || takes(c.back, c.number)) &&
                           gives(c.there) && gives(c.back);
        if (!alive) {
          end(c);
          c.number = -1;
        }
      }
      std::erase_if(all, [](const auto& c) { return c.number < 0; });
      if (readable[0].revents != 0) accept(all);
    }
    for (auto& c : all) end(c);
  }

  void accept(std::deque<connection>& all) {
    const int one = ::accept(door_, nullptr, nullptr);
    if (one < 0) return;
    const int other = ::socket(AF_INET, SOCK_STREAM, 0);
    const int yes = 1;
    for (const int fd : {one, other}) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    connection made{connections_++, one, other};
    if (::connect(other, reinterpret_cast<const sockaddr*>(&to_), sizeof to_) == 0)
      all.push_back(std::move(made));
    else end(made);
  }

  /// Takes a part. Returns false if the connection is over.
  bool takes(direction& d, int number) {
    std::vector<char> some(1 << 16);
    const auto n = ::recv(d.from, some.data(), some.size(), MSG_DONTWAIT);
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return false;
    some.resize(static_cast<std::size_t>(n));
    bytes_ += some.size();
    const auto due = clock::now() + next_delay_(number);
    d.parts.push_back({d.parts.empty() ? due : std::max(due, d.parts.back().due), std::move(some)});
    return true;
  }
  /// Gives what has come. Returns false if the connection is over.
  static bool gives(direction& d) {
    while (!d.parts.empty() && d.parts.front().due <= clock::now()) {
      auto& first = d.parts.front();
      const auto n = ::send(d.to, first.bytes.data() + first.sent, first.bytes.size() - first.sent,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0) return errno == EAGAIN;
      first.sent += static_cast<std::size_t>(n);
      if (first.sent < first.bytes.size()) return true;
      d.parts.pop_front();
    }
    return true;
  }

  const sockaddr_in to_;
  const std::function<delay(int)> next_delay_;
  const int door_ = ::socket(AF_INET, SOCK_STREAM, 0);
  std::string address_;
  std::atomic<int> connections_ = 0;
  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<bool> over_ = false, cut_ = false;
  std::thread thread_;
};

}  // namespace troupe::testing
