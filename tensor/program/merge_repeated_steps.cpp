// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <vector>

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
      auto& alike = by_inputs_[key_of(s)];
      for (const auto i : alike) {
        const auto& earlier = before[i];
        if (!computes_the_same(earlier, s)) continue;
        for (std::size_t k = 0; k < s.outputs.size(); ++k)
          now_[static_cast<std::size_t>(s.outputs[k])] = earlier.outputs[k];
        return &earlier;
      }
      if (alike.size() < most_alike) alike.push_back(before.size());
    }
    before.push_back(std::move(s));
    return nullptr;
  }

  /// Returns the number of each value after merging.
  const std::vector<int>& numbers() const noexcept { return now_; }

 private:
  /// Steps of the same operation on the same inputs that later ones are compared with: they differ
  /// in their parameters, of which a function may have any number.
  static constexpr std::size_t most_alike = 32;

  static std::size_t key_of(const program_step& s) noexcept {
    auto mixed = std::hash<const operation*>()(s.op);
    const auto add = [&](std::uint64_t bits) {
      mixed = (std::rotl(mixed, 29) ^ bits) * std::uint64_t{0x9e3779b97f4a7c15};
    };
    for (const auto& in : s.inputs) {
      add(static_cast<std::uint64_t>(in.value));
      add(in.immediate);
    }
    return mixed;
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
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_inputs_;
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
