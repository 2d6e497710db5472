// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/tests/onnx/model_file.hpp"
#include "troupe/troupe.hpp"

// Behaviour that ONNX's own cases do not see.

namespace troupe::testing {

namespace {

double greatest_difference(const tensor& x, const tensor& y) { return max(abs(x - y)).item(); }

/// Outputs and last states of a recurrent layer with 2 inputs and 3 hidden units.
std::vector<tensor> run_recurrent(const char* op, int gates, const char* direction, const tensor& x,
                                  const tensor& w, const tensor& r, const tensor& b) {
  const auto directions = w.shape()[0];
  model_file m(14);
  m.input("x", {5, 4, 2});
  m.input("w", {directions, gates * 3, 2});
  m.input("r", {directions, gates * 3, 3});
  m.input("b", {directions, gates * 6});
  auto& n = m.node(op, {"x", "w", "r", "b"}, "y");
  n.add_output("last");
  model_file::attribute(n, "hidden_size", 3);
  model_file::attribute(n, "direction", direction);
  m.output("y", {5, directions, 4, 3});
  m.output("last", {directions, 4, 3});
  return m.load().call(std::vector{x, w, r, b});
}

tensor convolved(const char* op, const tensor& x, const tensor& w, std::int64_t groups) {
  model_file m(11);
  m.input("x", {x.shape().begin(), x.shape().end()});
  m.input("w", {w.shape().begin(), w.shape().end()});
  auto& n = m.node(op, {"x", "w"}, "y");
  model_file::attribute(n, "strides", std::vector<std::int64_t>{2, 1, 2});
  model_file::attribute(n, "dilations", std::vector<std::int64_t>{1, 2, 1});
  model_file::attribute(n, "pads", std::vector<std::int64_t>{1, 0, 1, 0, 1, 1});
  model_file::attribute(n, "group", groups);
  m.output("y", {-1, -1, -1, -1, -1});
  return m.load()(x, w);
}

tensor scattered(const char* reduction, const tensor& x, const tensor& at, const tensor& updates) {
  model_file m(16);
  m.input("x", {x.shape().begin(), x.shape().end()}, x.dtype());
  m.input("at", {at.shape().begin(), at.shape().end()}, int64);
  m.input("updates", {updates.shape().begin(), updates.shape().end()}, x.dtype());
  auto& n = m.node("ScatterND", {"x", "at", "updates"}, "y");
  model_file::attribute(n, "reduction", reduction);
  m.output("y", {x.shape().begin(), x.shape().end()}, x.dtype());
  return m.load()(x, at, updates);
}

}  // namespace

TEST_CASE("a slice that steps backwards begins within the array") {
  runtime engine;
  for (const std::int64_t start : {-100, -4, 0}) {
    model_file m(13);
    m.input("x", {4});
    const auto given = [&](const char* name, std::int64_t x) {
      m.initializer(name, full({1}, x, {.dtype = int64}));
    };
    given("starts", start);
    given("ends", INT64_MIN);
    given("axes", 0);
    given("steps", -1);
    m.node("Slice", {"x", "starts", "ends", "axes", "steps"}, "y");
    m.output("y", {-1});
    CHECK(m.load()(arange(4, {.dtype = float32})).to_vector<float>() == std::vector<float>{0});
  }
}

TEST_CASE("a recurrent layer that runs backwards is one that runs forwards on turned sequences") {
  runtime engine;
  const auto [op, gates] = GENERATE(std::pair("RNN", 1), std::pair("GRU", 3), std::pair("LSTM", 4));
  INFO(op);
  const auto x = normal({5, 4, 2}), w = normal({1, gates * 3, 2}), r = normal({1, gates * 3, 3});
  const auto b = normal({1, gates * 6});
  const auto forward = run_recurrent(op, gates, "forward", x, w, r, b);
  const auto turned = run_recurrent(op, gates, "forward", flip(x, 0), w, r, b);
  const auto reverse = run_recurrent(op, gates, "reverse", x, w, r, b);
  CHECK(greatest_difference(reverse[0], flip(turned[0], 0)) < 1e-5);
  CHECK(greatest_difference(reverse[1], turned[1]) < 1e-5);
  const auto twice = [](const tensor& one) { return concatenate({one, one}, 0); };
  const auto both = run_recurrent(op, gates, "bidirectional", x, twice(w), twice(r), twice(b));
  CHECK(greatest_difference(both[0], concatenate({forward[0], reverse[0]}, 1)) < 1e-5);
  CHECK(greatest_difference(both[1], concatenate({forward[1], reverse[1]}, 0)) < 1e-5);
}

TEST_CASE("the transposed convolution of volumes is the adjoint of the convolution") {
  runtime engine;
  const auto groups = GENERATE(1, 2);
  const auto x = normal({2, 4, 5, 6, 6}), w = normal({6, 4 / groups, 3, 2, 2});
  const auto y = convolved("Conv", x, w, groups);
  CHECK(y.shape() == shape{2, 6, 2, 5, 4});
  const auto z = normal(y.shape());
  // The stride leaves a rest over at the end.
  const auto back = convolved("ConvTranspose", z, w, groups);
  const auto reached = x.slice(2, 0, back.shape()[2]).slice(4, 0, back.shape()[4]);
  CHECK(back.shape() == reached.shape());
  CHECK(sum(y * z).item() == Approx(sum(reached * back).item()).epsilon(1e-4).margin(1e-3));
}

TEST_CASE("of two updates of one element the last counts, or both of them reduce it") {
  runtime engine;
  const tensor at = {{1}, {3}, {1}}, updates = {4, 5, 6};
  const auto result = [&](const char* reduction) {
    return scattered(reduction, tensor{1, 2, 3, 4}, at, updates).to_vector<std::int64_t>();
  };
  CHECK(result("none") == std::vector<std::int64_t>{1, 6, 3, 5});
  CHECK(result("add") == std::vector<std::int64_t>{1, 12, 3, 9});
  CHECK(result("mul") == std::vector<std::int64_t>{1, 48, 3, 20});
}

TEST_CASE("of equal elements the first are the top ones") {
  runtime engine;
  model_file m(11);
  m.input("x", {5});
  m.initializer("k", tensor{3});
  auto& n = m.node("TopK", {"x", "k"}, "values");
  n.add_output("places");
  m.output("values", {3});
  m.output("places", {3}, int64);
  const auto out = m.load().call(std::vector<tensor>{tensor{1.F, 2.F, 2.F, 0.F, 2.F}});
  CHECK(out[0].to_vector<float>() == std::vector<float>{2, 2, 2});
  CHECK(out[1].to_vector<std::int64_t>() == std::vector<std::int64_t>{1, 2, 4});
}

TEST_CASE("the way back of a Fourier transform leads to the signal") {
  runtime engine;
  const auto x = normal({2, 7, 2});
  const auto transformed = [](const tensor& from, std::int64_t inverse) {
    model_file m(17);
    m.input("x", {2, 7, 2});
    auto& n = m.node("DFT", {"x"}, "y");
    model_file::attribute(n, "inverse", inverse);
    m.output("y", {2, 7, 2});
    return m.load()(from);
  };
  CHECK(greatest_difference(transformed(transformed(x, 0), 1), x) < 1e-5);
}

TEST_CASE("what decides about a shape must be constant") {
  runtime engine;
  model_file m(13);
  m.input("x", {4});
  m.node("NonZero", {"x"}, "y");
  m.output("y", {1, -1}, int64);
  CHECK(m.refusal() ==
        "node \"the_NonZero\" of NonZero: its input \"x\" is not constant: not supported");
  const auto y = m.load({.constants = {{"x", tensor{0.F, 2.F, 0.F, 3.F}}}}).call({})[0];
  CHECK(y.to_vector<std::int64_t>() == std::vector<std::int64_t>{1, 3});
}

}  // namespace troupe::testing
