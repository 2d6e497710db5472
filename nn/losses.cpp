// SPDX-License-Identifier: MIT
#include "troupe/nn/losses.hpp"

#include <string>

#include "troupe/nn/labels.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/similarities.hpp"
#include "troupe/tensor/ops/softmax.hpp"

namespace troupe::nn {

namespace {

tensor weighted(std::string_view what, const tensor& losses, const tensor& weights, caller where) {
  if (!weights.defined()) return losses;
  if (weights.shape() == losses.shape())
    return multiply(losses, astype(weights, losses.dtype(), where), where);
  const bool for_samples =
      weights.rank() == 1 && losses.rank() > 0 && weights.shape()[0] == losses.shape()[0];
  if (!for_samples)
    throw error(std::string(what) + ": weights are " + to_string(weights.type()) +
                    ", but there are " + to_string(losses.shape()) + " losses",
                where);
  shape sizes{weights.shape()[0]};
  while (sizes.rank() < losses.rank()) sizes.push_back(1);
  return multiply(losses, astype(reshape(weights, sizes, where), losses.dtype(), where), where);
}

template <class Options>
tensor reduced(std::string_view what, const tensor& losses, const Options& options, caller where) {
  const auto all = weighted(what, losses, options.weights, where);
  switch (options.over) {
    case reduction::mean: return mean(all, {}, false, where);
    case reduction::sum: return sum(all, {}, false, where);
    case reduction::none: break;
  }
  return all;
}

/// Returns the checked targets, converted to the predictions' dtype.
tensor targets_for(std::string_view what, const tensor& predictions, const tensor& targets,
                   caller where) {
  check_predictions(what, "predictions", predictions, where);
  check_same_shape(what, predictions, targets, where);
  return astype(targets, predictions.dtype(), where);
}

tensor difference(std::string_view what, const tensor& predictions, const tensor& targets,
                  caller where) {
  return subtract(predictions, targets_for(what, predictions, targets, where), where);
}

/// Computes c * (a - c / 2), with a the distance and c the smaller of it and delta.
tensor huber(std::string_view what, const tensor& predictions, const tensor& targets,
             const huber_options& options, double divisor, caller where) {
  if (!(options.delta > 0))
    throw error(std::string(what) + ": delta is " + to_string(scalar(options.delta)) +
                    ", but must be positive",
                where);
  const auto distance = abs(difference(what, predictions, targets, where), where);
  const auto near = minimum(distance, options.delta, where);
  auto losses = multiply(near, multiply_add(near, -0.5, distance, where), where);
  if (divisor != 1) losses = divide(losses, divisor, where);
  return reduced(what, losses, options, where);
}

tensor hinge(std::string_view what, const tensor& predictions, const tensor& labels,
             const hinge_options& options, caller where) {
  const auto y = targets_for(what, predictions, labels, where);
  return relu(subtract(options.margin, multiply(predictions, y, where), where), where);
}

/// Losses, and how much each counts for their mean; absent: 1.
struct counted_losses {
  tensor losses, counts;
};

void check_options(std::string_view what, const tensor& logits, int classes,
                   const cross_entropy_options& options, caller where) {
  if (!(options.smoothing >= 0 && options.smoothing <= 1))
    throw error(std::string(what) + ": the smoothing is " + to_string(scalar(options.smoothing)) +
                    ", but must be from 0 to 1",
                where);
  const auto& each = options.class_weights;
  if (each.defined() && each.shape() != shape{logits.shape()[classes]})
    throw error(std::string(what) + ": class weights are " + to_string(each.type()) +
                    ", but there are " + std::to_string(logits.shape()[classes]) + " classes",
                where);
}

/// The weights of classes so that they broadcast along the logits' axis; absent if they are.
tensor along_classes(const tensor& logits, int classes, const tensor& weights) {
  if (!weights.defined()) return {};
  return troupe::detail::along_axis(astype(weights, logits.dtype()), classes, logits.rank());
}

/// Losses of labels that are probabilities.
tensor losses_of_shares(const tensor& logarithms, const tensor& labels, int classes,
                        const cross_entropy_options& options) {
  auto shares = astype(labels, logarithms.dtype());
  if (options.smoothing > 0) {
    const auto each = options.smoothing / static_cast<double>(logarithms.shape()[classes]);
    shares = shares * (1 - options.smoothing) + each;
  }
  const auto factors = along_classes(logarithms, classes, options.class_weights);
  const auto weighed = factors.defined() ? logarithms * factors : logarithms;
  return -sum(weighed * shares, classes);
}

counted_losses losses_of_numbers(const tensor& logarithms, const tensor& labels, int classes,
                                 const cross_entropy_options& options) {
  const auto valid = options.ignored ? not_equal(labels, *options.ignored) : tensor();
  const auto chosen = valid.defined() ? where(valid, labels, 0) : labels;
  auto losses = -take_labels(logarithms, chosen, classes);
  const auto factors = along_classes(logarithms, classes, options.class_weights);
  tensor counts;
  if (factors.defined()) {
    counts = take(flatten(factors), chosen);
    losses = losses * counts;
  }
  if (options.smoothing > 0) {
    const auto all = mean(factors.defined() ? logarithms * factors : logarithms, classes);
    losses = losses * (1 - options.smoothing) - all * options.smoothing;
  }
  if (valid.defined()) {
    losses = where(valid, losses, 0);
    counts = counts.defined() ? where(valid, counts, 0) : astype(valid, losses.dtype());
  }
  return {losses, counts};
}

/// Returns minus the logarithms of the labels' probabilities, which are those given or those of
/// their softmax.
counted_losses cross_entropies(std::string_view what, const tensor& logits, bool are_logarithms,
                               const tensor& labels, int classes,
                               const cross_entropy_options& options, caller where) {
  check_options(what, logits, classes, options, where);
  const bool probabilities =
      labels.defined() && is_floating(labels.dtype()) && labels.rank() == logits.rank();
  if (probabilities) check_same_shape(what, logits, labels, where);
  else check_labels(what, logits, labels, classes, where);
  if (probabilities && options.ignored)
    throw error(std::string(what) + ": an ignored label beside probabilities", where);
  const troupe::detail::on_behalf_of user(where);
  const auto logarithms = are_logarithms ? logits : log_softmax(logits, classes);
  if (probabilities) return {losses_of_shares(logarithms, labels, classes, options), {}};
  return losses_of_numbers(logarithms, labels, classes, options);
}

tensor cross_entropy(std::string_view what, const tensor& logits, bool are_logarithms,
                     const tensor& labels, const cross_entropy_options& options, caller where) {
  if (are_logarithms) check_predictions(what, "logarithms", logits, where);
  const int classes = checked_classes(what, logits, options.axis, where);
  const auto [losses, counts] =
      cross_entropies(what, logits, are_logarithms, labels, classes, options, where);
  if (!counts.defined() || options.over != reduction::mean)
    return reduced(what, losses, options, where);
  // Sums of 16 bits would overflow where their quotient does not.
  const auto sum_of = [where](const tensor& some) {
    return sum(is_narrow_float(some.dtype()) ? astype(some, float32, where) : some, {}, false,
               where);
  };
  const auto all = weighted(what, losses, options.weights, where);
  return astype(divide(sum_of(all), sum_of(counts), where), all.dtype(), where);
}

}  // namespace

tensor mse_loss(const tensor& predictions, const tensor& targets, const loss_options& options,
                caller where) {
  const auto apart = difference("mse_loss", predictions, targets, where);
  return reduced("mse_loss", square(apart, where), options, where);
}

tensor l2_loss(const tensor& predictions, const tensor& targets, const loss_options& options,
               caller where) {
  const auto apart = difference("l2_loss", predictions, targets, where);
  return reduced("l2_loss", multiply(square(apart, where), 0.5, where), options, where);
}

tensor l1_loss(const tensor& predictions, const tensor& targets, const loss_options& options,
               caller where) {
  const auto apart = difference("l1_loss", predictions, targets, where);
  return reduced("l1_loss", abs(apart, where), options, where);
}

tensor huber_loss(const tensor& predictions, const tensor& targets, const huber_options& options,
                  caller where) {
  return huber("huber_loss", predictions, targets, options, 1, where);
}

tensor smooth_l1_loss(const tensor& predictions, const tensor& targets,
                      const huber_options& options, caller where) {
  return huber("smooth_l1_loss", predictions, targets, options, options.delta, where);
}

tensor softmax_cross_entropy(const tensor& logits, const tensor& labels,
                             const cross_entropy_options& options, caller where) {
  return cross_entropy("softmax_cross_entropy", logits, false, labels, options, where);
}

tensor nll_loss(const tensor& logarithms, const tensor& labels,
                const cross_entropy_options& options, caller where) {
  return cross_entropy("nll_loss", logarithms, true, labels, options, where);
}

tensor kl_divergence(const tensor& logarithms, const tensor& targets,
                     const divergence_options& options, caller where) {
  constexpr std::string_view what = "kl_divergence";
  check_predictions(what, "logarithms", logarithms, where);
  const int classes = checked_classes(what, logarithms, options.axis, where);
  const auto p = targets_for(what, logarithms, targets, where);
  const troupe::detail::on_behalf_of user(where);
  // A target of 0 has an infinite logarithm, maybe the other, too, and so have their gradients.
  const auto counts = p > 0;
  const auto own = log(troupe::where(counts, p, 1)), given = troupe::where(counts, logarithms, 0);
  return reduced(what, sum(p * (own - given), classes), options, where);
}

tensor sigmoid_cross_entropy(const tensor& logits, const tensor& labels,
                             const loss_options& options, caller where) {
  constexpr std::string_view what = "sigmoid_cross_entropy";
  const auto y = targets_for(what, logits, labels, where);
  // -y log(s(x)) - (1 - y) log(1 - s(x)), where -log(s(x)) is softplus(-x) and -log(1 - s(x)) is
  // softplus(x). Neither term is negative, so nothing cancels.
  const auto of_ones = multiply(y, softplus(negative(logits, where), where), where);
  const auto losses = multiply_add(subtract(1., y, where), softplus(logits, where), of_ones, where);
  return reduced(what, losses, options, where);
}

tensor hinge_loss(const tensor& predictions, const tensor& labels, const hinge_options& options,
                  caller where) {
  const auto losses = hinge("hinge_loss", predictions, labels, options, where);
  return reduced("hinge_loss", losses, options, where);
}

tensor squared_hinge_loss(const tensor& predictions, const tensor& labels,
                          const hinge_options& options, caller where) {
  constexpr std::string_view what = "squared_hinge_loss";
  return reduced(what, square(hinge(what, predictions, labels, options, where), where), options,
                 where);
}

tensor triplet_margin_loss(const tensor& anchor, const tensor& near, const tensor& far,
                           const hinge_options& options, caller where) {
  constexpr std::string_view what = "triplet_margin_loss";
  const auto to_near = difference(what, anchor, near, where);
  const auto to_far = difference(what, anchor, far, where);
  const troupe::detail::on_behalf_of user(where);
  return reduced(what, relu(norm(to_near, -1) - norm(to_far, -1) + options.margin), options, where);
}

tensor cosine_embedding_loss(const tensor& x, const tensor& y, const tensor& labels,
                             const cosine_loss_options& options, caller where) {
  constexpr std::string_view what = "cosine_embedding_loss";
  const auto other = targets_for(what, x, y, where);
  const troupe::detail::on_behalf_of user(where);
  const auto c = cosine_similarity(x, other);
  check_same_shape(what, c, labels, where);
  return reduced(what, troupe::where(labels > 0, 1 - c, relu(c - options.margin)), options, where);
}

tensor accuracy(const tensor& logits, const tensor& labels, int axis, caller where) {
  const int classes = checked_classes("accuracy", logits, axis, where);
  check_labels("accuracy", logits, labels, classes, where);
  const no_grad constant;
  const auto chosen = argmax(logits, classes, false, where);
  return mean(equal(chosen, labels, where), {}, false, where);
}

}  // namespace troupe::nn
