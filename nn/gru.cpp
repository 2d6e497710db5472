// SPDX-License-Identifier: MIT
#include "troupe/nn/gru.hpp"

#include <memory>

#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::nn {

namespace {

// Autograd sees all steps as one operation, as in lstm.cpp.

/// Values of a step that the gradient needs.
struct gru_step {
  tensor reset_update;  // two gates side by side
  tensor product;       // factor of the gate r
  tensor candidate, before;
};
using gru_steps = std::vector<gru_step>;

/// Inputs of the operation; the last one exists only if there are biases.
enum : std::size_t { projected, weight, first_hidden, candidate_bias };

tensor run_steps(const std::vector<tensor>& in, bool reverse, gru_steps* keep) {
  const auto count = in[projected].shape()[0], n = in[first_hidden].shape()[1];
  if (keep) keep->resize(static_cast<std::size_t>(count));
  std::vector<tensor> out(static_cast<std::size_t>(count));
  auto hidden = in[first_hidden];
  for (std::int64_t k = 0; k < count; ++k) {
    const auto t = reverse ? count - 1 - k : k;
    const auto of_x = in[projected][t], of_state = matmul(hidden, in[weight]);
    const auto both = sigmoid(slice(of_x, 1, 0, 2 * n) + slice(of_state, 1, 0, 2 * n));
    auto product = slice(of_state, 1, 2 * n, {});
    if (in.size() > candidate_bias) product = product + in[candidate_bias];
    const auto candidate = tanh(slice(of_x, 1, 2 * n, {}) + slice(both, 1, 0, n) * product);
    const auto at = static_cast<std::size_t>(t);
    if (keep) (*keep)[at] = {both, product, candidate, hidden};
    hidden = candidate + slice(both, 1, n, {}) * (hidden - candidate);
    out[at] = hidden;
  }
  return stack(out);
}

/// Derivatives of a step's output: with respect to the inputs of the gates r and z and to the
/// product that r is multiplied with, side by side; and with respect to the candidate's input.
struct slopes {
  tensor state, candidate;
};

slopes slopes_of(const gru_step& s) {
  const auto n = s.candidate.shape()[1];
  const auto reset = slice(s.reset_update, 1, 0, n), update = slice(s.reset_update, 1, n, {});
  const auto both = s.reset_update * (1.0 - s.reset_update);
  const auto candidate = (1.0 - update) * (1.0 - square(s.candidate));
  const auto of_reset = slice(both, 1, 0, n) * (s.product * candidate);
  const auto of_update = slice(both, 1, n, {}) * (s.before - s.candidate);
  return {concatenate({of_reset, of_update, reset * candidate}, 1), candidate};
}

std::vector<tensor> gradients_of_steps(const std::vector<tensor>& in, const tensor& result,
                                       const tensor& arriving, const gru_steps& steps,
                                       bool reverse) {
  const auto count = in[projected].shape()[0], batch = in[first_hidden].shape()[0],
             n = in[first_hidden].shape()[1];
  const auto back = swapaxes(in[weight], 0, 1);
  std::vector<tensor> of_states(steps.size()), of_candidates(steps.size());
  tensor hidden;
  for (std::int64_t k = count - 1; k >= 0; --k) {
    const auto t = reverse ? count - 1 - k : k;
    const auto at = static_cast<std::size_t>(t);
    const auto slope = slopes_of(steps[at]);
    hidden = hidden.defined() ? arriving[t] + hidden : arriving[t];
    of_states[at] =
        reshape(reshape(slope.state, {batch, 3, n}) * expand_dims(hidden, 1), {batch, 3 * n});
    of_candidates[at] = hidden * slope.candidate;
    hidden = hidden * slice(steps[at].reset_update, 1, n, {}) + matmul(of_states[at], back);
  }
  const auto all = stack(of_states);
  tensor of_weight;
  if (in[weight].node())
    of_weight = detail::state_weight_gradient(result, in[first_hidden], all, reverse);
  std::vector<tensor> out{concatenate({slice(all, 2, 0, 2 * n), stack(of_candidates)}, 2),
                          of_weight, hidden};
  if (in.size() > candidate_bias) out.push_back(sum(slice(all, 2, 2 * n, {}), {0, 1}));
  return out;
}

/// Returns the bias added for all steps at once: that of the gates r and z; that of n takes part in
/// its product with r.
tensor early_bias(const detail::recurrent_arrays& w, std::int64_t n) {
  if (!w.input_bias.defined()) return {};
  return concatenate({slice(w.input_bias, 0, 0, 2 * n) + slice(w.state_bias, 0, 0, 2 * n),
                      slice(w.input_bias, 0, 2 * n, {})});
}

tensor run_gru(const tensor& x, const detail::recurrent_arrays& w, std::span<const tensor> first,
               bool reverse, caller where) {
  const auto n = first[0].shape()[1];
  std::vector<tensor> inputs{detail::project_steps(x, w.input_weight, early_bias(w, n)),
                             w.state_weight, first[0]};
  if (w.state_bias.defined()) inputs.push_back(slice(w.state_bias, 0, 2 * n, {}));
  const auto kept = recording::active() ? std::make_shared<gru_steps>() : nullptr;
  return custom_gradient(
      inputs, [&](const std::vector<tensor>& in) { return run_steps(in, reverse, kept.get()); },
      [=](const std::vector<tensor>& in, const tensor& result, const tensor& arriving) {
        if (!recording::active()) return gradients_of_steps(in, result, arriving, *kept, reverse);
        gru_steps again;  // recorded, for the gradient of the gradient
        run_steps(in, reverse, &again);
        return gradients_of_steps(in, result, arriving, again, reverse);
      },
      where);
}

constexpr std::string_view states[] = {"hidden"};
constexpr detail::recurrent_kind kind{"gru", 3, states, run_gru};

}  // namespace

gru::gru(std::int64_t hidden, recurrent_options options, caller where)
    : layers_(kind, hidden, std::move(options), where) {}

gru_result gru::run(const tensor& x, const tensor& first, caller where) const {
  const tensor states[] = {first};
  auto [y, last] = layers_.run(x, states, where);
  return {std::move(y), std::move(last[0])};
}

}  // namespace troupe::nn
