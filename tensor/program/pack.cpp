// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/tensor/program/joined_steps.hpp"
#include "troupe/tensor/program/passes.hpp"

namespace troupe {

namespace {

using kept = joined_operand::kept;

constexpr float worth_dividing = 100'000;  // nanoseconds
constexpr std::size_t alignment = 64;

bool fits(const step& s, device where) noexcept {
  return s.device == where && where.traits().synchronous && !s.op->transfer && !s.op->random &&
         s.kernel && s.kernel->run;
}

bool may_pack(const program& of) noexcept {
  if (of.steps.size() < 2) return false;
  float all = 0;
  for (const auto& s : of.steps) {
    if (!fits(s, of.steps[0].device)) return false;
    all += s.estimate;
  }
  return all <= worth_dividing;
}

/// Place for what stays inside a task, used again once nothing needs it any more.
class scratch_plan {
 public:
  std::size_t take(std::size_t bytes) {
    const auto wanted = (bytes + alignment - 1) / alignment * alignment;
    for (auto& one : holes_) {
      if (one.bytes < wanted) continue;
      const auto at = one.at;
      one = {at + wanted, one.bytes - wanted};
      return at;
    }
    return std::exchange(end_, end_ + wanted);
  }
  void give_back(std::size_t at, std::size_t bytes) {
    holes_.push_back({at, (bytes + alignment - 1) / alignment * alignment});
  }
  std::size_t bytes() const noexcept { return end_; }

 private:
  struct hole {
    std::size_t at, bytes;
  };

  std::vector<hole> holes_;
  std::size_t end_ = 0;
};

}  // namespace

bool pack(program& of) {
  if (!may_pack(of)) return false;
  std::vector<joined_operand> operands(of.types.size());
  std::vector<std::size_t> last_use(of.types.size());
  std::vector<bool> goes_out(of.types.size());
  for (const auto& r : of.results) goes_out[static_cast<std::size_t>(r.value)] = true;
  for (const auto& [to, r] : of.writes) goes_out[static_cast<std::size_t>(r.value)] = true;
  for (std::size_t i = 0; i < of.steps.size(); ++i) {
    for (const auto& in : of.steps[i].inputs) {
      if (in.value >= 0) last_use[static_cast<std::size_t>(in.value)] = i;
    }
  }

  joined_steps all;
  scratch_plan scratch;
  std::vector<step_input> inputs;
  std::vector<int> outputs;
  std::vector<const step*> members;
  const auto place_of = [&](std::size_t number) -> joined_operand& {
    auto& x = operands[number];
    if (x.where != kept::number) return x;
    // It is computed outside.
    x.where = kept::input;
    x.position = inputs.size();
    inputs.push_back({static_cast<int>(number), {}, 0, of.types[number].element, {}});
    return x;
  };
  for (std::size_t i = 0; i < of.steps.size(); ++i) {
    auto& s = of.steps[i];
    joined_step one{s.op, s.call_site, s.kernel, std::move(s.given), {}, {}};
    for (const auto& in : s.inputs) {
      joined_operand x;
      x.immediate = in.immediate;
      if (in.value >= 0) {
        const auto number = static_cast<std::size_t>(in.value);
        x = place_of(number);
        x.view = in.part ? in.part->layout : layout(of.types[number].dims);
      }
      x.element = in.element;
      one.inputs.push_back(x);
    }
    for (const int out : s.outputs) {
      const auto number = static_cast<std::size_t>(out);
      const auto& type = of.types[number];
      const auto bytes = static_cast<std::size_t>(type.dims.size()) * size_of(type.element);
      auto& x = operands[number];
      x.where = goes_out[number] ? kept::output : kept::scratch;
      x.position = goes_out[number] ? outputs.size() : scratch.take(bytes);
      x.element = type.element;
      x.view = layout(type.dims);
      if (goes_out[number]) outputs.push_back(out);
      one.outputs.push_back(x);
    }
    for (std::size_t number = 0; number < operands.size(); ++number) {
      if (operands[number].where == kept::scratch && last_use[number] == i)
        scratch.give_back(operands[number].position,
                          static_cast<std::size_t>(of.types[number].dims.size()) *
                              size_of(of.types[number].element));
    }
    all.steps.push_back(std::move(one));
    members.push_back(&s);
  }
  if (outputs.empty()) return false;
  all.scratch_bytes = scratch.bytes();
  auto packed = joined(packed_operation, packed_kernel, std::move(all), std::move(inputs),
                       std::move(outputs), members);
  of.steps.clear();
  of.steps.push_back(std::move(packed));
  return true;
}

}  // namespace troupe
