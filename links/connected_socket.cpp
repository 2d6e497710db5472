// SPDX-License-Identifier: MIT
#include "troupe/links/connected_socket.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace troupe {

int connected_socket(const std::string& host, std::uint16_t port, std::chrono::milliseconds limit) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0)
    return -EHOSTUNREACH;
  int problem = EHOSTUNREACH;
  for (const auto* one = found; one; one = one->ai_next) {
    const int fd = ::socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) continue;
    problem = ::connect(fd, one->ai_addr, one->ai_addrlen) == 0 ? 0 : errno;
    if (problem == EINPROGRESS) {
      pollfd waiting{fd, POLLOUT, 0};
      socklen_t size = sizeof problem;
      if (::poll(&waiting, 1, static_cast<int>(limit.count())) <= 0) problem = ETIMEDOUT;
      else ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size);
    }
    if (problem == 0) {
      const int yes = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      ::freeaddrinfo(found);
      return fd;
    }
    ::close(fd);
  }
  ::freeaddrinfo(found);
  return -problem;
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
