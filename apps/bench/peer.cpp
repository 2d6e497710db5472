// SPDX-License-Identifier: MIT
#include "troupe/apps/bench/peer.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "troupe/apps/path_beside.hpp"

namespace troupe::bench {

namespace {

// Starts a program whose input and output are `channel`; returns -1 if that is not possible.
pid_t start(const std::string& path, const std::vector<std::string>& words, int channel) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, channel, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, channel, STDOUT_FILENO);
  auto all = words;
  all.insert(all.begin(), path);
  std::vector<char*> arguments;
  for (auto& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process;
  const auto failed =
      posix_spawn(&process, path.c_str(), &actions, nullptr, arguments.data(), environ) != 0;
  posix_spawn_file_actions_destroy(&actions);
  return failed ? -1 : process;
}

}  // namespace

peer::peer(std::string_view program, const std::vector<std::string>& words) : program_(program) {
  const auto path = path_beside(program_);
  if (!std::filesystem::exists(path)) return;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  process_ = start(path, words, ends[1]);
  close(ends[1]);
  channel_ = ends[0];
  answers_ = fdopen(channel_, "r");
  description_ = read_line();
}

peer::~peer() {
  if (answers_ != nullptr) std::fclose(answers_);
  if (process_ != -1) waitpid(process_, nullptr, 0);
}

double peer::measure(std::string_view name, int count) {
  const auto question = std::string(name) + " " + std::to_string(count) + "\n";
  send(channel_, question.data(), question.size(), MSG_NOSIGNAL);
  const auto answer = read_line();
  try {
    return std::stod(answer);
  } catch (const std::logic_error&) {
    throw std::runtime_error(program_ + ": no measurement of " + std::string(name) + ": " + answer);
  }
}

std::string peer::read_line() {
  std::string line;
  for (int c; (c = std::getc(answers_)) != EOF && c != '\n';) line += static_cast<char>(c);
  return line;
}

}  // namespace troupe::bench
