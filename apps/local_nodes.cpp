// SPDX-License-Identifier: MIT
#include "troupe/apps/local_nodes.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

#include "troupe/apps/path_beside.hpp"

namespace troupe {

namespace {

/// Makes a file with a random key, which only its owner may read.
std::string new_key() {
  auto name = (std::filesystem::temp_directory_path() / "troupe-key-XXXXXX").string();
  const int file = ::mkstemp(name.data());
  if (file < 0) throw std::runtime_error(name + " cannot be made");
  ::close(file);
  std::random_device random;
  std::ofstream to(name);
  for (int i = 0; i < 8; ++i) to << random() << ' ';
  return name;
}

}  // namespace

local_nodes::local_nodes(int count) : key_(new_key()) {
  for (int i = 0; i < count; ++i)
    all_.push_back(
        std::make_unique<node_process>(path_beside("troupe-node"), key_, "127.0.0.1:0", 1));
}

local_nodes::~local_nodes() {
  std::error_code ignored;
  std::filesystem::remove(key_, ignored);
}

runtime_options local_nodes::owner() const {
  runtime_options out{.lanes = 1};
  out.nodes = std::vector<std::string>();
  for (const auto& one : all_) out.nodes->push_back(one->address());
  out.key = key_;
  return out;
}

}  // namespace troupe
