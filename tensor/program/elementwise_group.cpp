// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/elementwise_group.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/program/compiled_rows.hpp"
#include "troupe/tensor/program/row_joining.hpp"
#include "troupe/tensor/program/row_steps.hpp"
#include "troupe/tensor/program/scratch_plan.hpp"
#include "troupe/tensor/program/step_chunks.hpp"

namespace troupe {

namespace {

using kept = joined_operand::kept;

constexpr std::int64_t worth_joining = 4096;  // elements, on lanes; on a stream each launch counts
constexpr std::int64_t worth_a_block = 256;
constexpr std::size_t most_joined = 24;
constexpr double worth_sharing = 20'000;  // nanoseconds, by estimate

/// Returns true for a row of elementwise.def, and for a conversion to a dtype that is computed in.
bool is_row(const graph& of, const program_step& s) noexcept {
  if (s.op == &astype_operation) {
    const auto from = s.inputs[0].element,
               to = of.types[static_cast<std::size_t>(s.outputs[0])].element;
    return compiled_rows::converts(from, to);
  }
  return s.op >= elementwise_records && s.op < elementwise_records + elementwise_op_count;
}

/// Returns true for a reduction that can take blocks.
bool takes_blocks(const program_step& s) noexcept {
  return s.kernel && s.kernel->by_blocks && s.device.traits().synchronous && !s.renewed;
}

bool covers(const layout& view, const shape& whole) noexcept {
  return view.offset == 0 && view.dims == whole && view.contiguous();
}

bool contains(const std::vector<int>& some, int number) noexcept {
  return std::ranges::find(some, number) != some.end();
}

}  // namespace

const tensor_type& elementwise_group::type_of(int number) const {
  return of_->types[static_cast<std::size_t>(number)];
}

bool elementwise_group::computes(int number) const noexcept { return contains(computed_, number); }

bool elementwise_group::makes(int number) const noexcept {
  return computes(number) || contains(reduced_, number) || number == led_by();
}

bool elementwise_group::takes(const program_step& s) const {
  if (s.outputs.size() != 1 || members_.size() >= most_joined) return false;
  return (takes_blocks(s) ? !led() && takes_reduction(s) : takes_row(s)) && keeps_lanes(s);
}

/// Returns true if the elementwise steps of the group with one more step still get the lanes that
/// they are worth, though the step that leads them, or reduces them, may have fewer chunks.
bool elementwise_group::keeps_lanes(const program_step& s) const {
  const program_step* divided = takes_blocks(s) ? &s : nullptr;
  auto flops = divided ? 0 : s.cost.flops;
  for (const auto* one : members_) {
    if (takes_blocks(*one) || one->outputs[0] == led_by()) divided = one;
    else flops += one->cost.flops;
  }
  return !divided || flops * s.device.traits().nanoseconds_per_flop < worth_sharing ||
         is_shared(*divided, *of_);
}

bool elementwise_group::is_closed_by(const program_step& s) const {
  const auto is_large = [&](int number) { return type_of(number).dims.size() >= worth_joining; };
  return (!reduced_.empty() || (led() && !computed_.empty())) &&
         std::ranges::any_of(s.outputs, is_large);
}

bool elementwise_group::takes_row(const program_step& s) const {
  if (!is_row(*of_, s) || !s.kernel) return false;
  const auto& dims = type_of(s.outputs[0]).dims;
  if (!(s.device.traits().synchronous ? takes_on_lanes(s) : takes_on_stream(s))) return false;
  if (!empty() && s.device != members_[0]->device) return false;
  if (!computed_.empty() && dims != type_of(computed_[0]).dims) return false;
  const auto fits = [&](const step_input& in) {
    if (in.value < 0) return true;
    if (contains(reduced_, in.value)) return false;  // that needs all elements
    const auto view = view_of(*of_, in);
    if (in.value == led_by())
      return covers(view, dims) && type_of(in.value).dims.size() == dims.size();
    if (computes(in.value)) return covers(view, dims);
    const auto rows = view.dims == dims ? in_repeated_rows(view) : std::nullopt;
    return rows && (s.device.traits().synchronous || rows->repeats.none() || dims[-1] > 1) &&
           (!led() || ready_[static_cast<std::size_t>(in.value)]);
  };
  const auto follows = [&](const step_input& in) { return in.value == led_by(); };
  return std::ranges::all_of(s.inputs, fits) &&
         (!led() || !computed_.empty() || std::ranges::any_of(s.inputs, follows));
}

bool elementwise_group::takes_on_lanes(const program_step& s) const {
  return s.kernel->run && !s.kernel->scratch_bytes && !s.kernel->finish &&
         type_of(s.outputs[0]).dims.size() >= worth_joining;
}

/// Nothing else than compiled code runs a group on a stream, and that takes only dtypes that are
/// computed in, and those that it can convert to them.
bool elementwise_group::takes_on_stream(const program_step& s) const {
  const auto& out = type_of(s.outputs[0]);
  const auto taken = [&](const step_input& in) {
    return s.op == &astype_operation ? compiled_rows::converts(in.element, out.element)
                                     : is_computed(in.element);
  };
  return s.kernel->launch && out.dims.size() > 0 && is_computed(out.element) &&
         std::ranges::all_of(s.inputs, taken);
}

/// Returns true for a reduction of all elements of what a member computes.
bool elementwise_group::takes_reduction(const program_step& s) const {
  const auto& in = s.inputs[0];
  if (s.inputs.size() != 1 || in.value < 0 || !computes(in.value)) return false;
  const auto view = view_of(*of_, in);
  return s.device == members_[0]->device && type_of(s.outputs[0]).dims.size() == 1 &&
         view.offset == 0 && view.contiguous() && view.dims.size() == type_of(in.value).dims.size();
}

void elementwise_group::add(program_step& s) {
  members_.push_back(&s);
  (takes_blocks(s) ? reduced_ : computed_).push_back(s.outputs[0]);
}

void elementwise_group::lead(program_step& s, const std::vector<bool>& ready) {
  members_.push_back(&s);
  ready_ = ready;
}

program_step& elementwise_group::stop_leading() {
  auto* const s = members_.front();
  members_.erase(members_.begin());
  ready_.clear();
  return *s;
}

int elementwise_group::home(const std::vector<bool>& needed) const {
  const auto is_needed = [&](int number) { return needed[static_cast<std::size_t>(number)]; };
  if (is_needed(led_by())) return led_by();
  for (auto i = last_reader(led_by()); i < members_.size(); ++i) {
    const int number = members_[i]->outputs[0];
    if (is_needed(number) && type_of(number).element == type_of(led_by()).element) return number;
  }
  return -1;
}

/// Maker of the joined step.
class elementwise_group::joining {
 public:
  joining(const elementwise_group& of, const std::vector<bool>& needed)
      : of_(of), needed_(needed), written_(count_of_written()) {
    const auto rows = in_repeated_rows(layout(of_.type_of(of_.computed_[0]).dims));
    all_.rows = rows->view.dims[0];
    all_.row = rows->view.dims[1];
    if (!of_.led() && of_.reduced_.empty()) all_.block = block_for(widest_element());
  }

  std::optional<program_step> joined() {
    for (std::size_t i = 0; i < of_.members_.size(); ++i) {
      auto& s = *of_.members_[i];
      if (i == 0 && of_.led()) add_leading(s);
      else if (takes_blocks(s)) add_reduction(s);
      else add(s);
      give_back(i);
    }
    if (of_.led()) place_leading();
    all_.scratch_bytes = scratch_.bytes();
    const auto device = of_.members_[0]->device;
    const auto& pace = device.traits();
    if (period_ > 0) all_.rows_together = rows_together(all_, period_);
    if (pace.synchronous) all_.compiled = compiled_rows::for_lanes(all_);
    else if (!of_.compile(all_, device)) return {};
    const bool in_blocks = pace.synchronous && !all_.compiled && !of_.led();
    if (in_blocks && period_ > 0 && block_elements(all_) < worth_a_block) return {};
    const auto& by = of_.led()                 ? led_kernel
                     : all_.reductions.empty() ? fused_kernel
                                               : reduced_kernel;
    for (const int number : of_.reduced_) outputs_.push_back(number);
    auto s = troupe::joined(fused_operation, by, std::move(all_), std::move(inputs_),
                            std::move(outputs_), {of_.members_.begin(), of_.members_.end()});
    s.cost.bytes = bytes_;
    s.estimate = static_cast<float>(pace.nanoseconds_for(bytes_, s.cost.flops));
    if (of_.led()) s.estimate = std::max(s.estimate, of_.members_[0]->estimate);
    s.scratch = std::max(s.scratch, reductions_scratch());
    return s;
  }

 private:
  /// Returns how many elements of so many bytes are worth a call of each step, and stay in the
  /// cache.
  static std::int64_t block_for(std::size_t bytes) noexcept {
    return static_cast<std::int64_t>((std::size_t{32} << 10) / bytes);
  }
  std::size_t widest_element() const {
    std::size_t widest = 1;
    for (const auto* s : of_.members_) {
      for (const auto& in : s->inputs) widest = std::max(widest, size_of(in.element));
      for (const int number : s->outputs)
        widest = std::max(widest, size_of(of_.type_of(number).element));
    }
    return widest;
  }
  bool is_needed(int number) const { return needed_[static_cast<std::size_t>(number)]; }
  std::size_t count_of_written() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(of_.computed_, [&](int number) { return is_needed(number); }));
  }
  /// Returns the bytes of scratch of all reductions, which have their own each.
  std::size_t reductions_scratch() const {
    constexpr std::size_t line = 64;
    std::size_t bytes = 0;
    for (const auto* s : of_.members_) {
      if (takes_blocks(*s)) bytes += (s->scratch + line - 1) / line * line;
    }
    return bytes;
  }
  bool is_reduced(int number) const {
    return std::ranges::any_of(of_.members_, [&](const program_step* s) {
      return takes_blocks(*s) && s->inputs[0].value == number;
    });
  }
  double bytes_of(int number) const {
    const auto& type = of_.type_of(number);
    return static_cast<double>(type.dims.size()) * static_cast<double>(size_of(type.element));
  }
  std::size_t block_bytes(int number) const {
    return static_cast<std::size_t>(block_elements(all_)) * size_of(of_.type_of(number).element);
  }

  void add(const program_step& s) {
    joined_step one{s.op, s.call_site, s.kernel, s.given.copy(), {}, {}};
    for (const auto& in : s.inputs) one.inputs.push_back(operand_of(in));
    one.outputs.push_back(result(s.outputs[0]));
    all_.steps.push_back(std::move(one));
  }

  void add_leading(const program_step& s) {
    all_.leading.emplace(joined_step{s.op, s.call_site, s.kernel, s.given.copy(), {}, {}});
    for (const auto& in : s.inputs) {
      auto x = from_outside(in);
      x.view = view_of(*of_.of_, in);
      x.element = in.element;
      all_.leading->inputs.push_back(x);
    }
    joined_operand x;
    x.where = kept::input;
    x.element = of_.type_of(s.outputs[0]).element;
    x.view = layout(of_.type_of(s.outputs[0]).dims);
    all_.leading->outputs.push_back(x);
    known_[s.outputs[0]] = x;
    if (!is_needed(s.outputs[0])) return;
    outputs_.push_back(s.outputs[0]);
    bytes_ += bytes_of(s.outputs[0]);
  }

  void place_leading() {
    const auto home = std::ranges::find(outputs_, of_.home(needed_));
    all_.leading->outputs[0].position = static_cast<std::size_t>(home - outputs_.begin());
  }

  /// Returns an operand that is computed outside, and makes it an input if it is none yet.
  joined_operand from_outside(const step_input& in) {
    const auto [found, fresh] = known_.try_emplace(in.value);
    if (fresh) {
      found->second.where = kept::input;
      found->second.position = inputs_.size() + (of_.led() ? 1 : 0);
      inputs_.push_back({in.value, {}, 0, of_.type_of(in.value).element, {}});
      bytes_ += bytes_of(in.value);
    }
    return found->second;
  }

  void add_reduction(const program_step& s) {
    const auto position = known_[s.inputs[0].value].position;
    const auto output = written_ + all_.reductions.size();
    all_.reductions.push_back({s.kernel,
                               reduction_attributes{1, s.given.as<reduction_attributes>().ddof},
                               position, output});
  }

  joined_operand operand_of(const step_input& in) {
    joined_operand x;
    if (in.value >= 0) {
      const auto found = known_.find(in.value);
      x = found != known_.end() ? found->second : from_outside(in);
      if (x.where == kept::input) {
        const auto rows = in_repeated_rows(view_of(*of_.of_, in));
        x.view = rows->view;
        x.repeats = rows->repeats;
        if (!x.repeats.none())
          period_ = std::gcd(period_, x.repeats.each > 1 ? x.repeats.each : x.repeats.period);
      }
    }
    x.immediate = in.immediate;
    x.element = in.element;
    return x;
  }

  joined_operand result(int number) {
    joined_operand x;
    x.element = of_.type_of(number).element;
    if (is_needed(number)) {
      x.where = kept::output;
      x.position = outputs_.size();
      outputs_.push_back(number);
      bytes_ += bytes_of(number);
    } else if (is_reduced(number)) {
      x.where = kept::output;
      x.position = written_ + of_.reduced_.size() + all_.blocks.size();
      all_.blocks.push_back(x.element);
    } else {
      x.where = kept::scratch;
      x.position = scratch_.take(block_bytes(number));
    }
    return known_[number] = x;
  }

  /// Gives back the scratch of values that a member uses last.
  void give_back(std::size_t member) {
    for (const int number : of_.computed_) {
      const auto found = known_.find(number);
      if (found == known_.end() || found->second.where != kept::scratch) continue;
      if (of_.last_reader(number) == member)
        scratch_.give_back(found->second.position, block_bytes(number));
    }
  }

  const elementwise_group& of_;
  const std::vector<bool>& needed_;
  std::size_t written_;  ///< number of elementwise results that others need
  joined_steps all_;
  scratch_plan scratch_;
  std::vector<step_input> inputs_;
  std::vector<int> outputs_;
  std::unordered_map<int, joined_operand> known_;
  double bytes_ = 0;
  std::int64_t period_ = 0;  ///< operands' rows come again after multiples of it only; 0: never
};

std::optional<program_step> elementwise_group::join(const std::vector<bool>& needed) const {
  return joining(*this, needed).joined();
}

/// Returns the last member that reads a value; the one that computes it if none does.
std::size_t elementwise_group::last_reader(int number) const {
  std::size_t last = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const auto reads =
        std::ranges::any_of(members_[i]->inputs, [&](auto& in) { return in.value == number; });
    if (reads || members_[i]->outputs[0] == number) last = i;
  }
  return last;
}

bool elementwise_group::compile(joined_steps& all, device on) const {
  auto& where = on_->at(on, "compile", members_[0]->call_site);
  all.compiled = compiled_rows::for_streams(all, where);
  return all.compiled != nullptr;
}

}  // namespace troupe
