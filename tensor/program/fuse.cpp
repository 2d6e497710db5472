// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/program/compiled_rows.hpp"
#include "troupe/tensor/program/joined_steps.hpp"
#include "troupe/tensor/program/passes.hpp"
#include "troupe/tensor/program/row_joining.hpp"
#include "troupe/tensor/program/row_steps.hpp"
#include "troupe/tensor/program/scratch_plan.hpp"

namespace troupe {

namespace {

using kept = joined_operand::kept;

constexpr std::int64_t worth_joining = 4096;  // elements, on lanes; on a stream each launch counts
constexpr std::size_t most_joined = 24;

/// Returns true for a row of elementwise.def.
bool is_row(const operation* op) noexcept {
  return op >= elementwise_records && op < elementwise_records + elementwise_op_count;
}

/// Returns the rows that the last axis makes up, as `in_rows` does.
std::optional<layout> by_rows(const layout& of) {
  const int rank = of.dims.rank();
  return in_rows(of, rank > 0 ? of.dims[rank - 1] : 1);
}

bool covers(const layout& view, const shape& whole) noexcept {
  return view.offset == 0 && view.dims == whole && view.contiguous();
}

/// Steps that are being joined.
class group {
 public:
  group(const graph& of, const engine& on) : of_(&of), on_(&on) {}

  bool empty() const noexcept { return members_.empty(); }
  bool computes(int number) const noexcept {
    return std::ranges::find(computed_, number) != computed_.end();
  }

  /// Returns true if a step can join those that are there.
  bool takes(const program_step& s) const {
    if (!is_row(s.op) || !s.kernel || s.outputs.size() != 1 || members_.size() >= most_joined)
      return false;
    const auto& dims = type_of(s.outputs[0]).dims;
    if (!(s.device.traits().synchronous ? takes_on_lanes(s) : takes_on_stream(s))) return false;
    if (!empty() && (dims != type_of(computed_[0]).dims || s.device != members_[0]->device))
      return false;
    return std::ranges::all_of(s.inputs, [&](const step_input& in) {
      if (in.value < 0) return true;
      const auto view = view_of(*of_, in);
      if (computes(in.value)) return covers(view, dims);
      return view.dims == dims && by_rows(view).has_value();
    });
  }

  void add(program_step& s) {
    members_.push_back(&s);
    computed_.push_back(s.outputs[0]);
  }

  const std::vector<program_step*>& members() const noexcept { return members_; }

  /// Returns the joined step; none where a stream has no code for it. `needed` says which values
  /// others need.
  std::optional<program_step> join(const std::vector<bool>& needed) const {
    const auto& dims = type_of(computed_[0]).dims;
    const auto rows = by_rows(layout(dims))->dims;
    joined_steps all;
    all.rows = rows[0];
    all.row = rows[1];
    scratch_plan scratch;
    std::vector<step_input> inputs;
    std::vector<int> outputs;
    std::unordered_map<int, joined_operand> known;
    double bytes = 0;
    const auto moved = [&](int number) {
      const auto& type = type_of(number);
      return static_cast<double>(type.dims.size()) * static_cast<double>(size_of(type.element));
    };
    const auto operand_of = [&](const step_input& in) {
      joined_operand x;
      if (in.value >= 0) {
        const auto [found, fresh] = known.try_emplace(in.value);
        if (fresh) {  // it is computed outside
          found->second.where = kept::input;
          found->second.position = inputs.size();
          inputs.push_back({in.value, {}, 0, in.element, {}});
          bytes += moved(in.value);
        }
        x = found->second;
        if (x.where == kept::input) x.view = *by_rows(view_of(*of_, in));
      }
      x.immediate = in.immediate;
      x.element = in.element;
      return x;
    };
    const auto block_bytes = [&](int number) {
      return static_cast<std::size_t>(block_elements(all)) * size_of(type_of(number).element);
    };
    const auto result = [&](int number) {
      joined_operand x;
      x.element = type_of(number).element;
      if (needed[static_cast<std::size_t>(number)]) {
        x.where = kept::output;
        x.position = outputs.size();
        outputs.push_back(number);
        bytes += moved(number);
      } else {
        x.where = kept::scratch;
        x.position = scratch.take(block_bytes(number));
      }
      return known[number] = x;
    };
    for (std::size_t i = 0; i < members_.size(); ++i) {
      auto& s = *members_[i];
      joined_step one{s.op, s.call_site, s.kernel, s.given.copy(), {}, {}};
      for (const auto& in : s.inputs) one.inputs.push_back(operand_of(in));
      one.outputs.push_back(result(s.outputs[0]));
      all.steps.push_back(std::move(one));
      for (std::size_t j = 0; j <= i; ++j) {
        const auto& x = known[computed_[j]];
        if (x.where == kept::scratch && last_reader(computed_[j]) == i)
          scratch.give_back(x.position, block_bytes(computed_[j]));
      }
    }
    all.scratch_bytes = scratch.bytes();
    const auto device = members_[0]->device;
    const bool on_lanes = device.traits().synchronous;
    if (on_lanes) all.compiled = compiled_rows::for_lanes(all);
    else if (!compile(all, device)) return {};
    auto s = joined(fused_operation, fused_kernel, std::move(all), std::move(inputs),
                    std::move(outputs), {members_.begin(), members_.end()});
    s.cost.bytes = bytes;
    const auto& pace = device.traits();
    s.estimate = static_cast<float>(
        std::max(bytes / pace.bytes_per_nanosecond, s.cost.flops / pace.flops_per_nanosecond));
    return s;
  }

 private:
  const tensor_type& type_of(int number) const {
    return of_->types[static_cast<std::size_t>(number)];
  }
  /// Returns the last member that reads a value; the one that computes it if none does.
  std::size_t last_reader(int number) const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const auto reads =
          std::ranges::any_of(members_[i]->inputs, [&](auto& in) { return in.value == number; });
      if (reads || computed_[i] == number) last = i;
    }
    return last;
  }

  bool takes_on_lanes(const program_step& s) const {
    return s.kernel->run && !s.kernel->scratch_bytes && !s.kernel->finish &&
           type_of(s.outputs[0]).dims.size() >= worth_joining;
  }
  /// Nothing else than compiled code runs a group on a stream, and that takes only dtypes that are
  /// computed in.
  bool takes_on_stream(const program_step& s) const {
    const auto computed = [](const step_input& in) { return is_computed(in.element); };
    const auto& out = type_of(s.outputs[0]);
    return s.kernel->launch && out.dims.size() > 0 && is_computed(out.element) &&
           std::ranges::all_of(s.inputs, computed);
  }
  bool compile(joined_steps& all, device on) const {
    auto& where = on_->at(on, "compile", members_[0]->call_site);
    all.compiled = compiled_rows::for_streams(all, where);
    return all.compiled != nullptr;
  }

  const graph* of_;
  const engine* on_;
  std::vector<program_step*> members_;
  std::vector<int> computed_;
};

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

  std::vector<program_step> out;
  group open(of, on);
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
    return open.join(needed);
  };
  const auto close = [&] {
    if (auto one = joined()) {
      lines.push_back(line_of(open.members(), *one));
      out.push_back(std::move(*one));
    } else {
      for (auto* s : open.members()) out.push_back(std::move(*s));
    }
    open = group(of, on);
  };
  for (auto& s : of.steps) {
    if (open.takes(s)) {
      open.add(s);
      continue;
    }
    const bool reads = std::ranges::any_of(
        s.inputs, [&](const step_input& in) { return in.value >= 0 && open.computes(in.value); });
    group alone(of, on);
    if (reads || alone.takes(s)) close();
    if (open.takes(s)) open.add(s);
    else out.push_back(std::move(s));
  }
  close();
  of.steps = std::move(out);
  return lines;
}

}  // namespace troupe
