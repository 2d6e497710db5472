// SPDX-License-Identifier: MIT
#include "troupe/tasks/kept_failures.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void kept_failures::add(failure_ptr f) {
  const auto earlier = [](const failure_ptr& a, const failure_ptr& b) {
    return a->sequence < b->sequence;
  };
  if (earliest_.size() >= most && std::erase_if(earliest_, [](const failure_ptr& one) {
        return one->reported.load(std::memory_order_relaxed);
      }))
    std::make_heap(earliest_.begin(), earliest_.end(), earlier);
  earliest_.push_back(std::move(f));
  std::push_heap(earliest_.begin(), earliest_.end(), earlier);
  if (earliest_.size() <= most) return;
  std::pop_heap(earliest_.begin(), earliest_.end(), earlier);
  earliest_.pop_back();
  ++not_kept_;
}

kept_failures::list kept_failures::take() noexcept {
  return {std::exchange(earliest_, {}), std::exchange(not_kept_, 0)};
}

}  // namespace troupe
