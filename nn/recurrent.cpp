// SPDX-License-Identifier: MIT
#include "troupe/nn/recurrent.hpp"

#include <cmath>

#include "troupe/nn/initialiser.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::nn::detail {

namespace {

[[noreturn]] void refuse(const recurrent_kind& kind, const std::string& facts, caller where) {
  throw error(std::string(kind.name) + ": " + facts, where);
}

tensor with_time_first(const tensor& x, bool batch_first) {
  return batch_first ? swapaxes(x, 0, 1) : x;
}

}  // namespace

recurrent::recurrent(const recurrent_kind& kind, std::int64_t hidden, recurrent_options options,
                     caller where)
    : kind_(&kind),
      hidden_(hidden),
      options_(std::move(options)),
      dropout_(options_.dropout, where) {
  if (hidden < 1)
    refuse(kind, std::to_string(hidden) + " hidden units: there must be one at least", where);
  if (options_.layers < 1)
    refuse(kind, std::to_string(options_.layers) + " layers: there must be one at least", where);
  weights_.resize(static_cast<std::size_t>(options_.layers) * directions());
  for (auto& w : weights_) w.has_bias = options_.bias;
  if (options_.weight) return;
  const double limit = 1 / std::sqrt(static_cast<double>(hidden));
  options_.weight = init::uniform(-limit, limit);
}

std::string recurrent::name_of(std::size_t number) const {
  const auto layer = std::to_string(number / directions());
  return number % directions() == 0 ? layer : layer + "_reverse";
}

recurrent_weights& recurrent::weights(int layer, bool reverse, caller where) {
  if (layer < 0 || layer >= options_.layers)
    refuse(
        *kind_,
        "there is no layer " + std::to_string(layer) + " among " + std::to_string(options_.layers),
        where);
  if (reverse && !options_.bidirectional) refuse(*kind_, "it is not bidirectional", where);
  return weights_[static_cast<std::size_t>(layer) * directions() + (reverse ? 1 : 0)];
}

void recurrent::check_input(const tensor& x, caller where) const {
  check_layer_input(kind_->name, x, 3, where);
  const std::string axes =
      options_.batch_first ? "[batch, time, features]" : "[time, batch, features]";
  if (x.rank() != 3) refuse(*kind_, "x is " + to_string(x.type()) + ", but must be " + axes, where);
  if (x.shape()[options_.batch_first ? 1 : 0] == 0)
    refuse(*kind_, "x is " + to_string(x.type()) + ", " + axes + ": there is no step", where);
}

void recurrent::check_state(const tensor& state, std::size_t number, const tensor& x,
                            caller where) const {
  if (!state.defined()) return;
  const auto directions_and_layers = static_cast<std::int64_t>(weights_.size());
  const tensor_type expected{{directions_and_layers, x.shape()[1], hidden_}, x.dtype(), x.device()};
  if (state.shape() != expected.dims || state.dtype() != expected.element ||
      state.device() != expected.device)
    refuse(*kind_,
           "the first " + std::string(kind_->states[number]) + " state is " +
               to_string(state.type()) + " on " + to_string(state.device()) + ", but must be " +
               to_string(expected) + " on " + to_string(expected.device),
           where);
}

recurrent_arrays recurrent::arrays(std::size_t number, const tensor& x, caller where) const {
  const auto& w = weights_[number];
  const auto inputs = x.shape()[2], outputs = kind_->gates * hidden_;
  first_use(w.input_weight, options_.weight, {inputs, outputs}, x, where);
  first_use(w.state_weight, options_.weight, {hidden_, outputs}, x, where);
  check_sizes(kind_->name, "input_weight", w.input_weight, {inputs, outputs}, where, 0);
  check_sizes(kind_->name, "state_weight", w.state_weight, {hidden_, outputs}, where);
  const auto& expected = w.input_weight.value().shape();
  if (expected[0] != inputs)
    refuse(*kind_,
           std::to_string(expected[0]) + " features expected, but x is " + to_string(x.type()),
           where);
  const auto place = x.device();
  recurrent_arrays out{w.input_weight.on(place, where), w.state_weight.on(place, where), {}, {}};
  if (!w.has_bias) return out;
  for (const auto* b : {&w.input_bias, &w.state_bias}) {
    first_use(*b, options_.weight, {outputs}, x, where);
    check_sizes(kind_->name, b == &w.input_bias ? "input_bias" : "state_bias", *b, {outputs},
                where);
  }
  out.input_bias = w.input_bias.on(place, where);
  out.state_bias = w.state_bias.on(place, where);
  return out;
}

std::pair<tensor, recurrent::packs> recurrent::run_layers(const tensor& x,
                                                          std::span<const tensor> first,
                                                          caller where) const {
  check_input(x, where);
  const use_engine same(x.source()->engine);
  const troupe::detail::on_behalf_of user(where);
  tensor y = with_time_first(x, options_.batch_first);
  for (std::size_t s = 0; s < first.size(); ++s) check_state(first[s], s, y, where);
  const auto steps = y.shape()[0], batch = y.shape()[1];
  const auto begin = zeros({batch, hidden_}, {.dtype = x.dtype(), .device = x.device()});
  packs all;
  for (int layer = 0; layer < options_.layers; ++layer) {
    std::vector<tensor> sides;
    for (std::size_t direction = 0; direction < directions(); ++direction) {
      const auto number = all.size();
      std::vector<tensor> states;
      for (std::size_t s = 0; s < kind_->states.size(); ++s)
        states.push_back(s < first.size() && first[s].defined()
                             ? first[s][static_cast<std::int64_t>(number)]
                             : begin);
      all.push_back(kind_->run(y, arrays(number, y, where), states, direction == 1, where));
      sides.push_back(all.back().slice(0, 0, steps));
    }
    y = sides.size() == 1 ? sides[0] : concatenate(sides, 2);
    if (layer + 1 < options_.layers) y = dropout_(y, where);
  }
  return {with_time_first(y, options_.batch_first), std::move(all)};
}

tensor recurrent::outputs(const tensor& x, caller where) const {
  return run_layers(x, {}, where).first;
}

std::pair<tensor, std::vector<tensor>> recurrent::run(const tensor& x,
                                                      std::span<const tensor> first,
                                                      caller where) const {
  auto [y, all] = run_layers(x, first, where);
  const troupe::detail::on_behalf_of user(where);
  const auto steps = y.shape()[options_.batch_first ? 1 : 0];
  std::vector<tensor> last;
  for (std::size_t s = 0; s < kind_->states.size(); ++s) {
    std::vector<tensor> parts;
    for (std::size_t number = 0; number < all.size(); ++number) {
      const bool reverse = number % directions() == 1;
      const auto of_outputs = reverse ? 0 : steps - 1;
      parts.push_back(all[number][s == 0 ? of_outputs : steps + static_cast<std::int64_t>(s) - 1]);
    }
    last.push_back(stack(parts));
  }
  return {std::move(y), std::move(last)};
}

tensor project_steps(const tensor& x, const tensor& weight, const tensor& bias) {
  // The matrix takes the rows in memory order, so that nothing is copied if the batch comes first
  // there.
  const bool turned = x.strides()[0] < x.strides()[1];
  const auto lying = turned ? swapaxes(x, 0, 1) : x;
  const auto a = lying.shape()[0], b = lying.shape()[1], outputs = weight.shape()[1];
  const auto rows = reshape(lying, {a * b, x.shape()[2]});
  const auto y =
      reshape(bias.defined() ? linear(rows, weight, bias) : matmul(rows, weight), {a, b, outputs});
  return turned ? swapaxes(y, 0, 1) : y;
}

tensor state_weight_gradient(const tensor& outputs, const tensor& first, const tensor& arriving,
                             bool reverse) {
  const auto steps = outputs.shape()[0], batch = outputs.shape()[1], hidden = outputs.shape()[2],
             wide = arriving.shape()[2];
  const auto of_first = matmul(swapaxes(first, 0, 1), arriving[reverse ? steps - 1 : 0]);
  if (steps == 1) return of_first;
  const auto before = outputs.slice(0, reverse ? 1 : 0, reverse ? steps : steps - 1);
  const auto after = arriving.slice(0, reverse ? 0 : 1, reverse ? steps - 1 : steps);
  const auto rows = (steps - 1) * batch;
  return add(matmul(swapaxes(reshape(before, {rows, hidden}), 0, 1), reshape(after, {rows, wide})),
             of_first);
}

}  // namespace troupe::nn::detail
