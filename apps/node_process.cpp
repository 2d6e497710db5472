// SPDX-License-Identifier: MIT
#include "troupe/apps/node_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <vector>

namespace troupe {

node_process::node_process(const std::string& program, const std::string& key,
                           const std::string& listen, int lanes) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to a node");
  const char* const words[] = {program.c_str(), "--listen",  listen.c_str(),
                               "--key",         key.c_str(), nullptr};
  const auto lanes_text = "TROUPE_LANES=" + std::to_string(lanes);
  std::vector<const char*> variables;
  for (char** one = environ; *one; ++one) variables.push_back(*one);
  if (lanes > 0) variables.insert(variables.begin(), lanes_text.c_str());
  variables.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
    ::execve(program.c_str(), const_cast<char**>(words), const_cast<char**>(variables.data()));
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string line;
  for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
  ::close(ends[0]);
  const std::string before = "listening at ";
  if (!line.starts_with(before)) {
    send(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    throw std::runtime_error("no node can be started with " + program);
  }
  address_ = line.substr(before.size());
}

node_process::~node_process() {
  send(SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void node_process::send(int signal) const noexcept {
  if (pid_ > 0) ::kill(pid_, signal);
}

}  // namespace troupe
