// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/tensor/program/passes.hpp"

namespace troupe {

std::size_t remove_dead_steps(graph& of, dead_draws draws) {
  std::vector<bool> needed(of.types.size());
  const auto need = [&](int number) { needed[static_cast<std::size_t>(number)] = true; };
  of.for_each_result(need);
  std::vector<bool> stays(of.steps.size());
  for (auto i = of.steps.size(); i-- > 0;) {
    const auto& s = of.steps[i];
    stays[i] = (s.op->random && draws == dead_draws::kept) ||
               std::ranges::any_of(s.outputs,
                                   [&](int out) { return needed[static_cast<std::size_t>(out)]; });
    if (!stays[i]) continue;
    for (const auto& in : s.inputs) {
      if (in.value >= 0) need(in.value);
    }
  }
  std::size_t i = 0;
  return std::erase_if(of.steps, [&](const program_step&) { return !stays[i++]; });
}

}  // namespace troupe
