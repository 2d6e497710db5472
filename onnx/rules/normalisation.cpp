// SPDX-License-Identifier: MIT
#include <numeric>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

sizes numbers(std::int64_t from, std::int64_t to) {
  sizes out(static_cast<std::size_t>(std::max<std::int64_t>(to - from, 0)));
  std::iota(out.begin(), out.end(), from);
  return out;
}

/// Returns an input with one element for each channel, so that it broadcasts to [n, channels, ...].
std::string by_channel(graph_node& n, int i, int rank) {
  sizes dims(static_cast<std::size_t>(std::max(rank - 1, 1)), 1);
  dims[0] = -1;
  return "reshape(" + n.in(i) + ", " + text_of(dims) + ')';
}

/// By the mean and the variance of this batch, of which the running ones take a share.
void normalise_in_training(graph_node& n, const std::string& share) {
  auto axes = numbers(2, n.rank());
  axes.insert(axes.begin(), 0);
  const auto over = ", axis=" + text_of(axes);
  const auto x = n.in(0);
  const auto centred = n.line(x + " - mean(" + x + over + ", keepdims=true)");
  const auto variance = n.line("mean(square(" + centred + ")" + over + ", keepdims=true)");
  n.out(0, centred + " / sqrt(" + variance + " + " + n.literal("epsilon", 1e-5F) + ") * " +
               by_channel(n, 1, n.rank()) + " + " + by_channel(n, 2, n.rank()));
  const auto running = [&](int input, const std::string& now) {
    return n.in(input) + " * " + share + " + " + now + " * (1 - " + share + ')';
  };
  n.out(1, running(3, "mean(" + x + over + ')'));
  n.out(2, running(4, "flatten(" + variance + ')'));
}

void batch_normalisation(graph_node& n) {
  const auto rank = n.rank();
  n.refuse_if(rank < 2, "of less than two axes: not supported");
  if (n.opset() < 7) n.refuse_if(n.attribute("is_test", 0) == 0, "in training: not supported");
  if (n.opset() < 9)
    n.refuse_if(n.attribute("spatial", 1) == 0, "attribute spatial: not supported");
  const auto share = n.literal("momentum", 0.9F);
  if (n.attribute("training_mode", 0) != 0) return normalise_in_training(n, share);
  n.refuse_if(n.wants(1), "in training: not supported");
  const auto scale = n.line(by_channel(n, 1, rank) + " / sqrt(" + by_channel(n, 4, rank) + " + " +
                            n.literal("epsilon", 1e-5F) + ')');
  n.out(0, "(" + n.in(0) + " - " + by_channel(n, 3, rank) + ") * " + scale + " + " +
               by_channel(n, 2, rank));
}

void instance_normalisation(graph_node& n) {
  const auto rank = n.rank();
  n.refuse_if(rank < 3, "of less than three axes: not supported");
  const auto axes = ", axis=" + text_of(numbers(2, rank)) + ", keepdims=true)";
  const auto x = n.in(0);
  const auto centred = n.line(x + " - mean(" + x + axes);
  n.out(0, centred + " / sqrt(mean(square(" + centred + ")" + axes + " + " +
               n.literal("epsilon", 1e-5F) + ") * " + by_channel(n, 1, rank) + " + " +
               by_channel(n, 2, rank));
}

void layer_normalisation(graph_node& n) {
  const auto rank = n.rank();
  const auto axis = n.axis_attribute(-1, rank);
  n.refuse_if(n.attribute("stash_type", 1) != 1, "attribute stash_type: not supported");
  n.refuse_if(is_narrow(n.element()), "of 16 bits: not supported");
  const auto axes = ", axis=" + text_of(numbers(axis, rank)) + ", keepdims=true)";
  const auto x = n.in(0);
  const auto mean = n.line("mean(" + x + axes);
  const auto centred = n.line(x + " - " + mean);
  const auto inverse = n.line("1 / sqrt(mean(square(" + centred + ")" + axes + " + " +
                              n.literal("epsilon", 1e-5F) + ")");
  auto y = centred + " * " + inverse + " * " + n.in(1);
  if (n.has(2)) y += " + " + n.in(2);
  n.out(0, y);
  n.out_is(1, mean);
  n.out_is(2, inverse);
}

void mean_and_variance(graph_node& n) {
  const auto rank = n.rank();
  auto axes = n.list_attribute("axes").value_or(sizes{0, 2, 3});
  for (auto& one : axes) one = n.axis(one, rank);
  const auto over = ", axis=" + text_of(axes) + ", keepdims=true)";
  const auto x = n.in(0);
  const auto centred = n.line(x + " - mean(" + x + over);
  n.out(0, centred + " / (sqrt(mean(square(" + centred + ")" + over + ") + 1e-9)");
}

void lp_normalisation(graph_node& n) {
  const auto axis = n.axis_attribute(-1, n.rank());
  const auto p = n.attribute("p", 2);
  n.refuse_if(p != 1 && p != 2, "attribute p: not supported");
  const auto x = n.in(0);
  n.out(0, x + " / " + (p == 2 ? "norm(" + x : "sum(abs(" + x + ')') +
               ", axis=" + std::to_string(axis) + ", keepdims=true)");
}

/// The squares of neighbouring channels are added up by a pool over [n, 1, channels, rest].
void local_response(graph_node& n) {
  const auto d = n.dims();
  const auto size = n.attribute("size", 0);
  n.refuse_if(d.rank() < 2 || size < 1 || size > 1000,
              "attribute size, or too few axes: not supported");
  std::int64_t rest = 1;
  for (int i = 2; i < d.rank(); ++i) rest *= d[i];
  const auto before = (size - 1) / 2, behind = size - 1 - before;
  const auto zeros = [&](std::int64_t count) {
    return "zeros(" + text_of(sizes{d[0], 1, count, rest}) +
           ", dtype=" + std::string(name(n.element())) + ')';
  };
  const auto x = n.in(0);
  const auto squares =
      n.line("reshape(square(" + x + "), " + text_of(sizes{d[0], 1, d[1], rest}) + ')');
  const auto all = n.line("concatenate([" + zeros(before) + ", " + squares + ", " + zeros(behind) +
                          "], axis=2)");
  const auto means = n.line("reshape(avg_pool2d(" + all + ", " + text_of(sizes{size, 1}) +
                            ", stride=1), " + text_of(d) + ')');
  n.out(0, x + " / power(" + n.literal("bias", 1) + " + " + means + " * " +
               n.literal("alpha", 1e-4F) + ", " + n.literal("beta", 0.75F) + ')');
}

}  // namespace

std::vector<rule> normalisation_rules() {
  return {{"BatchNormalization", batch_normalisation},
          {"InstanceNormalization", instance_normalisation},
          {"LayerNormalization", layer_normalisation},
          {"MeanVarianceNormalization", mean_and_variance},
          {"LpNormalization", lp_normalisation},
          {"LRN", local_response}};
}

}  // namespace troupe
