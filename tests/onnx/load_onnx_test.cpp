// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <functional>
#include <random>

#include "troupe/language/parse_program.hpp"
#include "troupe/onnx/onnx.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/onnx/model_file.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

namespace {

/// y = relu(x w + b), and its shape.
void dense(model_file& m) {
  m.input("x", {4, 3});
  m.initializer("w", reshape(arange(6, {.dtype = float32}), {3, 2}));
  m.initializer("b", tensor{-10.F, 10.F});
  m.node("Gemm", {"x", "w", "b"}, "h");
  m.node("Relu", {"h"}, "y");
  m.output("y", {4, 2});
}

}  // namespace

TEST_CASE("a model is read as a program, which is a text and can be saved") {
  runtime engine;
  model_file m;
  dense(m);
  const auto p = m.load();
  CHECK(p.text() ==
        "constant c0: float32[3, 2]\nconstant c1: float32[2]\ndef program(x0: float32[4, 3]) {\n"
        "  v0 = linear(x0, c0, c1)\n  v1 = relu(v0)\n  v1\n}\n");
  const auto x = reshape(arange(12, {.dtype = float32}), {4, 3});
  const auto y = p(x);
  CHECK(y.to_vector<float>() == std::vector<float>{0, 23, 18, 50, 36, 77, 54, 104});
  const auto path = m.folder / "saved.safetensors";
  save_program(path, p);
  CHECK(load_program(path)(x).to_vector<float>() == y.to_vector<float>());
}

TEST_CASE("a model is differentiated, and compiled into other functions") {
  runtime engine;
  model_file m;
  dense(m);
  const auto p = m.load();
  const auto x = reshape(arange(12, {.dtype = float32}), {4, 3});
  const auto f = [&](const tensor& in) { return sum(p(in)); };
  // Of the first row the first result is negative, and what comes back is the second column.
  CHECK(grad(f)(x)[0].to_vector<float>() == std::vector<float>{1, 3, 5});
  CHECK(grad(f)(x)[1].to_vector<float>() == std::vector<float>{1, 5, 9});
  CHECK(compile(f)(x).item<float>() == f(x).item<float>());
}

TEST_CASE("shapes that a model computes become constants") {
  runtime engine;
  model_file m;
  m.input("x", {2, 3, 4});
  m.initializer("zero", tensor{0});
  m.initializer("minus_one", tensor{-1});
  m.node("Shape", {"x"}, "s");
  m.node("Gather", {"s", "zero"}, "batch");
  auto& c = m.node("Concat", {"batch", "minus_one"}, "flat");
  model_file::attribute(c, "axis", 0);
  m.node("Reshape", {"x", "flat"}, "y");
  m.output("y", {-1, -1});
  CHECK(m.load().text() ==
        "def program(x0: float32[2, 3, 4]) {\n  v0 = reshape(x0, [2, -1])\n  v0\n}\n");
}

TEST_CASE("sizes that the file leaves open are given with the call") {
  runtime engine;
  model_file m;
  m.input("x", {-1, 3});
  m.node("Exp", {"x"}, "y");
  m.output("y", {-1, 3});
  CHECK(m.refusal() ==
        "input \"x\" has sizes that the file leaves open: give its shape in the options");
  CHECK(m.load({.shapes = {{"x", {5, 3}}}})(zeros({5, 3})).shape() == shape{5, 3});
  CHECK(m.refusal({.shapes = {{"x", {5, 4}}}}) ==
        "input \"x\" cannot be given [5,4]: the model says otherwise");
  CHECK(m.refusal({.shapes = {{"x", {5}}}}) ==
        "input \"x\" cannot be given [5]: the model says otherwise");
  CHECK(m.refusal({.shapes = {{"x", {5, 3}}, {"z", {1}}}}) == "has no input \"z\"");
  CHECK(m.refusal({.absent = {"x"}}) == "input \"x\" may not be absent");
  CHECK(m.refusal({.sequences = {{"x", {{3}}}}}) == "input \"x\" is no sequence");
}

TEST_CASE("an input that decides about shapes has to be a constant") {
  runtime engine;
  model_file m;
  m.input("x", {2, 3});
  m.input("to", {1}, int64);
  m.node("Reshape", {"x", "to"}, "y");
  m.output("y", {6});
  CHECK(m.refusal() ==
        "node \"the_Reshape\" of Reshape: its input \"to\" is not constant: not supported");
  const auto p = m.load({.constants = {{"to", {6}}}});
  CHECK(p.arguments() == 1);
  CHECK(p(ones({2, 3})).shape() == shape{6});
  CHECK(m.refusal({.constants = {{"to", ones({1})}}}) ==
        "input \"to\" cannot be given [1]: the model says otherwise");
}

TEST_CASE("what has no counterpart is refused by name") {
  runtime engine;
  SECTION("an operator") {
    model_file m;
    m.input("x", {2});
    m.node("StringNormalizer", {"x"}, "y");
    m.output("y", {2});
    CHECK(m.refusal() == "node \"the_StringNormalizer\" of StringNormalizer: not supported");
  }
  SECTION("an operator of another domain") {
    model_file m;
    m.input("x", {2});
    m.node("Relu", {"x"}, "y").set_domain("com.example");
    m.output("y", {2});
    CHECK(m.refusal() == "node \"the_Relu\" of com.example.Relu: not supported");
  }
  SECTION("an attribute") {
    model_file m(17);
    m.input("x", {1, 4, 1});
    auto& n = m.node("DFT", {"x"}, "y");
    model_file::attribute(n, "inverse", 1);
    model_file::attribute(n, "onesided", 1);
    m.output("y", {1, 3, 2});
    CHECK(m.refusal() == "node \"the_DFT\" of DFT: attribute onesided: not supported");
  }
  SECTION("a dtype") {
    model_file m;
    m.input("x", {2});
    m.graph.mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
        onnx::TensorProto_DataType_COMPLEX64);
    m.node("Identity", {"x"}, "y");
    m.output("y", {2});
    m.graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
        onnx::TensorProto_DataType_COMPLEX64);
    CHECK(m.refusal() == "input \"x\" is complex64: not supported");
  }
  SECTION("training") {
    model_file m;
    m.input("x", {2});
    m.initializer("ratio", full({}, 0.5F));
    m.initializer("training", full({}, true));
    m.node("Dropout", {"x", "ratio", "training"}, "y");
    m.output("y", {2});
    CHECK(m.refusal() == "node \"the_Dropout\" of Dropout: in training: not supported");
  }
  SECTION("a version that nobody knows yet") {
    model_file m(1000);
    dense(m);
    CHECK_THAT(m.refusal(), Catch::StartsWith("has operators of version 1000, and "));
  }
}

TEST_CASE("positions that are out of bounds fail the result") {
  runtime engine;
  const auto result = [](const char* op, const tensor& at) {
    model_file m(16);
    m.input("x", {3, 2});
    m.input("at", {1, 2}, int64);
    m.input("updates", {1});
    m.node(op,
           op == std::string("ScatterND") ? std::vector<std::string>{"x", "at", "updates"}
                                          : std::vector<std::string>{"x", "at"},
           "y");
    m.output("y", {});
    const auto x = reshape(arange(6, {.dtype = float32}), {3, 2});
    return m.load()(x, at, tensor{50.F}).to_vector<float>();
  };
  CHECK(result("GatherND", {{2, 1}}) == std::vector<float>{5});
  CHECK(result("GatherND", {{-3, -1}}) == std::vector<float>{1});
  CHECK(result("ScatterND", {{-1, 0}}) == std::vector<float>{0, 1, 2, 3, 50, 5});
  for (const auto* op : {"GatherND", "ScatterND"}) {
    CHECK_THROWS_AS(result(op, {{0, 2}}), error);
    CHECK_THROWS_AS(result(op, {{0, -3}}), error);
    CHECK_THROWS_AS(result(op, {{3, 0}}), error);
    CHECK_THROWS_AS(result(op, {{INT64_MIN, 1}}), error);
  }
}

TEST_CASE("integers are divided towards zero") {
  runtime engine;
  model_file m;
  m.input("x", {4}, int32);
  m.input("y", {4}, int32);
  m.node("Div", {"x", "y"}, "z");
  m.output("z", {4}, int32);
  const auto z = m.load()(tensor({-7, 7, -7, 7}, int32), tensor({2, -2, -2, 2}, int32));
  CHECK(z.to_vector<std::int32_t>() == std::vector<std::int32_t>{-3, -3, 3, 3});
}

TEST_CASE("neighbouring channels are normalised with windows of any size") {
  runtime engine;
  for (const int size : {1, 2, 3, 4, 7}) {
    model_file m;
    m.input("x", {1, 4, 1, 1});
    auto& n = m.node("LRN", {"x"}, "y");
    model_file::attribute(n, "size", size);
    m.output("y", {1, 4, 1, 1});
    const std::vector<float> x = {1, 20, 300, 4000};
    const auto y = m.load()(from_data(x, {1, 4, 1, 1})).to_vector<float>();
    for (int c = 0; c < 4; ++c) {
      double squares = 0;
      for (int i = c - (size - 1) / 2; i <= c + size / 2; ++i) {
        if (i >= 0 && i < 4) squares += double(x[i]) * x[i];
      }
      CHECK(y[c] == Approx(x[c] / std::pow(1 + 1e-4 / size * squares, 0.75)).epsilon(1e-4));
    }
  }
}

TEST_CASE("the document names the operators that are translated") {
  std::string all;
  for (const auto op : translated_operators()) all += (all.empty() ? "" : ", ") + std::string(op);
  auto document = bytes_in(TROUPE_SOURCES "/docs/onnx.md");
  std::ranges::replace(document, '\n', ' ');
  CHECK_THAT(document, Catch::Contains("  " + all + ".  "));
}

TEST_CASE("a damaged model is refused in one line") {
  runtime engine;
  model_file m;
  dense(m);
  const auto expect = [&](const char* text) { CHECK_THAT(m.refusal(), Catch::StartsWith(text)); };
  CHECK_THAT(error_of([&] { load_onnx(m.folder / "none.onnx"); }), Catch::Contains("none.onnx: "));
  CHECK_THAT(error_of([&] { load_onnx(put_bytes(m.folder / "text.onnx", "this is no model")); }),
             Catch::Contains("text.onnx: is no ONNX model, or damaged ("));
  SECTION("fewer bytes than the shape has") {
    m.graph.mutable_initializer(0)->mutable_raw_data()->resize(20);
    expect("initializer \"w\" has 20 elements or bytes of data, which are not those of [3,2]");
  }
  SECTION("more bytes than the shape has") {
    m.graph.mutable_initializer(0)->mutable_raw_data()->resize(28);
    expect("initializer \"w\" has 28 elements or bytes of data, which are not those of [3,2]");
  }
  SECTION("a shape that cannot be counted") {
    for (int i = 0; i < 2; ++i) m.graph.mutable_initializer(0)->set_dims(i, std::int64_t{1} << 62);
    CHECK(m.refusal() != "no error");
  }
  SECTION("a negative size") {
    m.graph.mutable_initializer(0)->set_dims(0, -3);
    CHECK(m.refusal() != "no error");
  }
  SECTION("elements in another file") {
    auto& w = *m.graph.mutable_initializer(0);
    w.clear_raw_data();
    w.set_data_location(onnx::TensorProto_DataLocation_EXTERNAL);
    auto& at = *w.add_external_data();
    at.set_key("location");
    at.set_value("/etc/passwd");
    expect("initializer \"w\" has its elements in another file: not supported");
  }
  SECTION("nodes in a circle") {
    m.graph.mutable_node(0)->set_input(0, "y");
    expect("is no valid model: ");
  }
  SECTION("sizes that do not fit") {
    m.graph.mutable_initializer(0)->set_dims(0, 2);
    m.graph.mutable_initializer(0)->set_dims(1, 3);
    CHECK(error_of([&] { m.load()(ones({4, 3})).wait(); }) != "no error");
  }
}

TEST_CASE("a name from a file cannot reach the terminal or the text") {
  runtime engine;
  model_file m;
  m.input("x\n}\n\x1b[2J", {2});
  m.node("Relu", {"x\n}\n\x1b[2J"}, "y)");
  m.output("y)", {2});
  CHECK(m.load().text() == "def program(x0: float32[2]) {\n  v0 = relu(x0)\n  v0\n}\n");
  m.graph.mutable_node(0)->set_op_type("Nothing\n\x1b[2J");
  CHECK(m.refusal().find_first_of("\n\x1b") == std::string::npos);
}

TEST_CASE("damaged bytes are refused or read, and nothing else") {
  runtime engine;
  model_file m;
  m.input("x", {1, 2, 8, 8});
  m.initializer("w", ones({2, 2, 3, 3}));
  m.initializer("to", tensor{1, -1});
  m.node("Conv", {"x", "w"}, "c");
  m.node("Softmax", {"c"}, "s");
  m.node("Reshape", {"s", "to"}, "y");
  m.output("y", {1, 72});
  const auto good = m.bytes();
  const auto path = m.folder / "damaged.onnx";
  std::mt19937 random(11);
  int refused = 0, read = 0;
  for (int i = 0; i < 3000; ++i) {
    auto bytes = good;
    for (auto count = 1 + random() % 4; count > 0; --count) {
      const auto at = random() % bytes.size();
      switch (random() % 3) {
        case 0: bytes[at] = static_cast<char>(random()); break;
        case 1: bytes.erase(at, 1 + random() % 4); break;
        default: bytes.insert(at, 1, static_cast<char>(random()));
      }
    }
    try {
      const auto p = load_onnx(put_bytes(path, bytes));
      p.call(std::vector<tensor>(p.arguments(), ones({1, 2, 8, 8})))[0].wait();
      ++read;
    } catch (const error&) { ++refused; }
  }
  CHECK(refused > 1000);
  CHECK(read > 50);
}

}  // namespace troupe::testing
