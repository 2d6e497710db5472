// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/row_joining.hpp"

#include <algorithm>

#include "troupe/devices/attributes.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/program/compiled_rows.hpp"
#include "troupe/tensor/program/row_steps.hpp"

namespace troupe {

namespace {

using kept = joined_operand::kept;

std::size_t index_of(int number) noexcept { return static_cast<std::size_t>(number); }

/// Returns a step's parameters for arrays of rows.
attributes along_rows(program_step& s) {
  if (s.op == &softmax_operation || s.op == &log_softmax_operation) return softmax_attributes{1};
  if (is_elementwise(s.op)) return std::move(s.given);
  return reduction_attributes{0b10, s.given.as<reduction_attributes>().ddof};
}

}  // namespace

bool is_elementwise(const operation* op) noexcept {
  return op == &astype_operation || is_elementwise(*op);
}

layout view_of(const graph& of, const step_input& in) {
  return in.part ? in.part->layout : layout(of.types[index_of(in.value)].dims);
}

std::int64_t common_rows::length_in(const shape& dims) const {
  const troupe::layout whole(dims);
  for (const auto one : {length, std::int64_t{1}}) {
    const auto rows = in_rows(whole, one);
    if (rows && rows->dims[0] == count) return one;
  }
  return 0;
}

row_joining::row_joining(const graph& of, const common_rows& rows,
                         std::vector<program_step*> members, const std::vector<bool>& needed)
    : of_(of), rows_(rows), members_(std::move(members)), needed_(needed) {
  all_.rows = rows.count;
  all_.row = rows.length;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    for (const auto& in : members_[i]->inputs) last_use_[in.value] = i;
    last_use_[members_[i]->outputs[0]] = made_by_[members_[i]->outputs[0]] = i;
  }
}

program_step row_joining::joined() {
  for (std::size_t i = 0; i < members_.size();) {
    auto end = end_of_run(i);
    auto run = compiled(i, end);
    if (!run) {
      end = i + 1;
      run = single(*members_[i]);
    }
    all_.steps.push_back(std::move(*run));
    give_back(i, end);
    i = end;
  }
  all_.scratch_bytes = scratch_.bytes();
  auto s = troupe::joined(row_operation, row_kernel, std::move(all_), std::move(inputs_),
                          std::move(outputs_), {members_.begin(), members_.end()});
  s.cost.bytes = bytes_;
  s.estimate = static_cast<float>(s.device.traits().nanoseconds_for(bytes_, s.cost.flops));
  return s;
}

/// Returns the end of the elementwise members from one on that compute as many elements in a row.
std::size_t row_joining::end_of_run(std::size_t first) const {
  auto end = first;
  while (end < members_.size() && is_elementwise(members_[end]->op) &&
         members_[end]->op != &astype_operation &&
         length_of(members_[end]->outputs[0]) == length_of(members_[first]->outputs[0]))
    ++end;
  return end;
}

/// Returns the step that runs members [first, end) as machine code, if there is any.
std::optional<joined_step> row_joining::compiled(std::size_t first, std::size_t end) {
  if (first == end) return {};
  const auto length = length_of(members_[first]->outputs[0]);
  joined_steps run;
  run.rows = rows_.count;
  run.row = length;
  std::unordered_map<int, joined_operand> inside;
  std::vector<const step_input*> read;
  std::vector<int> made;
  for (auto i = first; i < end; ++i) {
    const auto& s = *members_[i];
    joined_step one{s.op, s.call_site, s.kernel, s.given.copy(), {}, {}};
    for (const auto& in : s.inputs) {
      joined_operand x;
      if (const auto found = inside.find(in.value); found != inside.end()) {
        x = found->second;
      } else if (in.value >= 0) {
        x.where = kept::input;
        x.position = read.size();
        x.view = *in_rows(view_of(of_, in), length);
        read.push_back(&in);
      }
      x.immediate = in.immediate;
      x.element = in.element;
      one.inputs.push_back(x);
    }
    const int out = s.outputs[0];
    joined_operand x;
    x.element = of_.types[index_of(out)].element;
    const bool stays = !needed_[index_of(out)] && last_use_[out] < end;
    x.where = stays ? kept::scratch : kept::output;
    x.position = stays ? i : made.size();
    if (!stays) made.push_back(out);
    inside[out] = x;
    one.outputs.push_back(x);
    run.steps.push_back(std::move(one));
  }
  run.compiled = compiled_rows::for_lanes(run);
  if (!run.compiled) return {};
  joined_step out{&fused_operation, members_[end - 1]->call_site, &fused_kernel, {}, {}, {}};
  for (const auto* in : read) out.inputs.push_back(operand_of(*in, length));
  for (const int number : made) out.outputs.push_back(result(number));
  out.given = joined_attributes{std::make_shared<const joined_steps>(std::move(run))};
  return out;
}

joined_step row_joining::single(program_step& s) {
  const bool reduces = !is_elementwise(s.op);
  joined_step one{s.op, s.call_site, s.kernel, along_rows(s), {}, {}};
  for (const auto& in : s.inputs)
    one.inputs.push_back(operand_of(in, reduces ? rows_.length : length_of(s.outputs[0])));
  one.outputs.push_back(result(s.outputs[0]));
  return one;
}

joined_operand row_joining::operand_of(const step_input& in, std::int64_t length) {
  joined_operand x;
  if (in.value >= 0) {
    const auto [found, fresh] = known_.try_emplace(in.value);
    if (fresh) {  // it is computed outside
      found->second.where = kept::input;
      found->second.position = inputs_.size();
      inputs_.push_back({in.value, {}, 0, in.element, {}});
      bytes_ += static_cast<double>(bytes_of(in.value));
    }
    x = found->second;
    x.view = *in_rows(view_of(of_, in), length);
  }
  x.immediate = in.immediate;
  x.element = in.element;
  return x;
}

joined_operand row_joining::result(int number) {
  const auto& type = of_.types[index_of(number)];
  joined_operand x;
  x.element = type.element;
  x.view = *in_rows(layout(type.dims), length_of(number));
  if (needed_[index_of(number)]) {
    x.where = kept::output;
    x.position = output_of(number);
    bytes_ += static_cast<double>(bytes_of(number));
  } else if (const auto later = place_for(number)) {
    x.where = kept::output;
    x.position = output_of(*later);
    lent_[*later] = last_use_[number];
  } else {
    x.where = kept::scratch;
    x.position = scratch_.take(block_bytes(number));
  }
  return known_[number] = x;
}

/// Returns an output whose rows may hold those of a value until they are written themselves: caches
/// have one array less to keep then.
std::optional<int> row_joining::place_for(int number) {
  const auto last = last_use_[number];
  const auto length = length_of(number);
  const auto plain = [&](const step_input& in) {  // read just where it was written
    if (in.value != number) return true;
    const auto rows = in_rows(view_of(of_, in), length);
    return rows && rows->offset == 0 && rows->strides[0] == length &&
           (length == 1 || rows->strides[1] == 1);
  };
  for (auto k = made_by_[number] + 1; k <= last; ++k) {
    if (is_elementwise(members_[k]->op) && !std::ranges::all_of(members_[k]->inputs, plain))
      return {};
  }
  for (auto k = is_elementwise(members_[last]->op) ? last : last + 1; k < members_.size(); ++k) {
    const int out = members_[k]->outputs[0];
    const auto lent = lent_.find(out);
    if (needed_[index_of(out)] &&
        of_.types[index_of(out)].element == of_.types[index_of(number)].element &&
        length_of(out) == length && (lent == lent_.end() || lent->second < made_by_[number]))
      return out;
  }
  return {};
}

std::size_t row_joining::output_of(int number) {
  const auto found = std::ranges::find(outputs_, number);
  if (found != outputs_.end()) return static_cast<std::size_t>(found - outputs_.begin());
  outputs_.push_back(number);
  return outputs_.size() - 1;
}

/// Gives back the scratch of values that members [first, end) use last.
void row_joining::give_back(std::size_t first, std::size_t end) {
  for (auto& [number, last] : last_use_) {
    const auto found = known_.find(number);
    if (last < first || last >= end || found == known_.end()) continue;
    if (found->second.where == kept::scratch)
      scratch_.give_back(found->second.position, block_bytes(number));
  }
}

std::int64_t row_joining::length_of(int number) const {
  return rows_.length_in(of_.types[index_of(number)].dims);
}

std::size_t row_joining::bytes_of(int number) const {
  const auto& type = of_.types[index_of(number)];
  return static_cast<std::size_t>(type.dims.size()) * size_of(type.element);
}

std::size_t row_joining::block_bytes(int number) const {
  return bytes_of(number) / static_cast<std::size_t>(all_.rows) *
         static_cast<std::size_t>(rows_in_block(all_));
}

}  // namespace troupe
