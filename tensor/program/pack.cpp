// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "troupe/tensor/program/joined_steps.hpp"
#include "troupe/tensor/program/passes.hpp"
#include "troupe/tensor/program/scratch_plan.hpp"

namespace troupe {

namespace {

using kept = joined_operand::kept;

// Nanoseconds that a program, and one of its steps, take at least if lanes are to share them.
constexpr float worth_dividing = 100'000, worth_passing_on = 1'000;

bool can_be_packed(const program_step& s) noexcept {
  return s.device.traits().synchronous && !s.op->transfer && !s.op->random && !s.renewed &&
         s.kernel && s.kernel->run;
}

/// Steps of a program that become one.
class packing {
 public:
  packing(graph& of, std::size_t first, std::size_t end)
      : of_(of),
        first_(first),
        end_(end),
        operands_(of.types.size()),
        last_use_(of.types.size(), first),
        goes_out_(of.types.size()) {
    of.for_each_result([&](int number) { goes_out_[index(number)] = true; });
    for (std::size_t i = 0; i < of.steps.size(); ++i) {
      const bool outside = i < first || i >= end;
      for (const auto& in : of.steps[i].inputs) {
        if (in.value < 0) continue;
        if (outside) goes_out_[index(in.value)] = true;
        else last_use_[index(in.value)] = i;
      }
    }
  }

  program_step packed() {
    std::vector<const program_step*> members;
    for (auto i = first_; i < end_; ++i) {
      add(i);
      members.push_back(&of_.steps[i]);
    }
    all_.scratch_bytes = scratch_.bytes();
    return joined(packed_operation, packed_kernel, std::move(all_), std::move(inputs_),
                  std::move(outputs_), members);
  }

 private:
  static std::size_t index(int number) noexcept { return static_cast<std::size_t>(number); }

  std::size_t bytes_of(int number) const {
    const auto& type = of_.types[index(number)];
    return static_cast<std::size_t>(type.dims.size()) * size_of(type.element);
  }

  void add(std::size_t i) {
    auto& s = of_.steps[i];
    joined_step one{s.op, s.call_site, s.kernel, std::move(s.given), {}, {}};
    for (const auto& in : s.inputs) one.inputs.push_back(operand_of(in));
    std::vector<int> inside;
    for (const int number : s.outputs) {
      one.outputs.push_back(result(number));
      if (!goes_out_[index(number)]) inside.push_back(number);
      if (last_use_[index(number)] < i) last_use_[index(number)] = i;
    }
    inside_.insert(inside_.end(), inside.begin(), inside.end());
    std::erase_if(inside_, [&](int number) {
      if (last_use_[index(number)] != i) return false;
      scratch_.give_back(operands_[index(number)].position, bytes_of(number));
      return true;
    });
    all_.steps.push_back(std::move(one));
  }

  joined_operand operand_of(const step_input& in) {
    joined_operand x;
    if (in.value >= 0) {
      auto& known = operands_[index(in.value)];
      if (known.where == kept::number) {  // it is computed outside
        known.where = kept::input;
        known.position = inputs_.size();
        inputs_.push_back({in.value, {}, 0, of_.types[index(in.value)].element, {}});
      }
      x = known;
      x.view = in.part ? in.part->layout : layout(of_.types[index(in.value)].dims);
    }
    x.immediate = in.immediate;
    x.element = in.element;
    return x;
  }

  const joined_operand& result(int number) {
    const auto& type = of_.types[index(number)];
    const bool out = goes_out_[index(number)];
    auto& x = operands_[index(number)];
    x.where = out ? kept::output : kept::scratch;
    x.position = out ? outputs_.size() : scratch_.take(bytes_of(number));
    x.element = type.element;
    x.view = layout(type.dims);
    if (out) outputs_.push_back(number);
    return x;
  }

  graph& of_;
  std::size_t first_, end_;
  std::vector<joined_operand> operands_;
  std::vector<std::size_t> last_use_;
  std::vector<bool> goes_out_;
  joined_steps all_;
  scratch_plan scratch_;
  std::vector<int> inside_;  ///< values in the scratch
  std::vector<step_input> inputs_;
  std::vector<int> outputs_;
};

}  // namespace

std::size_t pack(graph& of) {
  float all = 0, longest = 0;
  for (const auto& s : of.steps) {
    all += s.estimate;
    longest = std::max(longest, s.estimate);
  }
  if (all > worth_dividing && longest > worth_passing_on) return 0;
  std::vector<program_step> out;
  std::size_t count = 0;
  for (std::size_t first = 0; first < of.steps.size();) {
    auto end = first;
    while (end < of.steps.size() && can_be_packed(of.steps[end]) &&
           of.steps[end].device == of.steps[first].device)
      ++end;
    if (end - first < 2) {
      out.push_back(std::move(of.steps[first++]));
      continue;
    }
    out.push_back(packing(of, first, end).packed());
    count += end - first;
    first = end;
  }
  of.steps = std::move(out);
  return count;
}

}  // namespace troupe
