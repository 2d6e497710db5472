// SPDX-License-Identifier: MIT
#include "troupe/tasks/shape.hpp"

#include <stdexcept>

#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

std::string text_of(std::span<const std::int64_t> sizes) {
  std::string out = "[";
  for (auto s : sizes) {
    if (out.size() > 1) out += ',';
    out += std::to_string(s);
  }
  return out + "]";
}

}  // namespace

int shape::from_end(int axis) const {
  if (axis < 0 && axis >= -rank_) return axis + rank_;
  throw std::out_of_range("shape: axis " + std::to_string(axis) + " is out of range for " +
                          to_string(*this));
}

void shape::refuse_more() const {
  throw std::length_error("shape: one axis more than the " + std::to_string(max_rank) + " of " +
                          to_string(*this));
}

shape::shape(std::span<const std::int64_t> sizes, std::source_location call_site) {
  if (sizes.size() > max_rank)
    throw error("shape: " + text_of(sizes) + " has " + std::to_string(sizes.size()) +
                    " axes; at most " + std::to_string(max_rank) + " are possible",
                call_site);
  for (auto s : sizes) {
    if (s < 0)
      throw error("shape: negative size " + std::to_string(s) + " in " + text_of(sizes), call_site);
    push_back(s);
  }
  if (!countable())
    throw error("shape: " + text_of(sizes) + " has more elements than can be counted", call_site);
}

std::string to_string(const shape& s) {
  return text_of(std::span(s.data(), static_cast<std::size_t>(s.rank())));
}

}  // namespace troupe
