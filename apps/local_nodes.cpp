// SPDX-License-Identifier: MIT
#include "troupe/apps/local_nodes.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>
#include <stdexcept>

#include "troupe/apps/path_beside.hpp"

namespace troupe {

namespace {

/// Makes a file with a random key that no folder has: what ends with this process leaves none.
int new_key() {
  const int file = ::memfd_create("key", MFD_CLOEXEC);
  std::string key;
  std::random_device random;
  for (int i = 0; i < 8; ++i) key += std::to_string(random()) + ' ';
  if (file < 0 || ::fchmod(file, S_IRUSR | S_IWUSR) != 0 ||
      ::write(file, key.data(), key.size()) != static_cast<ssize_t>(key.size()))
    throw std::runtime_error("no key for nodes can be made");
  return file;
}

}  // namespace

local_nodes::local_nodes(int count)
    : file_(new_key()),
      key_("/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_)) {
  for (int i = 0; i < count; ++i)
    all_.push_back(
        std::make_unique<node_process>(path_beside("troupe-node"), key_, "127.0.0.1:0", 1));
}

local_nodes::~local_nodes() { ::close(file_); }

runtime_options local_nodes::owner() const {
  runtime_options out{.lanes = 1};
  out.nodes = std::vector<std::string>();
  for (const auto& one : all_) out.nodes->push_back(one->address());
  out.key = key_;
  return out;
}

}  // namespace troupe
