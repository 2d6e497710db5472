// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

/// How far predictions are from what they should be. Each comes as one number, the mean of all
/// losses, or as `reduction` says; PyTorch's conventions, with sample weights.
///
///     tensor loss = nn::softmax_cross_entropy(net(x), labels);
///     tensor each = nn::huber_loss(y, target, {.over = nn::reduction::none});
///
/// They throw for predictions without floats, for what should be of the same shape and is not
/// (nothing broadcasts here), and for weights that do not fit. Targets are taken in the
/// predictions' dtype.

namespace troupe::nn {

/// What becomes of the losses.
enum class reduction : std::uint8_t {
  mean,  ///< their sum divided by their number, also where they have weights
  sum,
  none  ///< they stay: as many as the function says
};

struct loss_options {
  reduction over = reduction::mean;
  /// What each loss is multiplied with: of the losses' shape, or for each sample, [n]. Absent: 1.
  tensor weights = {};
};

/// (predictions - targets)^2, a loss for each element. PyTorch's MSELoss.
tensor mse_loss(const tensor& predictions, const tensor& targets, const loss_options& options = {},
                caller where = caller::current());
/// (predictions - targets)^2 / 2, a loss for each element: its gradient is the difference. MXNet's
/// L2Loss.
tensor l2_loss(const tensor& predictions, const tensor& targets, const loss_options& options = {},
               caller where = caller::current());
/// |predictions - targets|, a loss for each element.
tensor l1_loss(const tensor& predictions, const tensor& targets, const loss_options& options = {},
               caller where = caller::current());

struct huber_options {
  double delta = 1;
  reduction over = reduction::mean;
  tensor weights = {};
};

/// Of the distance d: d^2 / 2 up to delta, delta * (d - delta / 2) beyond, a loss for each element.
/// Throws unless delta is positive. Huber 1964.
tensor huber_loss(const tensor& predictions, const tensor& targets,
                  const huber_options& options = {}, caller where = caller::current());
/// huber_loss divided by delta, which PyTorch calls beta there.
tensor smooth_l1_loss(const tensor& predictions, const tensor& targets,
                      const huber_options& options = {}, caller where = caller::current());

struct cross_entropy_options {
  int axis = -1;  ///< of the classes
  reduction over = reduction::mean;
  tensor weights = {};
};

/// -log(softmax(logits)) at the class that is the right one: a loss for each sample, of the logits'
/// shape without the axis of the classes. `labels` are the classes' numbers (integers of the
/// losses' shape), or a probability for each class (floats of the logits' shape). A label that is
/// no class fails the result.
tensor softmax_cross_entropy(const tensor& logits, const tensor& labels,
                             const cross_entropy_options& options = {},
                             caller where = caller::current());
/// -log of what sigmoid(logits) gives the labels, which are 0, 1 or probabilities between: a loss
/// for each element, exact for logits of any size. PyTorch's BCEWithLogitsLoss.
tensor sigmoid_cross_entropy(const tensor& logits, const tensor& labels,
                             const loss_options& options = {}, caller where = caller::current());

struct hinge_options {
  double margin = 1;
  reduction over = reduction::mean;
  tensor weights = {};
};

/// max(0, margin - predictions * labels), a loss for each element; labels are -1 or 1.
tensor hinge_loss(const tensor& predictions, const tensor& labels,
                  const hinge_options& options = {}, caller where = caller::current());
/// Its square.
tensor squared_hinge_loss(const tensor& predictions, const tensor& labels,
                          const hinge_options& options = {}, caller where = caller::current());

}  // namespace troupe::nn
