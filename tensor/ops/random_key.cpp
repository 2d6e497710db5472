// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/random_key.hpp"

#include <string>

#include "troupe/devices/philox.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe {

// Numbers of keys begin at random_source::first_of_key; children come from the other end.
random_key random_key::child(std::uint64_t number) const noexcept {
  const auto w = philox::generate(seed_, ~number);
  return random_key(w.numbers[0] | std::uint64_t{w.numbers[1]} << 32);
}

std::vector<random_key> random_key::split(std::int64_t count, std::source_location where) const {
  if (count < 0) throw error("split: negative count " + std::to_string(count), where);
  std::vector<random_key> out;
  out.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) out.push_back(child(static_cast<std::uint64_t>(i)));
  return out;
}

}  // namespace troupe
