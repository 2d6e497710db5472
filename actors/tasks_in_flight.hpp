// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "troupe/tensor/task.hpp"

namespace troupe {

/// The tasks in flight on one lane, in the order in which it runs them. Keeps what they compute: their lane may let go
/// of their values at any time.
class tasks_in_flight {
 public:
  struct entry {
    const task* what = nullptr;  ///< null: it has ended, and one before it has not
    tensor_types outputs;
  };

  void add(const task& t) {
    if (size_ == entries_.size()) grow();
    auto& e = at(size_++);
    e.what = &t;
    for (const auto& out : t.outputs) e.outputs.emplace_back(out->type());
  }
  void remove(const task& t) noexcept {
    std::size_t i = 0;
    while (at(i).what != &t) ++i;
    at(i).what = nullptr;
    at(i).outputs.clear();
    for (; size_ > 0 && !at(0).what; --size_) first_ = (first_ + 1) & (entries_.size() - 1);
  }

  std::size_t size() const noexcept { return size_; }
  const entry& operator[](std::size_t i) const noexcept {
    return entries_[(first_ + i) & (entries_.size() - 1)];
  }

 private:
  entry& at(std::size_t i) noexcept { return entries_[(first_ + i) & (entries_.size() - 1)]; }
  void grow() {
    std::vector<entry> more(entries_.empty() ? 16 : 2 * entries_.size());
    for (std::size_t i = 0; i < size_; ++i) more[i] = std::move(at(i));
    entries_ = std::move(more);
    first_ = 0;
  }

  std::vector<entry> entries_;  ///< a ring; its size is a power of two
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace troupe
