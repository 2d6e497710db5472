// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <optional>

#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/program/passes.hpp"
#include "troupe/tensor/program/row_joining.hpp"
#include "troupe/tensor/program/row_steps.hpp"

namespace troupe {

namespace {

constexpr std::int64_t worth_joining_rows = 4096;  // elements
/// Rows that are shorter, eager reductions may take several at once.
constexpr std::int64_t shortest_of_rows = 16;
constexpr std::size_t most_joined_rows = 64;

std::size_t slot(int number) noexcept { return static_cast<std::size_t>(number); }

bool is_softmax(const operation* op) noexcept {
  return op == &softmax_operation || op == &log_softmax_operation;
}

/// Steps of a program that may run row by row.
class row_steps {
 public:
  row_steps(const graph& of, const common_rows& rows) : of_(of), rows_(rows) {}

  /// Returns the rows that a step reduces to one number each, if it does.
  static std::optional<common_rows> reduced_by(const graph& of, const program_step& s) {
    const auto all = reduction_operations();
    const bool reduces =
        std::any_of(all.begin(), all.end(), [&](auto& one) { return s.op == &one; });
    if (!reduces || !can_run_in_parts(s)) return {};
    const auto view = view_of(of, s.inputs[0]);
    const int rank = view.dims.rank();
    const auto axes = s.given.as<reduction_attributes>().axes;
    const auto every = (std::uint32_t{1} << rank) - 1;
    const int first = std::countr_zero(axes);
    if (axes == 0 || axes != (every & ~((std::uint32_t{1} << first) - 1))) return {};
    std::int64_t length = 1;
    for (int i = first; i < rank; ++i) length *= view.dims[i];
    const auto size = view.dims.size();
    if (size < worth_joining_rows || length < shortest_of_rows || length > longest_row ||
        size == length)
      return {};
    const auto lie = in_rows(view, length);
    if (!lie || lie->strides[1] != 1) return {};
    return common_rows{s.device, size / length, length};
  }

  /// Returns true if a step goes row by row, where `computed` says which values such steps compute.
  bool fits(const program_step& s, const std::vector<bool>& computed) const {
    if (s.outputs.size() != 1 || s.device != rows_.device || !can_run_in_parts(s)) return false;
    const auto reads_rows = [&](const step_input& in, std::int64_t length) {
      if (in.value < 0) return true;
      const auto view = in_rows(view_of(of_, in), length);
      if (!view || view->dims[0] != rows_.count) return false;
      return !computed[slot(in.value)] || covers(*view, length_of(in.value));
    };
    if (const auto rows = reduced_by(of_, s))
      return *rows == rows_ && reads_rows(s.inputs[0], rows_.length);
    const auto length = length_of(s.outputs[0]);
    if (is_softmax(s.op)) {
      const auto& dims = of_.types[slot(s.outputs[0])].dims;
      const int last = dims.rank() - 1;
      return length == rows_.length && dims[last] == length &&
             s.given.as<softmax_attributes>().axis == last && reads_rows(s.inputs[0], length);
    }
    return is_elementwise(s.op) && !s.kernel->scratch_bytes && !s.kernel->finish && length > 0 &&
           std::ranges::all_of(s.inputs, [&](auto& in) { return reads_rows(in, length); });
  }

  /// Returns true if a step computes whole rows.
  bool fills_rows(const program_step& s) const { return length_of(s.outputs[0]) == rows_.length; }

 private:
  static bool can_run_in_parts(const program_step& s) noexcept {
    return s.device.traits().synchronous && s.kernel && s.kernel->run && !s.renewed;
  }
  std::int64_t length_of(int number) const { return rows_.length_in(of_.types[slot(number)].dims); }
  /// Returns true if a view of a value of so many elements in each row has row i in row i.
  bool covers(const layout& view, std::int64_t length) const noexcept {
    return view.offset == 0 && view.strides[0] == length &&
           (view.dims[1] == length ? length == 1 || view.strides[1] == 1
                                   : length == 1 && view.strides[1] == 0);
  }

  const graph& of_;
  common_rows rows_;
};

/// Returns the numbers of the steps that are joined with a reduction: those that go along the same
/// rows and pass values on to each other. None of them needs a step in between that is not joined.
std::vector<std::size_t> steps_around(const graph& of, std::size_t reduction,
                                      const row_steps& rows) {
  std::vector<std::size_t> able;
  std::vector<bool> computed(of.types.size()), later(of.types.size()), linked(of.types.size());
  const auto reads = [](const program_step& s, const std::vector<bool>& some) {
    return std::ranges::any_of(s.inputs,
                               [&](auto& in) { return in.value >= 0 && some[slot(in.value)]; });
  };
  for (std::size_t i = 0; i < of.steps.size(); ++i) {
    const auto& s = of.steps[i];
    const bool waits = reads(s, later);
    if (!waits && rows.fits(s, computed)) {
      able.push_back(i);
      computed[slot(s.outputs[0])] = true;
    } else if (waits || reads(s, computed)) {
      for (const int number : s.outputs) later[slot(number)] = true;
    }
  }
  std::vector<bool> joins(of.steps.size());
  linked[slot(of.steps[reduction].outputs[0])] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto i : able) {
      const auto& s = of.steps[i];
      if (joins[i] || !(linked[slot(s.outputs[0])] || reads(s, linked))) continue;
      grows = joins[i] = linked[slot(s.outputs[0])] = true;
      for (const auto& in : s.inputs) {
        if (in.value >= 0 && computed[slot(in.value)]) linked[slot(in.value)] = true;
      }
    }
  }
  std::erase_if(able, [&](std::size_t i) { return !joins[i]; });
  if (able.size() > most_joined_rows) able.resize(most_joined_rows);
  return able;
}

/// Returns which values are needed elsewhere than by some steps.
std::vector<bool> needed_outside(const graph& of, const std::vector<std::size_t>& joined) {
  std::vector<bool> out(of.types.size());
  of.for_each_result([&](int number) { out[slot(number)] = true; });
  for (std::size_t i = 0; i < of.steps.size(); ++i) {
    if (std::ranges::binary_search(joined, i)) continue;
    for (const auto& in : of.steps[i].inputs) {
      if (in.value >= 0) out[slot(in.value)] = true;
    }
  }
  return out;
}

/// Puts one step in place of some, behind the steps that it needs.
void join(graph& of, const std::vector<std::size_t>& numbers, const common_rows& rows) {
  std::vector<program_step*> members;
  std::vector<bool> later(of.types.size());
  for (const auto i : numbers) {
    members.push_back(&of.steps[i]);
    later[slot(of.steps[i].outputs[0])] = true;
  }
  const auto needed = needed_outside(of, numbers);
  auto joined = row_joining(of, rows, std::move(members), needed).joined();
  std::vector<program_step> before, after;
  for (std::size_t i = 0; i < of.steps.size(); ++i) {
    if (std::ranges::binary_search(numbers, i)) continue;
    auto& s = of.steps[i];
    const bool waits =
        i > numbers.back() || std::ranges::any_of(s.inputs, [&](const step_input& in) {
          return in.value >= 0 && later[slot(in.value)];
        });
    if (waits) {
      for (const int number : s.outputs) later[slot(number)] = true;
    }
    (waits ? after : before).push_back(std::move(s));
  }
  before.push_back(std::move(joined));
  before.insert(before.end(), std::move_iterator(after.begin()), std::move_iterator(after.end()));
  of.steps = std::move(before);
}

std::string line_of(const graph& of, const std::vector<std::size_t>& numbers) {
  std::string out;
  for (const auto i : numbers) out += (out.empty() ? "" : ", ") + std::string(of.steps[i].op->name);
  return "fused by rows " + out + call_site_text(of.steps[numbers.back()].call_site);
}

}  // namespace

std::vector<std::string> fuse_rows(graph& of) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < of.steps.size(); ++i) {
    const auto found = row_steps::reduced_by(of, of.steps[i]);
    if (!found) continue;
    const row_steps rows(of, *found);
    const auto numbers = steps_around(of, i, rows);
    if (!std::ranges::binary_search(numbers, i) ||
        std::ranges::none_of(numbers, [&](auto k) { return rows.fills_rows(of.steps[k]); }))
      continue;
    lines.push_back(line_of(of, numbers));
    join(of, numbers, *found);
    i = numbers.front() - 1;  // what comes before the joined step now is looked at again
  }
  return lines;
}

}  // namespace troupe
