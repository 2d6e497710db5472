// SPDX-License-Identifier: MIT
#include "troupe/tasks/failures.hpp"

#include <algorithm>

namespace troupe {

void raise_first(std::vector<failure_ptr>& failures, std::uint64_t not_kept) {
  std::erase_if(failures,
                [](const failure_ptr& f) { return f->reported.load(std::memory_order_relaxed); });
  if (failures.empty()) return;
  const auto first =
      std::min_element(failures.begin(), failures.end(), [](const auto& a, const auto& b) {
        return std::pair(a->why, a->sequence) < std::pair(b->why, b->sequence);
      });
  for (const auto& f : failures) f->reported.store(true, std::memory_order_relaxed);
  const auto more = failures.size() - 1 + not_kept;
  raise(**first, more == 0 ? ""
                           : ", and " + std::to_string(more) +
                                 (more == 1 ? " more failure" : " more failures"));
}

}  // namespace troupe
