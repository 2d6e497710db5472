// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "troupe/tensor/program/passes.hpp"

namespace troupe {

namespace {

class repeated_steps {
 public:
  explicit repeated_steps(graph& of) : of_(of), now_(of.types.size()) {
    std::iota(now_.begin(), now_.end(), 0);
  }

  /// Keeps a step, whose inputs are renamed, or returns the one before that computes the same.
  const program_step* find_or_keep(program_step& s, std::vector<program_step>& before) {
    for (auto& in : s.inputs) {
      if (in.value >= 0) in.value = now_[static_cast<std::size_t>(in.value)];
    }
    if (!s.op->random && !s.op->timed && !s.renewed) {
      const auto [first, last] = by_input_.equal_range(key_of(s));
      for (auto i = first; i != last; ++i) {
        const auto& earlier = before[i->second];
        if (!computes_the_same(earlier, s)) continue;
        for (std::size_t k = 0; k < s.outputs.size(); ++k)
          now_[static_cast<std::size_t>(s.outputs[k])] = earlier.outputs[k];
        return &earlier;
      }
      by_input_.emplace(key_of(s), before.size());
    }
    before.push_back(std::move(s));
    return nullptr;
  }

  /// Returns the number of each value after merging.
  const std::vector<int>& numbers() const noexcept { return now_; }

 private:
  static std::size_t key_of(const program_step& s) noexcept {
    const int first = s.inputs.empty() ? step_input::number : s.inputs[0].value;
    return std::hash<const operation*>()(s.op) + 31 * static_cast<std::size_t>(first);
  }

  bool computes_the_same(const program_step& a, const program_step& b) const {
    const auto same = [](const step_input& x, const step_input& y) {
      return same_input(x, y) && x.written == y.written;
    };
    const auto same_type = [&](int x, int y) {
      return of_.types[static_cast<std::size_t>(x)] == of_.types[static_cast<std::size_t>(y)];
    };
    return a.op == b.op && a.device == b.device && a.kernel == b.kernel &&
           a.recomputed == b.recomputed && a.given.equal(b.given) &&
           std::ranges::equal(a.inputs, b.inputs, same) &&
           std::ranges::equal(a.outputs, b.outputs, same_type);
  }

  graph& of_;
  std::vector<int> now_;
  std::unordered_multimap<std::size_t, std::size_t> by_input_;
};

}  // namespace

std::vector<std::string> merge_repeated_steps(graph& of) {
  std::vector<std::string> lines;
  std::vector<program_step> kept;
  repeated_steps known(of);
  for (auto& s : of.steps) {
    const auto* const earlier = known.find_or_keep(s, kept);
    if (!earlier) continue;
    auto line = "merged " + std::string(s.op->name) + call_site_text(s.call_site) + " with that" +
                call_site_text(earlier->call_site);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  of.steps = std::move(kept);
  of.rename(known.numbers());
  return lines;
}

}  // namespace troupe
