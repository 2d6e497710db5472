// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "troupe/tasks/memory_budget.hpp"
#include "troupe/tensor/program/passes.hpp"

namespace troupe {

namespace {

constexpr std::size_t always_worth = std::size_t{1} << 20;  // bytes

/// Steps of a program whose results are the same at each call.
class constant_steps {
 public:
  explicit constant_steps(graph& of)
      : of_(of), room_(always_worth), how_(of.types.size()), folds_(of.steps.size()) {
    for (auto i = of.first_constant(); i < of.first_computed(); ++i) {
      how_[i] = origin::constants;
      room_ += bytes_of(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < of.steps.size(); ++i) decide(i);
  }

  bool none() const noexcept { return std::ranges::find(folds_, true) == folds_.end(); }

  std::vector<std::string> lines() const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < folds_.size(); ++i) {
      const auto& s = of_.steps[i];
      if (folds_[i])
        out.push_back("computed once " + std::string(s.op->name) + call_site_text(s.call_site));
    }
    return out;
  }

  /// Returns the values that others need of them.
  std::vector<int> results() const {
    std::vector<bool> needed(of_.types.size());
    of_.for_each_result([&](int number) { needed[index(number)] = true; });
    for (std::size_t i = 0; i < folds_.size(); ++i) {
      if (folds_[i]) continue;
      for (const auto& in : of_.steps[i].inputs) {
        if (in.value >= 0) needed[index(in.value)] = true;
      }
    }
    std::vector<int> out;
    for (std::size_t i = 0; i < folds_.size(); ++i) {
      if (!folds_[i]) continue;
      for (const int number : of_.steps[i].outputs) {
        if (needed[index(number)]) out.push_back(number);
      }
    }
    return out;
  }

  /// Returns the program that computes such results.
  graph computing(const std::vector<int>& results) const {
    const auto first = static_cast<int>(of_.first_constant());
    graph out;
    out.constants = of_.constants;
    out.types.assign(of_.types.begin() + first, of_.types.end());
    for (std::size_t i = 0; i < folds_.size(); ++i) {
      const auto& s = of_.steps[i];
      if (!folds_[i] && !is_made_of_nothing(s)) continue;
      auto& one = out.steps.emplace_back(program_step{s.op, s.device, s.call_site, s.kernel, s.cost,
                                                      s.estimate, s.scratch, s.given.copy(),
                                                      s.inputs, s.outputs});
      for (auto& in : one.inputs) in.value -= in.value < 0 ? 0 : first;
      for (auto& number : one.outputs) number -= first;
    }
    for (const int number : results) out.results.push_back({number - first, {}});
    remove_dead_steps(out);
    out.note_last_uses();
    return out;
  }

  /// Leaves them out of the program, where `values` are their results now.
  void replace(const std::vector<int>& results, const std::vector<tensor>& values) {
    std::size_t i = 0;
    std::erase_if(of_.steps, [&](const program_step&) { return folds_[i++]; });
    of_.add_constants(results, values);
  }

 private:
  /// Operations and operands that a value is computed from.
  enum class origin : std::uint8_t { anything, nothing, constants };

  static std::size_t index(int number) noexcept { return static_cast<std::size_t>(number); }
  std::size_t bytes_of(int number) const {
    const auto& type = of_.types[index(number)];
    return static_cast<std::size_t>(type.dims.size()) * size_of(type.element);
  }

  bool is_made_of_nothing(const program_step& s) const {
    return !s.outputs.empty() && how_[index(s.outputs[0])] == origin::nothing;
  }

  void decide(std::size_t i) {
    const auto& s = of_.steps[i];
    if (s.op->random || s.op->timed || s.renewed || s.outputs.empty()) return;
    auto from = origin::nothing;
    for (const auto& in : s.inputs) {
      if (in.value < 0) continue;
      if (how_[index(in.value)] == origin::anything) return;
      from = std::max(from, how_[index(in.value)]);
    }
    if (from == origin::constants) {
      std::size_t bytes = 0;
      for (const int number : s.outputs) bytes += bytes_of(number);
      if (bytes > room_) return;
      room_ -= bytes;
      folds_[i] = true;
    }
    for (const int number : s.outputs) how_[index(number)] = from;
  }

  graph& of_;
  std::size_t room_;  ///< bytes that further results may take
  std::vector<origin> how_;
  std::vector<bool> folds_;
};

}  // namespace

std::vector<std::string> fold_constants(graph& of, engine& on) {
  constant_steps all(of);
  if (all.none()) return {};
  auto lines = all.lines();
  const auto results = all.results();
  const std::shared_ptr<memory_budget> none;  // what is kept belongs to the function
  const budget_scope outside(none);
  all.replace(results, all.computing(results).run(on, {}));
  remove_dead_steps(of);
  return lines;
}

}  // namespace troupe
