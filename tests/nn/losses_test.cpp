// SPDX-License-Identifier: MIT
#include "troupe/nn/losses.hpp"

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/grids.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

double total(const list& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum;
}

/// A loss for each element, and its reference for two numbers.
struct elementwise_loss {
  const char* name;
  tensor (*call)(const tensor& x, const tensor& y, nn::reduction over, const tensor& weights);
  double (*reference)(double x, double y);
  bool signs = false;   ///< targets are -1 and 1
  bool shares = false;  ///< targets are from 0 to 1
};

double huber(double x, double y, double delta) {
  const double d = std::abs(x - y);
  return d <= delta ? d * d / 2 : delta * (d - delta / 2);
}

const elementwise_loss elementwise_losses[] = {
    {"mse_loss",
     [](const tensor& x, const tensor& y, nn::reduction over, const tensor& w) {
       return nn::mse_loss(x, y, {.over = over, .weights = w});
     },
     [](double x, double y) { return (x - y) * (x - y); }},
    {"l2_loss",
     [](const tensor& x, const tensor& y, nn::reduction over, const tensor& w) {
       return nn::l2_loss(x, y, {.over = over, .weights = w});
     },
     [](double x, double y) { return (x - y) * (x - y) / 2; }},
    {"l1_loss",
     [](const tensor& x, const tensor& y, nn::reduction over, const tensor& w) {
       return nn::l1_loss(x, y, {.over = over, .weights = w});
     },
     [](double x, double y) { return std::abs(x - y); }},
    {"huber_loss",
     [](const tensor& x, const tensor& y, nn::reduction over, const tensor& w) {
       return nn::huber_loss(x, y, {.delta = 0.7, .over = over, .weights = w});
     },
     [](double x, double y) { return huber(x, y, 0.7); }},
    {"smooth_l1_loss",
     [](const tensor& x, const tensor& y, nn::reduction over, const tensor& w) {
       return nn::smooth_l1_loss(x, y, {.delta = 0.7, .over = over, .weights = w});
     },
     [](double x, double y) { return huber(x, y, 0.7) / 0.7; }},
    {"sigmoid_cross_entropy",
     [](const tensor& x, const tensor& y, nn::reduction over, const tensor& w) {
       return nn::sigmoid_cross_entropy(x, y, {.over = over, .weights = w});
     },
     [](double x, double y) {
       const double s = 1 / (1 + std::exp(-x));
       return -y * std::log(s) - (1 - y) * std::log(1 - s);
     },
     false, true},
    {"hinge_loss",
     [](const tensor& x, const tensor& y, nn::reduction over, const tensor& w) {
       return nn::hinge_loss(x, y, {.margin = 0.9, .over = over, .weights = w});
     },
     [](double x, double y) { return std::max(0., 0.9 - x * y); }, true},
    {"squared_hinge_loss",
     [](const tensor& x, const tensor& y, nn::reduction over, const tensor& w) {
       return nn::squared_hinge_loss(x, y, {.margin = 0.9, .over = over, .weights = w});
     },
     [](double x, double y) { return std::pow(std::max(0., 0.9 - x * y), 2); }, true}};

tensor targets_for(const elementwise_loss& l, const shape& sizes) {
  auto y = numbers(spread(sizes, 3));
  for (auto& v : y) v = l.signs ? (v > 0 ? 1 : -1) : l.shares ? (v + 2) / 4 : v;
  return from_data(y, sizes, {.dtype = float64});
}

/// Computes -log softmax of each row of a [n, classes] at its label, in plain loops.
list cross_entropies(const tensor& logits, const std::vector<std::int64_t>& labels) {
  const auto x = numbers(logits);
  const auto classes = static_cast<std::size_t>(logits.shape()[1]);
  list out;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < classes; ++j) sum += std::exp(x[i * classes + j]);
    out.push_back(std::log(sum) - x[i * classes + static_cast<std::size_t>(labels[i])]);
  }
  return out;
}

}  // namespace

TEST_CASE("elementwise losses follow their formulas, one by one, summed and as a mean") {
  test_engine e;
  for (const auto& l : elementwise_losses) {
    CAPTURE(l.name);
    for (const auto& sizes : {shape{4, 3}, shape{5}, shape{}}) {
      const auto x = spread(sizes), y = targets_for(l, sizes);
      const auto a = numbers(x), b = numbers(y);
      list want;
      for (std::size_t i = 0; i < a.size(); ++i) want.push_back(l.reference(a[i], b[i]));
      const auto each = l.call(x, y, nn::reduction::none, {});
      CHECK(each.shape() == sizes);
      check_near(numbers(each), want);
      check_near(numbers(l.call(x, y, nn::reduction::sum, {})), {total(want)});
      check_near(numbers(l.call(x, y, nn::reduction::mean, {})),
                 {total(want) / static_cast<double>(want.size())});
    }
  }
}

TEST_CASE("the gradients of elementwise losses agree with finite differences") {
  test_engine e;
  for (const auto& l : elementwise_losses) {
    CAPTURE(l.name);
    const auto y = targets_for(l, {4, 3});
    for (const auto over : {nn::reduction::none, nn::reduction::sum, nn::reduction::mean})
      check_gradients([&](const auto& in) { return l.call(in[0], y, over, {}); }, {spread({4, 3})});
  }
}

TEST_CASE("weights multiply the losses, for each sample or each loss; the mean counts them all") {
  test_engine e;
  const list of_samples = {2, 0, 0.5, 1};
  for (const auto& l : elementwise_losses) {
    CAPTURE(l.name);
    const auto x = spread({4, 3}), y = targets_for(l, {4, 3});
    const auto a = numbers(x), b = numbers(y);
    list want;
    for (std::size_t i = 0; i < a.size(); ++i)
      want.push_back(of_samples[i / 3] * l.reference(a[i], b[i]));
    const auto weights = from_data(of_samples, {4}, {.dtype = float32});
    check_near(numbers(l.call(x, y, nn::reduction::none, weights)), want);
    check_near(numbers(l.call(x, y, nn::reduction::mean, weights)), {total(want) / 12});
    list all;
    for (std::size_t i = 0; i < 12; ++i) all.push_back(of_samples[i / 3]);
    check_near(numbers(l.call(x, y, nn::reduction::none, from_data(all, {4, 3}))), want);
  }
}

TEST_CASE("targets are converted to the predictions' dtype") {
  test_engine e;
  const auto loss = nn::mse_loss(spread({3}, 0, float32), from_data(list{1, 2, 3}, {3}));
  CHECK(type_text(loss) == "float32[]");
  CHECK(type_text(nn::hinge_loss(spread({3}, 0, float32),
                                 from_data(std::vector<int>{1, -1, 1}, {3}))) == "float32[]");
}

TEST_CASE("sigmoid_cross_entropy is exact where the network is certain and right") {
  test_engine e;
  for (const double logit : {5., 10., 20., 60., 85.}) {
    const auto sure = from_data(list{logit, -logit}, {2}, {.dtype = float32});
    const auto found = numbers(nn::sigmoid_cross_entropy(
        sure, from_data(list{1, 0}, {2}, {.dtype = float32}), {.over = nn::reduction::none}));
    const double want = std::log1p(std::exp(-logit));
    CAPTURE(logit, want, found[0], found[1]);
    CHECK(std::abs(found[0] - want) <= 1e-6 * want);
    CHECK(std::abs(found[1] - want) <= 1e-6 * want);
  }
}

TEST_CASE("sigmoid_cross_entropy overflows for no logit, and its gradient is right at 0") {
  test_engine e;
  const list logits = {-1000, -50, 0, 50, 1000};
  for (const double label : {0., 1.}) {
    auto x = from_data(logits, {5}, {.dtype = float32});
    x.attach_grad();
    tensor each;
    {
      const recording on;
      each = nn::sigmoid_cross_entropy(x, full({5}, label, {.dtype = float32}),
                                       {.over = nn::reduction::none});
    }
    const auto found = numbers(each);
    backward(each, {.seed = ones({5})});
    const auto slopes = numbers(x.grad());
    for (std::size_t i = 0; i < 5; ++i) {
      const double toward = label == 1 ? -logits[i] : logits[i];
      CHECK(near(found[i], std::max(toward, 0.) + std::log1p(std::exp(-std::abs(toward))), 1e-6));
      CHECK(near(slopes[i], 1 / (1 + std::exp(-logits[i])) - label, 1e-6));
    }
  }
}

TEST_CASE("softmax_cross_entropy with labels is minus the logarithm of their softmax") {
  test_engine e;
  const std::vector<std::int64_t> labels = {2, 0, 4, 4};
  const auto x = spread({4, 5});
  const auto want = cross_entropies(x, labels);
  for (const auto type : {int64, int32}) {
    const auto y = from_data(labels, {4}, {.dtype = type});
    const auto each = nn::softmax_cross_entropy(x, y, {.over = nn::reduction::none});
    CHECK(type_text(each) == "float64[4]");
    check_near(numbers(each), want);
    check_near(numbers(nn::softmax_cross_entropy(x, y)), {total(want) / 4});
    check_near(numbers(nn::softmax_cross_entropy(x, y, {.over = nn::reduction::sum})),
               {total(want)});
    check_near(numbers(nn::softmax_cross_entropy(
                   x, y, {.over = nn::reduction::sum, .weights = {1., 0., 3., 0.5}})),
               {want[0] + 3 * want[2] + 0.5 * want[3]});
    check_gradients([&](const auto& in) { return nn::softmax_cross_entropy(in[0], y); }, {x});
    check_gradients(
        [&](const auto& in) {
          return nn::softmax_cross_entropy(in[0], y, {.over = nn::reduction::none});
        },
        {x});
  }
}

TEST_CASE("softmax_cross_entropy weighs classes, smooths labels and leaves samples out") {
  test_engine e;
  const std::vector<std::int64_t> labels = {2, 0, 4, 1};
  const auto x = spread({4, 5}), y = from_data(labels, {4});
  const auto want = cross_entropies(x, labels);
  const list classes = {1, 0.5, 2, 1, 3}, of_label = {2, 1, 3, 0.5};
  const auto factors = from_data(classes, {5});
  // Minus the logarithm of each class's probability, by sample.
  std::vector<list> each;
  for (std::int64_t k = 0; k < 5; ++k) each.push_back(cross_entropies(x, {k, k, k, k}));
  list weighed, smoothed, both;
  for (std::size_t i = 0; i < 4; ++i) {
    double all = 0, all_weighed = 0;
    for (std::size_t k = 0; k < 5; ++k) all += each[k][i], all_weighed += classes[k] * each[k][i];
    weighed.push_back(of_label[i] * want[i]);
    smoothed.push_back(0.9 * want[i] + 0.02 * all);
    both.push_back(0.9 * of_label[i] * want[i] + 0.02 * all_weighed);
  }
  const auto loss = [&](nn::cross_entropy_options options) {
    return numbers(nn::softmax_cross_entropy(x, y, options));
  };
  constexpr auto none = nn::reduction::none;
  check_near(loss({.over = none, .class_weights = factors}), weighed);
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(ones({2, 0}), tensor{0, 1})) ==
        "softmax_cross_entropy: no classes: float32[2,0] and int64[2]");
  check_near(loss({.class_weights = factors}), {total(weighed) / 6.5});
  check_near(loss({.over = nn::reduction::sum, .class_weights = factors}), {total(weighed)});
  check_near(loss({.over = none, .smoothing = 0.1}), smoothed);
  check_near(loss({.class_weights = factors, .smoothing = 0.1}), {total(both) / 6.5});
  check_near(loss({.over = none, .ignored = 4}), {want[0], want[1], 0, want[3]});
  check_near(loss({.ignored = 4}), {(want[0] + want[1] + want[3]) / 3});
  check_near(loss({.class_weights = factors, .ignored = 4}),
             {(weighed[0] + weighed[1] + weighed[3]) / 3.5});
  check_near(loss({.weights = {1., 0., 5., 1.}, .ignored = 4}), {(want[0] + want[3]) / 3});
  const auto padded = from_data(std::vector<std::int64_t>{2, -100, 4, -100}, {4});
  check_near(numbers(nn::softmax_cross_entropy(x, padded, {.ignored = -100})),
             {(want[0] + want[2]) / 2});
  const auto middle = nn::softmax_cross_entropy(
      x.T()[newaxis], y[newaxis], {.axis = 1, .class_weights = factors, .smoothing = 0.1});
  check_near(numbers(middle), {total(both) / 6.5});
  const auto shares = nn::softmax_cross_entropy(x, one_hot(y, 5, float64),
                                                {.class_weights = factors, .smoothing = 0.1});
  check_near(numbers(shares), {total(both) / 4});
  check_gradients(
      [&](const auto& in) {
        return nn::softmax_cross_entropy(
            in[0], y, {.class_weights = factors, .smoothing = 0.1, .ignored = 4});
      },
      {x});
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(x, y, {.class_weights = ones({4})})) ==
        "softmax_cross_entropy: class weights are float32[4], but there are 5 classes");
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(x, y, {.smoothing = 1.5})) ==
        "softmax_cross_entropy: the smoothing is 1.5, but must be from 0 to 1");
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(x, x, {.ignored = 1})) ==
        "softmax_cross_entropy: an ignored label beside probabilities");
}

TEST_CASE("softmax_cross_entropy takes the classes along any axis") {
  test_engine e;
  const auto x = spread({2, 5, 3});
  const std::vector<std::int64_t> labels = {1, 2, 0, 4, 4, 3};
  const auto y = from_data(labels, {2, 3});
  const auto last =
      nn::softmax_cross_entropy(x.transpose({0, 2, 1}), y, {.over = nn::reduction::none});
  const auto middle = nn::softmax_cross_entropy(x, y, {.axis = 1, .over = nn::reduction::none});
  check_near(numbers(middle), cross_entropies(x.transpose({0, 2, 1}).reshape({6, 5}), labels));
  check_near(numbers(last), numbers(middle));
  check_gradients([&](const auto& in) { return nn::softmax_cross_entropy(in[0], y, {.axis = 1}); },
                  {x});
}

TEST_CASE("softmax_cross_entropy with probabilities is the weighted sum of the labels' losses") {
  test_engine e;
  const auto x = spread({3, 4});
  auto shares = numbers(spread({3, 4}, 5));
  for (auto& v : shares) v = v * v;
  list want;
  for (std::int64_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < 4; ++j)
      sum += shares[static_cast<std::size_t>(4 * i + j)] *
             cross_entropies(x, {j, j, j})[static_cast<std::size_t>(i)];
    want.push_back(sum);
  }
  const auto y = from_data(shares, {3, 4});
  check_near(numbers(nn::softmax_cross_entropy(x, y, {.over = nn::reduction::none})), want);
  check_gradients([](const auto& in) { return nn::softmax_cross_entropy(in[0], in[1]); }, {x, y});
}

TEST_CASE("softmax_cross_entropy stays exact for large logits") {
  test_engine e;
  const auto x = from_data(std::vector<float>{10000, 0, -10000, 10000}, {2, 2});
  CHECK(numbers(nn::softmax_cross_entropy(x, {0, 1}, {.over = nn::reduction::none})) == list{0, 0});
  CHECK(numbers(nn::softmax_cross_entropy(x, {1, 0}, {.over = nn::reduction::none})) ==
        list{10000, 20000});
}

TEST_CASE("a label that is no class fails the loss and the gradients, naming the label") {
  test_engine e;
  const std::pair<std::vector<int>, std::string> wrong[] = {
      {{1, 5, 0}, "label 5 is none of the 5 classes, which count from 0"},
      {{1, -1, 0}, "label -1 is none of the 5 classes, which count from 0"}};
  for (const auto& [labels, text] : wrong) {
    auto x = spread({3, 5});
    x.attach_grad();
    tensor loss;
    {
      const recording on;
      loss = nn::softmax_cross_entropy(x, from_data(labels, {3}));
    }
    const auto line = "losses_test.cpp:" + std::to_string(__LINE__ - 2);
    loss.backward();
    CHECK_THROWS_WITH(loss.wait(), Catch::Contains(text) && Catch::Contains(line));
    CHECK_THROWS_WITH(x.grad().wait(), Catch::Contains(text) && Catch::Contains(line));
  }
}

TEST_CASE("nll_loss of logarithms of a softmax is softmax_cross_entropy") {
  test_engine e;
  const auto x = spread({4, 5});
  const tensor y{2, 0, 4, 4};
  const auto logarithms = log_softmax(x);
  check_near(numbers(nn::nll_loss(logarithms, y)), numbers(nn::softmax_cross_entropy(x, y)));
  check_near(numbers(nn::nll_loss(logarithms, y, {.ignored = 4})),
             numbers(nn::softmax_cross_entropy(x, y, {.ignored = 4})));
  check_gradients([&](const auto& in) { return nn::nll_loss(in[0], y); }, {logarithms});
}

TEST_CASE("kl_divergence is 0 for equal distributions, and counts no target of 0") {
  test_engine e;
  const auto p = from_data(list{0.5, 0.25, 0.25, /**/ 1, 0, 0}, {2, 3});
  const auto q = from_data(list{0.25, 0.25, 0.5, /**/ 0.5, 0.25, 0.25}, {2, 3});
  const auto each = nn::kl_divergence(log(q), p, {.over = nn::reduction::none});
  check_near(numbers(each), {0.5 * std::log(2.) + 0.25 * std::log(0.5), std::log(2.)});
  check_near(numbers(nn::kl_divergence(log(q.T()), p.T(), {.axis = 0})),
             {total(numbers(each)) / 2});
  check_near(numbers(nn::kl_divergence(log(q), q)), {0});
  check_near(numbers(nn::kl_divergence(log(p), p)), {0});  // -inf where no target is
  check_gradients([&](const auto& in) { return nn::kl_divergence(in[0], p); }, {log(q)});
  check_gradients([&](const auto& in) { return nn::kl_divergence(log(q), in[0]); }, {q});
}

TEST_CASE("losses of embeddings follow their formulas") {
  test_engine e;
  const auto a = from_data(list{0, 0, /**/ 1, 1}, {2, 2});
  const auto near = from_data(list{3, 4, /**/ 1, 2}, {2, 2});
  const auto far = from_data(list{0, 2, /**/ 1, 9}, {2, 2});
  check_near(numbers(nn::triplet_margin_loss(a, near, far, {.over = nn::reduction::none})), {4, 0});
  check_near(numbers(nn::triplet_margin_loss(a, near, far, {.margin = 8})), {(11 + 1) / 2.});
  const auto x = from_data(list{1, 0, /**/ 0, 2, /**/ 1, 1}, {3, 2});
  const auto y = from_data(list{2, 0, /**/ 0, 1, /**/ 1, -1}, {3, 2});
  const tensor labels{1, -1, 1};
  const auto each =
      nn::cosine_embedding_loss(x, y, labels, {.margin = 0.25, .over = nn::reduction::none});
  check_near(numbers(each), {0, 0.75, 1});
  const auto u = spread({3, 4}), v = spread({3, 4}, 1), w = spread({3, 4}, 2);
  check_gradients(
      [](const auto& in) { return nn::triplet_margin_loss(in[0], in[1], in[2], {.margin = 9}); },
      {u, v, w});
  check_gradients([&](const auto& in) { return nn::cosine_embedding_loss(in[0], in[1], labels); },
                  {u, v});
  CHECK(TROUPE_ERROR_OF(nn::triplet_margin_loss(u, v, spread({3, 5}))) ==
        "triplet_margin_loss: shapes differ: float64[3,4] and float64[3,5]");
  const auto number = tensor(1.);
  CHECK(TROUPE_ERROR_OF(nn::cosine_embedding_loss(number, number, number)) ==
        "cosine_similarity: axis -1 is out of range for float64[]");
  CHECK(TROUPE_ERROR_OF(nn::triplet_margin_loss(number, number, number)) ==
        "norm: 1 axis is named for float64[], which has none");
  CHECK(TROUPE_ERROR_OF(nn::cosine_embedding_loss(u, v, {1, -1})) ==
        "cosine_embedding_loss: shapes differ: float64[3] and int64[2]");
}

TEST_CASE("losses refuse inputs that do not fit, naming them") {
  test_engine e;
  const auto x = spread({4, 3}), column = spread({4, 1}), row = spread({4});
  const auto whole = from_data(std::vector<int>{1, 2, 3, 4}, {4});
  CHECK(TROUPE_ERROR_OF(nn::mse_loss(column, row)) ==
        "mse_loss: shapes differ: float64[4,1] and float64[4]");
  CHECK(TROUPE_ERROR_OF(nn::l1_loss(whole, whole)) ==
        "l1_loss: predictions are int32[4], but must be floats");
  CHECK(TROUPE_ERROR_OF(nn::l2_loss({}, row)) == "l2_loss: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(nn::l2_loss(row, {})) == "l2_loss: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(nn::huber_loss(row, row, {.delta = 0})) ==
        "huber_loss: delta is 0, but must be positive");
  CHECK(TROUPE_ERROR_OF(nn::hinge_loss(row, row, {.weights = spread({3})})) ==
        "hinge_loss: weights are float64[3], but there are [4] losses");
  CHECK(TROUPE_ERROR_OF(nn::mse_loss(row.to(cpu(1)), row)) ==
        "subtract: inputs on different devices: float64[4] on cpu:1 and float64[4] on cpu:0");
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(x, whole.reshape({4, 1}))) ==
        "softmax_cross_entropy: not a label for each sample: float64[4,3] and int32[4,1]");
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(x, row)) ==
        "softmax_cross_entropy: labels are no integers: float64[4,3] and float64[4]");
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(x, x > 0)) ==
        "softmax_cross_entropy: labels are no integers: float64[4,3] and bool[4,3]");
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(x, whole, {.axis = 2})) ==
        "softmax_cross_entropy: axis 2 is out of range for float64[4,3]");
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(whole, whole)) ==
        "softmax_cross_entropy: logits are int32[4], but must be floats");
  CHECK(TROUPE_ERROR_OF(nn::nll_loss(whole, whole)) ==
        "nll_loss: logarithms are int32[4], but must be floats");
  CHECK(TROUPE_ERROR_OF(nn::kl_divergence(whole, whole)) ==
        "kl_divergence: logarithms are int32[4], but must be floats");
  CHECK(TROUPE_ERROR_OF(nn::kl_divergence(x, row)) ==
        "kl_divergence: shapes differ: float64[4,3] and float64[4]");
  CHECK(TROUPE_ERROR_OF(nn::softmax_cross_entropy(x, {})) ==
        "softmax_cross_entropy: the input names no array yet");
}

TEST_CASE("accuracy is the fraction of labels with the greatest logit") {
  test_engine e;
  const auto logits = from_data(list{1, 3, 2, /**/ 0, 0, 5, /**/ 9, 8, 7, /**/ 1, 2, 1}, {4, 3});
  const auto share = nn::accuracy(logits, {1, 2, 1, 0});
  CHECK(share.shape() == shape{});
  CHECK(share.item<double>() == 0.5);
  CHECK(nn::accuracy(logits.T(), {1, 2, 1, 0}, 0).item<double>() == 0.5);
  CHECK(TROUPE_ERROR_OF(nn::accuracy(logits, {1, 2})) ==
        "accuracy: not a label for each sample: float64[4,3] and int64[2]");
}

}  // namespace troupe::testing
