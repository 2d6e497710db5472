// SPDX-License-Identifier: MIT
#include "troupe/links/connected_socket.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace troupe {

namespace {

/// The addresses that a host and a port stand for.
class addresses {
 public:
  addresses(const std::string& host, std::uint16_t port, int flags) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = flags;
    const int failed = ::getaddrinfo(host.empty() ? nullptr : host.c_str(),
                                     std::to_string(port).c_str(), &wanted, &found_);
    if (failed != 0) why_none_ = ::gai_strerror(failed);
  }
  addresses(const addresses&) = delete;
  addresses& operator=(const addresses&) = delete;
  ~addresses() {
    if (found_) ::freeaddrinfo(found_);
  }

  const addrinfo* first() const noexcept { return found_; }
  const std::string& why_none() const noexcept { return why_none_; }

 private:
  addrinfo* found_ = nullptr;
  std::string why_none_;
};

std::string text_of(int problem) { return std::generic_category().message(problem); }

/// Waits until a socket is connected, or not; signals do not end that. Returns what went wrong.
int await_connected(int fd, std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd waiting{fd, POLLOUT, 0};
    const int ready =
        ::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return errno;
    if (ready == 0) return ETIMEDOUT;
    int problem = 0;
    socklen_t size = sizeof problem;
    ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size);
    return problem;
  }
}

}  // namespace

int connected_socket(const network_address& to, std::chrono::milliseconds limit,
                     std::string& why_not) {
  const addresses all(to.host, to.port, 0);
  if (!all.first()) why_not = "no host \"" + to.host + "\" is found: " + all.why_none();
  for (const auto* one = all.first(); one; one = one->ai_next) {
    const int fd = ::socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
      why_not = to.text() + " cannot be reached: " + text_of(errno);
      continue;
    }
    int problem = ::connect(fd, one->ai_addr, one->ai_addrlen) == 0 ? 0 : errno;
    if (problem == EINPROGRESS || problem == EINTR) problem = await_connected(fd, limit);
    if (problem == 0) {
      const int yes = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      return fd;
    }
    ::close(fd);
    why_not = (problem == ECONNREFUSED ? "nothing listens at " + to.text()
                                       : to.text() + " cannot be reached") +
              ": " + text_of(problem);
  }
  return -1;
}

std::string why_no_listener(const std::string& host, std::uint16_t port) {
  const addresses all(host, port, AI_PASSIVE);
  auto why = all.why_none();
  for (const auto* one = all.first(); one; one = one->ai_next) {
    const int fd = ::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    if (fd >= 0) ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (fd < 0 || ::bind(fd, one->ai_addr, one->ai_addrlen) != 0) why = text_of(errno);
    if (fd >= 0) ::close(fd);
  }
  return why;
}

std::string other_end_of(int socket) {
  sockaddr_storage there{};
  socklen_t size = sizeof there;
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&there), &size) != 0 ||
      ::getnameinfo(reinterpret_cast<sockaddr*>(&there), size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "an address that is not known";
  return address_text(host, port);
}

bool stays_on_this_machine(int socket) noexcept {
  sockaddr_storage here{}, there{};
  socklen_t size = sizeof here, other_size = sizeof there;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&here), &size) != 0 ||
      ::getpeername(socket, reinterpret_cast<sockaddr*>(&there), &other_size) != 0 ||
      here.ss_family != there.ss_family)
    return false;
  if (here.ss_family == AF_INET)
    return reinterpret_cast<const sockaddr_in&>(here).sin_addr.s_addr ==
           reinterpret_cast<const sockaddr_in&>(there).sin_addr.s_addr;
  return here.ss_family == AF_INET6 &&
         std::memcmp(&reinterpret_cast<const sockaddr_in6&>(here).sin6_addr,
                     &reinterpret_cast<const sockaddr_in6&>(there).sin6_addr,
                     sizeof(in6_addr)) == 0;
}

}  // namespace troupe
