// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/program/passes.hpp"

namespace troupe {

namespace {

/// Returns true if every number of one dtype is one of the other. Of floats, not NaNs that signal.
constexpr bool widens(dtype from, dtype to) noexcept {
  const bool inexact = is_integer(from) && size_of(from) == 8 && to == float64;
  return promote(from, to) == to && !inexact;
}

/// Returns true if an operation makes no NaN that signals, which a conversion would change.
bool makes_quiet(const operation* op) noexcept {
  static constexpr std::string_view names[] = {"add",    "subtract", "multiply",
                                               "divide", "matmul",   "astype"};
  return std::ranges::find(names, op->name) != std::end(names);
}

class copies {
 public:
  explicit copies(graph& of) : of_(of), maker_(of.types.size()), from_(of.types.size()) {
    std::iota(from_.begin(), from_.end(), 0);
    leaves_.resize(of.types.size());
    of.for_each_result([&](int number) { leaves_[index(number)] = true; });
  }

  /// Lets a step read originals in place of copies. Returns true if the step is a copy itself.
  bool bypass(program_step& s) {
    for (auto& in : s.inputs) {
      if (in.value < 0 || from_[index(in.value)] == in.value) continue;
      if (!in.part) in.part = view_ref(new shared_view(layout(type_of(in.value).dims)));
      in.value = from_[index(in.value)];
    }
    for (const int number : s.outputs) maker_[index(number)] = &s;
    if (s.op != &copy_operation && s.op != &astype_operation) return false;
    const int original = s.op == &copy_operation ? whole(s.inputs[0]) : before_conversion(s);
    if (original < 0 || leaves_[index(s.outputs[0])]) return false;
    from_[index(s.outputs[0])] = original;
    return true;
  }

 private:
  static std::size_t index(int number) noexcept { return static_cast<std::size_t>(number); }
  const tensor_type& type_of(int number) const { return of_.types[index(number)]; }

  /// Returns the value that an input is all of, in order; -1 if it is not.
  int whole(const step_input& in) const {
    if (in.value < 0) return -1;
    if (!in.part) return in.value;
    const auto& part = in.part->layout;
    const bool all =
        part.offset == 0 && part.contiguous() && part.dims.size() == type_of(in.value).dims.size();
    return all ? in.value : -1;
  }

  /// Returns the value of which a conversion restores every bit; -1 if there is none.
  int before_conversion(const program_step& back) const {
    const int middle = whole(back.inputs[0]);
    const auto* const there = middle < 0 ? nullptr : maker_[index(middle)];
    if (!there || there->op != &astype_operation) return -1;
    const int original = whole(there->inputs[0]);
    if (original < 0) return -1;
    const auto from = type_of(original).element;
    if (from != type_of(back.outputs[0]).element || !widens(from, type_of(middle).element))
      return -1;
    const auto* const maker = maker_[index(original)];
    return !is_inexact(from) || (maker && makes_quiet(maker->op)) ? original : -1;
  }

  graph& of_;
  std::vector<const program_step*> maker_;  ///< step that computes each value
  std::vector<int> from_;                   ///< original of each value, or itself
  std::vector<bool> leaves_;                ///< values that are needed after the last step
};

}  // namespace

std::vector<std::string> bypass_copies(graph& of) {
  std::vector<std::string> lines;
  copies known(of);
  for (auto& s : of.steps) {
    if (known.bypass(s))
      lines.push_back("bypassed " + std::string(s.op->name) + call_site_text(s.call_site));
  }
  if (!lines.empty()) remove_dead_steps(of);
  return lines;
}

}  // namespace troupe
