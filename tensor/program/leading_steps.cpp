// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/leading_steps.hpp"

#include <algorithm>
#include <span>

#include "troupe/tensor/program/row_joining.hpp"

namespace troupe {

namespace {

bool can_lead(const program_step& s) {
  const auto is_value = [](const step_input& in) { return in.value >= 0; };
  return s.kernel && s.kernel->run && s.kernel->written && !s.kernel->begin &&
         s.outputs.size() == 1 && !s.renewed && s.device.traits().synchronous &&
         std::ranges::all_of(s.inputs, is_value);
}

/// Returns true if the first step that reads a value, among those from `next` on, is elementwise.
bool is_read_elementwise(int number, std::span<const program_step> next) {
  const auto reads = [&](const step_input& in) { return in.value == number; };
  const auto reader = std::ranges::find_if(
      next, [&](const program_step& s) { return std::ranges::any_of(s.inputs, reads); });
  return reader != next.end() && is_elementwise(reader->op);
}

std::vector<bool> ready_for(std::size_t step, const graph& of) {
  std::vector<bool> ready(of.types.size());
  std::fill_n(ready.begin(), of.first_computed(), true);
  const auto read = [&](const program_step& s) {
    for (const auto& in : s.inputs) {
      if (in.value >= 0) ready[static_cast<std::size_t>(in.value)] = true;
    }
  };
  read(of.steps[step]);
  while (step-- > 0) {
    const auto& s = of.steps[step];
    const auto is_ready = [&](int number) { return ready[static_cast<std::size_t>(number)]; };
    if (std::ranges::any_of(s.outputs, is_ready)) read(s);
  }
  return ready;
}

}  // namespace

leading_steps::leading_steps(const graph& of) {
  for (std::size_t i = 0; i < of.steps.size(); ++i) {
    const auto& s = of.steps[i];
    if (can_lead(s) && is_read_elementwise(s.outputs[0], std::span(of.steps).subspan(i + 1)))
      ready_.emplace(&s, ready_for(i, of));
  }
}

const std::vector<bool>* leading_steps::find(const program_step& s) const {
  const auto found = ready_.find(&s);
  return found != ready_.end() ? &found->second : nullptr;
}

}  // namespace troupe
