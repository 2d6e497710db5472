// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tensor/tensor.hpp"

/// Losses: distances between predictions and targets. Each returns one number, the mean of all
/// losses, or follows `reduction`; PyTorch's conventions, with sample weights.
///
///     tensor loss = nn::softmax_cross_entropy(net(x), labels);
///     tensor each = nn::huber_loss(y, target, {.over = nn::reduction::none});
///
/// All throw for predictions that are not floating-point, for shapes that must match and do not
/// (nothing broadcasts here), and for weights that do not fit. Targets are converted to the
/// predictions' dtype.

namespace troupe::nn {

/// Reduction of the losses.
enum class reduction : std::uint8_t {
  mean,  ///< sum divided by the number of losses, also with weights
  sum,
  none  ///< no reduction: one loss per element or sample
};

struct loss_options {
  reduction over = reduction::mean;
  /// Factor of each loss: of the losses' shape, or one per sample, [n]. Absent: 1.
  tensor weights = {};
};

/// Computes (predictions - targets)^2, a loss for each element. PyTorch's MSELoss.
tensor mse_loss(const tensor& predictions, const tensor& targets, const loss_options& options = {},
                caller where = caller::current());
/// Computes (predictions - targets)^2 / 2, a loss for each element: its gradient is the difference.
/// MXNet's L2Loss.
tensor l2_loss(const tensor& predictions, const tensor& targets, const loss_options& options = {},
               caller where = caller::current());
/// Computes |predictions - targets|, a loss for each element.
tensor l1_loss(const tensor& predictions, const tensor& targets, const loss_options& options = {},
               caller where = caller::current());

struct huber_options {
  double delta = 1;
  reduction over = reduction::mean;
  tensor weights = {};
};

/// Computes, from the distance d, d^2 / 2 up to delta and delta * (d - delta / 2) beyond, a loss
/// for each element. Throws unless delta is positive. Huber 1964.
tensor huber_loss(const tensor& predictions, const tensor& targets,
                  const huber_options& options = {}, caller where = caller::current());
/// Computes huber_loss divided by delta, which PyTorch calls beta here.
tensor smooth_l1_loss(const tensor& predictions, const tensor& targets,
                      const huber_options& options = {}, caller where = caller::current());

struct cross_entropy_options {
  int axis = -1;  ///< axis of the classes
  reduction over = reduction::mean;
  tensor weights = {};
  /// Factor of the losses of each class, [classes]. The mean of losses of class numbers is then
  /// divided by the sum of their factors, as PyTorch's.
  tensor class_weights = {};
  double smoothing = 0;  ///< share of each label that goes to all classes in equal parts
  /// Class number of samples that do not count: their losses are 0, and the mean is over the
  /// others. PyTorch's ignore_index.
  std::optional<std::int64_t> ignored = {};
};

/// Computes -log(softmax(logits)) at the correct class: a loss for each sample, of the logits'
/// shape without the axis of the classes. `labels` are class numbers (integers of the losses'
/// shape), or a probability for each class (floats of the logits' shape). A label that is no class
/// fails the result. Throws for class weights that do not fit, a smoothing beyond [0, 1], and an
/// ignored label beside probabilities.
tensor softmax_cross_entropy(const tensor& logits, const tensor& labels,
                             const cross_entropy_options& options = {},
                             caller where = caller::current());
/// The same of logarithms of probabilities, such as `log_softmax` gives. PyTorch's nll_loss.
tensor nll_loss(const tensor& logarithms, const tensor& labels,
                const cross_entropy_options& options = {}, caller where = caller::current());

struct divergence_options {
  int axis = -1;  ///< axis of the classes
  reduction over = reduction::mean;
  tensor weights = {};
};

/// Computes the sum over the classes of targets * (log(targets) - logarithms), which is 0 for a
/// target of 0: a loss for each sample, how far a distribution, given by its logarithms, is from
/// that of the targets. Kullback and Leibler 1951; PyTorch's kl_div with "batchmean".
tensor kl_divergence(const tensor& logarithms, const tensor& targets,
                     const divergence_options& options = {}, caller where = caller::current());
/// Computes -log of the probability that sigmoid(logits) gives the labels, which are 0, 1 or
/// probabilities between: a loss for each element, exact for logits of any size. PyTorch's
/// BCEWithLogitsLoss.
tensor sigmoid_cross_entropy(const tensor& logits, const tensor& labels,
                             const loss_options& options = {}, caller where = caller::current());

struct hinge_options {
  double margin = 1;
  reduction over = reduction::mean;
  tensor weights = {};
};

/// Computes max(0, margin - predictions * labels), a loss for each element; labels are -1 or 1.
tensor hinge_loss(const tensor& predictions, const tensor& labels,
                  const hinge_options& options = {}, caller where = caller::current());
/// Computes the square of the hinge loss.
tensor squared_hinge_loss(const tensor& predictions, const tensor& labels,
                          const hinge_options& options = {}, caller where = caller::current());

/// Computes max(0, |anchor - near| - |anchor - far| + margin) of vectors along the last axis, with
/// Euclidean distances: a loss for each vector. PyTorch's triplet_margin_loss, without what it adds
/// to the differences.
tensor triplet_margin_loss(const tensor& anchor, const tensor& near, const tensor& far,
                           const hinge_options& options = {}, caller where = caller::current());

struct cosine_loss_options {
  double margin = 0;
  reduction over = reduction::mean;
  tensor weights = {};
};

/// Computes, from the cosine c of vectors along the last axis, 1 - c where a label is 1 and
/// max(0, c - margin) where it is -1: a loss for each vector. PyTorch's cosine_embedding_loss.
tensor cosine_embedding_loss(const tensor& x, const tensor& y, const tensor& labels,
                             const cosine_loss_options& options = {},
                             caller where = caller::current());

/// Returns the fraction of samples whose greatest logit is that of their label, as a tensor:
/// nothing waits. `labels` are integers of the logits' shape without the axis of the classes.
/// Throws for other labels.
tensor accuracy(const tensor& logits, const tensor& labels, int axis = -1,
                caller where = caller::current());

}  // namespace troupe::nn
