// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/compiled_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string_view>

#include "troupe/devices/trace_elementwise.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

namespace {

using kept = joined_operand::kept;

constexpr std::int64_t chunk_size = 32768;
constexpr std::int64_t shortest_row = 32;  // shorter ones go together, block by block

bool wanted() noexcept {
  const char* const set = std::getenv("TROUPE_JIT");
  return !set || std::string_view(set) != "0";
}

/// Returns the dtype that the inputs of a step promote to.
dtype common_dtype(const joined_step& s, elementwise_op op) noexcept {
  const bool chosen = info(op).domain == elementwise_domain::selection;
  auto out = boolean;
  for (std::size_t k = chosen ? 1 : 0; k < s.inputs.size(); ++k)
    out = promote(out, s.inputs[k].element);
  return out;
}

/// Returns true for integers of 8 and 16 bits, which code widens as it loads them.
constexpr bool is_small_integer(dtype t) noexcept { return is_narrow_integer(t) && t != uint32; }

}  // namespace

bool compiled_rows::converts(dtype from, dtype to) noexcept {
  if (is_small_integer(from) || from == boolean || from == int32)
    return to == int32 || to == int64 || to == float32 || to == float64;
  return (from == float32 && to == float64) || (from == float64 && to == float32);
}

/// Expression that is being made of steps.
class compiled_rows::reader {
 public:
  /// Elements of rows lie side by side, or are all the same, unless `any_stride`.
  reader(compiled_rows& into, bool column, bool any_stride)
      : into_(&into), column_(column), any_stride_(any_stride) {}

  /// Returns the expression; a refused one where steps are not covered.
  element_expression read(const joined_steps& steps) {
    for (const auto& s : steps.steps) {
      const auto& out = s.outputs[0];
      const auto node = node_of(s);
      if (expression_.refused()) break;
      known_[{out.where, out.position}] = node;
      if (out.where != kept::output) continue;
      expression_.outputs.push_back(node);
      into_->outputs_.push_back({out.position, static_cast<std::int64_t>(size_of(out.element))});
    }
    return std::move(expression_);
  }

 private:
  std::int16_t node_of(const joined_step& s) {
    const auto to = s.outputs[0].element;
    std::int16_t operands[3];
    for (std::size_t k = 0; k < s.inputs.size(); ++k) operands[k] = operand(s.inputs[k]);
    if (expression_.refused()) return 0;
    if (s.op == &astype_operation) {
      if (!converts(s.inputs[0].element, to)) return refused();
      if (expression_[operands[0]].type == to) return operands[0];
      return expression_.add({primitive::convert, to, {operands[0]}});
    }
    const auto op = static_cast<elementwise_op>(s.op - elementwise_records);
    const auto types = types_of(op, common_dtype(s, op));
    if (!types || types->result != to || !is_computed(to) || !is_computed(types->compute))
      return refused();
    return trace(expression_, op, types->compute, operands);
  }

  std::int16_t refused() noexcept {
    expression_.refuse();
    return 0;
  }

  std::int16_t operand(const joined_operand& x) {
    const bool widened = is_small_integer(x.element) && x.where == kept::input;
    if (!(is_computed(x.element) || widened) || x.element == uint64) return refused();
    if (x.where == kept::number) {
      into_->numbers_.push_back(x.immediate);
      return expression_.add({primitive::number, x.element, {}, into_->numbers_.size() - 1});
    }
    if (x.where != kept::input) return known_[{x.where, x.position}];
    input in{x.position,
             x.view.offset,
             {x.view.strides[0], x.view.strides[1]},
             x.repeats,
             static_cast<std::int64_t>(size_of(x.element))};
    if (column_ && !in.repeats.none()) return refused();
    if (column_) std::swap(in.strides[0], in.strides[1]);
    if (!any_stride_ && in.strides[1] != 0 && in.strides[1] != 1) return refused();
    const bool uniform = in.strides[1] == 0;
    if (widened && uniform && !any_stride_) return refused();
    auto& all = into_->inputs_;
    auto found = std::ranges::find(all, in);
    if (found == all.end()) found = all.insert(found, in);
    const auto position = static_cast<std::uint64_t>(found - all.begin());
    const auto node =
        expression_.add({uniform ? primitive::uniform : primitive::input, x.element, {}, position});
    return widened ? expression_.add({primitive::convert, int32, {node}}) : node;
  }

  compiled_rows* into_;
  bool column_;  ///< rows of one element are taken as a single row
  bool any_stride_;
  element_expression expression_;
  std::map<std::pair<kept, std::size_t>, std::int16_t> known_;  ///< what steps computed
};

std::shared_ptr<const compiled_rows> compiled_rows::for_lanes(const joined_steps& steps) {
  if (!wanted()) return nullptr;
  auto out = std::make_shared<compiled_rows>();
  const auto e = out->read(steps, false);
  if (e.refused() || out->row_ < shortest_row) return nullptr;
  out->on_lanes_ = cpu_kernels::jit::kernel_of(e);
  return out->on_lanes_ ? out : nullptr;
}

std::shared_ptr<const compiled_rows> compiled_rows::for_streams(const joined_steps& steps,
                                                                driver& of) {
  if (!wanted()) return nullptr;
  auto out = std::make_shared<compiled_rows>();
  const auto e = out->read(steps, true);
  if (e.refused()) return nullptr;
  out->on_stream_ = of.compile(e);
  return out->on_stream_ ? out : nullptr;
}

/// Notes the operands; returns what is computed.
element_expression compiled_rows::read(const joined_steps& steps, bool any_stride) {
  rows_ = steps.rows;
  row_ = steps.row;
  const bool column = steps.row == 1;
  if (column) std::swap(rows_, row_);
  auto out = reader(*this, column, any_stride).read(steps);
  merge_rows();
  return out;
}

/// Makes rows one, as many as lie one behind the other in each input, or are the same.
void compiled_rows::merge_rows() noexcept {
  auto together = std::max<std::int64_t>(rows_, 1);
  for (const auto& x : inputs_) {
    const auto& again = x.repeats;
    if (!x.continues(row_)) together = std::gcd(together, x.strides[1] == 0 ? again.each : 1);
    else if (again.period > 0) together = std::gcd(together, again.period);
  }
  for (auto& x : inputs_) {
    if (x.continues(row_)) {
      x.strides[0] *= together;
      x.repeats.period /= together;
    } else {
      x.repeats.each /= together;
    }
  }
  row_ *= together;
  rows_ /= together;
}

std::int64_t compiled_rows::chunks() const noexcept {
  return (rows_ * row_ + chunk_size - 1) / chunk_size;
}

void compiled_rows::run(const kernel_args& args, std::int64_t first, std::int64_t last) const {
  run_elements(args, first * chunk_size, std::min(rows_ * row_, last * chunk_size));
}

void compiled_rows::run_elements(const kernel_args& args, std::int64_t first,
                                 std::int64_t last) const {
  const void* in[cpu_kernels::jit::row_kernel::most_words];
  void* out[cpu_kernels::jit::row_kernel::most_words];
  for (auto i = first; i < last;) {
    const auto row = i / row_, column = i % row_;
    const auto n = std::min(last - i, row_ - column);
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      const auto& x = inputs_[k];
      const auto element = x.offset + x.repeats.row(row) * x.strides[0] + column * x.strides[1];
      in[k] = args.inputs[x.position].as<const std::byte>() + element * x.size;
    }
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      out[k] = args.outputs[outputs_[k].position].as<std::byte>() + i * outputs_[k].size;
    on_lanes_->run(in, out, numbers_.data(), n);
    i += n;
  }
}

void compiled_rows::launch(const kernel_args& args, stream& on) const {
  std::vector<row_input> in;
  for (const auto& x : inputs_)
    in.push_back({args.inputs[x.position].as<const std::byte>() + x.offset * x.size, x.strides[0],
                  x.strides[1], x.repeats});
  std::vector<void*> out;
  for (const auto& y : outputs_) out.push_back(args.outputs[y.position].data);
  on_stream_->launch({rows_, row_, in, out, numbers_}, on);
}

}  // namespace troupe
