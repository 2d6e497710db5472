// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "troupe/tensor/program/elementwise_group.hpp"
#include "troupe/tensor/program/leading_steps.hpp"
#include "troupe/tensor/program/passes.hpp"

namespace troupe {

namespace {

std::string line_of(const std::vector<program_step*>& members, const program_step& as_one) {
  std::string out;
  for (const auto* s : members) out += (out.empty() ? "" : ", ") + std::string(s->op->name);
  const auto& steps = *static_cast<const joined_attributes*>(as_one.given.data())->steps;
  return "fused " + out + call_site_text(members.back()->call_site) +
         (steps.compiled ? ", compiled" : ", block by block");
}

}  // namespace

std::vector<std::string> fuse_elementwise(graph& of, const engine& on) {
  std::vector<std::string> lines;
  std::vector<int> readers(of.types.size());  // of each value: steps, and results
  for (const auto& s : of.steps) {
    for (const auto& in : s.inputs) {
      if (in.value >= 0) ++readers[static_cast<std::size_t>(in.value)];
    }
  }
  of.for_each_result([&](int number) { ++readers[static_cast<std::size_t>(number)]; });

  const leading_steps leading(of);
  std::vector<program_step> out;
  elementwise_group open(of, on);
  const auto joined = [&]() -> std::optional<program_step> {
    if (open.members().size() < 2) return {};
    auto left = readers;
    for (const auto* s : open.members()) {
      for (const auto& in : s->inputs) {
        if (in.value >= 0) --left[static_cast<std::size_t>(in.value)];
      }
    }
    std::vector<bool> needed(left.size());
    for (std::size_t i = 0; i < left.size(); ++i) needed[i] = left[i] > 0;
    if (open.led() && open.home(needed) < 0) {
      out.push_back(std::move(open.stop_leading()));
      if (open.members().size() < 2) return {};
    }
    return open.join(needed);
  };
  const auto close = [&] {
    if (auto one = joined()) {
      lines.push_back(line_of(open.members(), *one));
      out.push_back(std::move(*one));
    } else {
      for (auto* s : open.members()) out.push_back(std::move(*s));
    }
    open = elementwise_group(of, on);
  };
  for (auto& s : of.steps) {
    if (open.takes(s)) {
      open.add(s);
      continue;
    }
    const bool reads = std::ranges::any_of(
        s.inputs, [&](const step_input& in) { return in.value >= 0 && open.makes(in.value); });
    const elementwise_group alone(of, on);
    const auto* const ready = leading.find(s);
    const bool leads = ready && (reads || open.empty() || open.led());
    if (reads || leads || alone.takes(s) || open.is_closed_by(s)) close();
    if (leads) open.lead(s, *ready);
    else if (open.takes(s)) open.add(s);
    else out.push_back(std::move(s));
  }
  close();
  of.steps = std::move(out);
  return lines;
}

}  // namespace troupe
