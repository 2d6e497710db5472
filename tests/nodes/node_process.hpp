// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "troupe/tests/temporary_folder.hpp"

namespace troupe::testing {

inline std::string key_in(const temporary_folder& folder, const std::string& name,
                          const std::string& bytes) {
  auto path = put_bytes(folder / name, bytes);
  ::chmod(path.c_str(), 0600);
  return path;
}

/// A node in a process of its own, which ends with this object.
class node_process {
 public:
  explicit node_process(const std::string& key, const std::string& listen = "127.0.0.1:0") {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      const int nowhere = ::open("/dev/null", O_WRONLY);
      ::dup2(nowhere, STDERR_FILENO);
      ::execl(TROUPE_NODE, TROUPE_NODE, "--listen", listen.c_str(), "--key", key.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    std::string line;
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(ends[0]);
    const std::string before = "listening at ";
    if (!line.starts_with(before)) throw std::runtime_error("the node says: " + line);
    address_ = line.substr(before.size());
  }
  node_process(const node_process&) = delete;
  node_process& operator=(const node_process&) = delete;
  ~node_process() {
    send(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  const std::string& address() const noexcept { return address_; }
  void send(int signal) const noexcept { ::kill(pid_, signal); }

 private:
  pid_t pid_;
  std::string address_;
};

}  // namespace troupe::testing
