// SPDX-License-Identifier: MIT
#include "troupe/nn/lstm.hpp"

#include <memory>

#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::nn {

namespace {

// Autograd sees all steps as one operation: the gradients of the weight are then two products, not
// two for each step, and the gradient of an array is not assembled part by part.

/// Values of a step that the gradient needs.
struct lstm_step {
  tensor input_forget;  // two gates side by side
  tensor candidate, output, cell, squashed;
};
using lstm_steps = std::vector<lstm_step>;

/// Inputs of the operation.
enum : std::size_t { projected, weight, first_hidden, first_cell };

tensor run_steps(const std::vector<tensor>& in, bool reverse, lstm_steps* keep) {
  const auto count = in[projected].shape()[0], n = in[first_hidden].shape()[1];
  if (keep) keep->resize(static_cast<std::size_t>(count));
  std::vector<tensor> out(static_cast<std::size_t>(count) + 1);
  auto hidden = in[first_hidden], cell = in[first_cell];
  for (std::int64_t k = 0; k < count; ++k) {
    const auto t = reverse ? count - 1 - k : k;
    const auto gates = matmul(hidden, in[weight]) + in[projected][t];
    const auto input_forget = sigmoid(slice(gates, 1, 0, 2 * n));
    const auto candidate = tanh(slice(gates, 1, 2 * n, 3 * n));
    const auto output = sigmoid(slice(gates, 1, 3 * n, {}));
    cell = slice(input_forget, 1, n, {}) * cell + slice(input_forget, 1, 0, n) * candidate;
    const auto squashed = tanh(cell);
    hidden = output * squashed;
    const auto at = static_cast<std::size_t>(t);
    if (keep) (*keep)[at] = {input_forget, candidate, output, cell, squashed};
    out[at] = hidden;
  }
  out.back() = cell;
  return stack(out);
}

/// Derivatives of a step that do not depend on the gradient of its outputs: of the cell with
/// respect to the inputs of the gates i, f and g, and of the hidden state with respect to the cell
/// and to the input of the gate o.
struct slopes {
  tensor gates, cell, output;
};

slopes slopes_of(const lstm_step& s, const tensor& cell_before) {
  const auto n = s.cell.shape()[1];
  const auto both = s.input_forget * (1.0 - s.input_forget);
  const auto of_input = slice(both, 1, 0, n) * s.candidate;
  const auto of_forget = slice(both, 1, n, {}) * cell_before;
  const auto of_candidate = slice(s.input_forget, 1, 0, n) * (1.0 - square(s.candidate));
  return {concatenate({of_input, of_forget, of_candidate}, 1),
          s.output * (1.0 - square(s.squashed)), s.squashed * (s.output * (1.0 - s.output))};
}

std::vector<tensor> gradients_of_steps(const std::vector<tensor>& in, const tensor& result,
                                       const tensor& arriving, const lstm_steps& steps,
                                       bool reverse) {
  const auto count = in[projected].shape()[0], batch = in[first_hidden].shape()[0],
             n = in[first_hidden].shape()[1];
  const auto back = swapaxes(in[weight], 0, 1);
  std::vector<tensor> of_gates(steps.size());
  tensor hidden, cell = arriving[count];
  for (std::int64_t k = count - 1; k >= 0; --k) {
    const auto t = reverse ? count - 1 - k : k;
    const auto& s = steps[static_cast<std::size_t>(t)];
    const auto& before =
        k == 0 ? in[first_cell] : steps[static_cast<std::size_t>(reverse ? t + 1 : t - 1)].cell;
    const auto slope = slopes_of(s, before);
    hidden = hidden.defined() ? arriving[t] + hidden : arriving[t];
    cell = cell + hidden * slope.cell;
    const auto of_three = reshape(slope.gates, {batch, 3, n}) * expand_dims(cell, 1);
    auto& g = of_gates[static_cast<std::size_t>(t)];
    g = concatenate({reshape(of_three, {batch, 3 * n}), hidden * slope.output}, 1);
    cell = cell * slice(s.input_forget, 1, n, {});
    hidden = matmul(g, back);
  }
  const auto all = stack(of_gates);
  tensor of_weight;
  if (in[weight].node())
    of_weight =
        detail::state_weight_gradient(result.slice(0, 0, count), in[first_hidden], all, reverse);
  return {all, of_weight, hidden, cell};
}

tensor run_lstm(const tensor& x, const detail::recurrent_arrays& w, std::span<const tensor> first,
                bool reverse, caller where) {
  const auto bias = w.input_bias.defined() ? w.input_bias + w.state_bias : tensor();
  const auto kept = recording::active() ? std::make_shared<lstm_steps>() : nullptr;
  return custom_gradient(
      {detail::project_steps(x, w.input_weight, bias), w.state_weight, first[0], first[1]},
      [&](const std::vector<tensor>& in) { return run_steps(in, reverse, kept.get()); },
      [=](const std::vector<tensor>& in, const tensor& result, const tensor& arriving) {
        if (!recording::active()) return gradients_of_steps(in, result, arriving, *kept, reverse);
        lstm_steps again;  // recorded, for the gradient of the gradient
        run_steps(in, reverse, &again);
        return gradients_of_steps(in, result, arriving, again, reverse);
      },
      where);
}

constexpr std::string_view states[] = {"hidden", "cell"};
constexpr detail::recurrent_kind kind{"lstm", 4, states, run_lstm};

}  // namespace

lstm::lstm(std::int64_t hidden, recurrent_options options, caller where)
    : layers_(kind, hidden, std::move(options), where) {}

lstm_result lstm::run(const tensor& x, const lstm_state& first, caller where) const {
  const tensor states[] = {first.hidden, first.cell};
  auto [y, last] = layers_.run(x, states, where);
  return {std::move(y), {std::move(last[0]), std::move(last[1])}};
}

}  // namespace troupe::nn
