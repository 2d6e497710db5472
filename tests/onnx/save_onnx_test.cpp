// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <fstream>
#include <functional>

#include "troupe/language/parse_program.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/tests/onnx/model_file.hpp"
#include "troupe/tests/onnx/written_model.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

namespace {

const std::string none;  // of a difference

onnx::ModelProto read_model(const std::string& path) {
  onnx::ModelProto out;
  std::ifstream in(path, std::ios::binary);
  REQUIRE(out.ParseFromIstream(&in));
  return out;
}

std::string operators_of(const program& p) {
  const temporary_folder folder;
  save_onnx(folder / "model.onnx", p);
  const auto model = read_model(folder / "model.onnx");
  std::string out;
  for (const auto& node : model.graph().node()) out += (out.empty() ? "" : " ") + node.op_type();
  return out;
}

/// Arguments of the types that a program's text says.
std::vector<tensor> arguments_for(const program& p) {
  std::vector<tensor> out;
  for (const auto& type : p.argument_types()) {
    if (is_floating(type->element)) out.push_back(astype(normal(type->dims), type->element));
    else out.push_back(astype(randint(type->dims, 0, 3), type->element));
  }
  return out;
}

}  // namespace

TEST_CASE("a program becomes a model with its names, types and constants") {
  runtime engine;
  const temporary_folder folder;
  const auto p = parse_program(
      "constant w: float32[3, 2]\ndef f(x: float32[4, 3]) { y = matmul(x, w)\n [y, sum(y, 1)] }",
      named_tensors{{"w", ones({3, 2})}});
  save_onnx(
      folder / "model.onnx", p,
      {.arguments = {"image"}, .results = {"scores", "total"}, .opset = 13, .producer = "me"});
  const auto model = read_model(folder / "model.onnx");
  CHECK(model.producer_name() == "me");
  CHECK(model.ir_version() == 7);
  CHECK(model.opset_import(0).version() == 13);
  const auto& graph = model.graph();
  REQUIRE(graph.input_size() == 1);
  CHECK(graph.input(0).name() == "image");
  CHECK(graph.input(0).type().tensor_type().shape().dim(1).dim_value() == 3);
  REQUIRE(graph.output_size() == 2);
  CHECK(graph.output(0).name() == "scores");
  CHECK(graph.output(1).name() == "total");
  CHECK(graph.initializer(0).name() == "c0");
  CHECK(operators_of(p) == "MatMul ReduceSum");
  CHECK(graph.node(0).output(0) == "scores");
  CHECK(graph.node(1).input(0) == "scores");
  const auto x = normal({4, 3});
  CHECK(difference(load_onnx(folder / "model.onnx").call(std::vector{x})[1],
                   p.call(std::vector{x})[1]) == none);
}

TEST_CASE("products of operands that both repeat along an axis are written") {
  runtime engine;
  using factors = std::function<tensor(const tensor&, const tensor&)>;
  const factors all[] = {
      [](const auto& x, const auto& y) { return matmul(expand_dims(x, 0), expand_dims(y, 0)); },
      [](const auto& x, const auto& y) {
        return matmul(broadcast_to(x, {2, 3, 4}), broadcast_to(y, {2, 4, 3}));
      },
      [](const auto& x, const auto& y) {
        return matmul(broadcast_to(expand_dims(x, 0), {2, 3, 4}),
                      broadcast_to(expand_dims(y, 0), {5, 2, 4, 3}));
      },
      [](const auto& x, const auto& y) {
        const auto both = stack({x, x + 1});
        return matmul(broadcast_to(reshape(both, {2, 1, 3, 4}), {2, 5, 3, 4}), y);
      }};
  for (const auto& f : all) {
    const auto x = normal({3, 4}), y = normal({4, 3});
    const auto p = compile(f).program(x, y);
    CHECK(difference_when_read(p, {x, y}, 10) == none);
  }
}

TEST_CASE("names of arguments and results may be those that nodes and constants would have") {
  runtime engine;
  const auto p = parse_program("constant w: float32[3]\ndef f(x: float32[3]) { exp(exp(x) + w) }",
                               named_tensors{{"w", ones({3})}});
  const auto q = written_and_read(p, {.arguments = {"c0"}, .results = {"exp_0"}});
  const auto x = normal({3});
  CHECK(difference(q(x), p(x)) == none);
}

TEST_CASE("operations with a counterpart become single nodes") {
  runtime engine;
  const auto [text, operators] = GENERATE(table<std::string, std::string>(
      {{"def f(x: float32[2, 3]) { relu(x) }", "Relu"},
       {"def f(x: float32[2, 3], y: float32[3]) { x * y }", "Mul"},
       {"def f(x: float32[2, 3]) { x.T }", "Transpose"},
       {"def f(x: float32[2, 3]) { flip(x, 1)[:1] }", "Slice"},
       {"def f(x: float32[2, 3], y: float32[3, 4], z: float32[4]) { linear(x, y, z) }", "Gemm"},
       {"def f(x: float32[1, 2, 8, 8], w: float32[4, 1, 3, 3]) { conv2d(x, w, padding=1, groups=2) "
        "}",
        "Conv"},
       {"def f(x: float32[2, 3]) { softmax(x) }", "Softmax"},
       {"def f(x: float32[2, 3]) { cumsum(x, 1) }", "CumSum"},
       {"def f(x: int32[2, 3]) { astype(x, float32) }", "Cast"},
       {"def f(x: int32[2, 3], y: float32[3]) { x + y }", "Cast Cast Add"},
       {"def f(x: float32[2, 3]) { clip(x, 0, 1) }", "Clip"},
       {"def f(x: float32[2, 3]) { x }", "Identity"},
       {"def f(x: float32[2, 3]) { y = exp(x)\n [y, y] }", "Exp Identity"}}));
  CAPTURE(text);
  const auto p = parse_program(text);
  CHECK(operators_of(p) == operators);
  CHECK(difference_when_read(p, arguments_for(p)) == none);
}

TEST_CASE("views mean the same in a model") {
  runtime engine;
  const auto* view = GENERATE(
      "x[1]", "x[:, 2]", "x[::2, 1:6:2]", "x[::-1, ::-2]", "transpose(x, [2, 0, 1])[1:3]",
      "reshape(x, [4, 30])[:, ::7]", "broadcast_to(x[:, :1], [2, 4, 6, 5])",
      "broadcast_to(x[1, 2, 3], [2, 3])", "as_strided(x, [5, 3], [7, 2], 3)",
      "as_strided(x, [6, 4], [1, 1], 0)", "diagonal(x[0])", "x[:0]",
      "reshape(x[1:2, :, 2], [2, 3])", "flip(x, 0)[1:, ::3].T", "expand_dims(x, 1)[:, :, 2:]");
  CAPTURE(view);
  for (const auto* text : {"", " + 0"}) {
    const auto p = parse_program(std::string("def f(x: float32[4, 6, 5]) { v = ") + view + "\n v" +
                                 text + " }");
    CHECK(difference_when_read(p, arguments_for(p)) == none);
  }
}

TEST_CASE("networks mean the same in a model") {
  runtime engine;
  const auto check = [](nn::sequential& net, const tensor& x) {
    net(x);  // the layers learn their sizes
    const auto p = compile([&](const tensor& in) { return net(in); }).program(x);
    CHECK(difference_when_read(p, {x}, 10) == none);
  };
  SECTION("a perceptron") {
    nn::sequential net{nn::dense(16, relu), nn::dense(8, tanh), nn::dense(3)};
    check(net, normal({5, 7}));
  }
  SECTION("a convolutional network") {
    nn::sequential net{nn::conv2d(6, 5, {.padding = 2}),
                       nn::batch_norm(),
                       relu,
                       nn::max_pool2d({2}),
                       nn::conv2d(16, 5),
                       nn::avg_pool2d({2}),
                       nn::flatten(),
                       nn::dense(10)};
    net(normal({2, 1, 28, 28}));
    nn::eval(net);
    check(net, normal({2, 1, 28, 28}));
  }
  SECTION("attention and normalisation") {
    nn::sequential net{nn::layer_norm(), nn::multi_head_attention(2), nn::dense(4, gelu)};
    check(net, normal({2, 5, 8}));
  }
}

TEST_CASE("functions of many operations mean the same in a model") {
  runtime engine;
  const auto* text = GENERATE(
      "def f(x: float32[3, 4], h: float32[3, 5], w: float32[4, 5], u: float32[5, 5])"
      " { a = tanh(matmul(x, w) + matmul(h, u))\n tanh(matmul(x, w) + matmul(a, u)) }",
      "def f(x: float32[8, 5], w: float32[5, 3], t: int64[8])"
      " { -mean(take_along_axis(log_softmax(matmul(x, w)), reshape(t, [8, 1]), 1)) }",
      "def f(x: float32[6, 4]) { where(x > 0, sort(x, 0), cumprod(x, 0)) }",
      "def f(x: float32[6, 4], i: int64[3]) { [x[i], put(x, i, x[:3], 0), topk(x, 2, 0)[0]] }",
      "def f(x: float32[7]) { [searchsorted(sort(x), x), arange(7) * 2, linspace(0, 1, 5), eye(3)] "
      "}",
      "def f(x: float16[3, 5]) { [softmax(x), sum(x, 0), var(x), x / 3] }",
      "def f(x: bfloat16[3, 5]) { [exp(x), max(x, 1), full([2, 2], 0.1, dtype=bfloat16)] }",
      "def f(x: int8[3, 5], y: uint8[5]) { [x + y, sum(y), x // y, x % y, x * 100] }");
  CAPTURE(text);
  const auto p = parse_program(text);
  CHECK(difference_when_read(p, arguments_for(p), 4) == none);
}

TEST_CASE("a step of training that returns the new weights means the same in a model") {
  runtime engine;
  const auto loss = [](const std::vector<tensor>& in) {
    const auto image = max_pool2d(relu(conv2d(in[2], in[0], in[1], {.padding = 1})), {3, 2, 1});
    return mean(square(log_softmax(reshape(avg_pool2d(image, {2, 1}), {2, -1}))));
  };
  const auto step = compile([&](const tensor& w, const tensor& b, const tensor& x) {
    const auto g = grad(loss)(std::vector{w, b, x});
    return std::vector<tensor>{w - 0.1 * g[0], b - 0.1 * g[1]};
  });
  const std::vector<tensor> in = {normal({4, 2, 3, 3}), normal({4}), normal({2, 2, 9, 8})};
  CHECK(difference_when_read(step.program(in[0], in[1], in[2]), in, 20) == none);
}

TEST_CASE("what has no counterpart is refused with its line when a model is written") {
  runtime engine;
  const auto [text, refusal] = GENERATE(table<std::string, std::string>(
      {{"def f(x: float32[2]) {\n  x + uniform([2])\n}",
        "uniform (program:2): random numbers have no counterpart in ONNX"},
       {"def f(x: float32[2, 2]) { inv(x) }", "inv (program:1): has no counterpart in ONNX"},
       {"def f(x: float32[2]) { lgamma(x) }", "lgamma (program:1): has no counterpart in ONNX"},
       {"variable n: float32[]\ndef f(x: float32[2]) { n = n + 1\n x * n }",
        "assigns variable w0: a model keeps nothing from call to call; return the new value as a "
        "result"},
       {"def f(x) { exp(x) }",
        "argument 1 has no type: write its dtype and shape in the text, as in x: float32[2, 3]"}}));
  CAPTURE(text);
  named_tensors arrays;
  if (text.starts_with("variable")) arrays.add("n", zeros({}));
  CHECK(refusal_of(parse_program(text, arrays)) == refusal);
}

TEST_CASE("options that do not fit are refused when a model is written") {
  runtime engine;
  const auto p = parse_program("def f(x: float32[2], y: float32[2]) { x + y }");
  CHECK(refusal_of(p, {.arguments = {"x"}}) == "has 2 arguments, and 1 name is given for them");
  CHECK(refusal_of(p, {.results = {"a", "b"}}) == "has 1 result, and 2 names are given for them");
  CHECK(refusal_of(p, {.arguments = {"x", "x"}}) == "the name \"x\" is given twice");
  CHECK(refusal_of(p, {.arguments = {"x", "y"}, .results = {"y"}}) ==
        "the name \"y\" is given twice");
  CHECK(refusal_of(p, {.results = {""}}) == "the name of an argument or result is empty");
  CHECK(refusal_of(p, {.opset = 18}) == "operators of version 18 are not written, only 13 to 17");
  const auto scatter =
      parse_program("def f(x: float32[4], i: int64[2]) { put_add(x, i, x[:2], 0) }");
  CHECK(refusal_of(scatter, {.opset = 15}) == "put_add (program:1): needs operators of version 16");
  CHECK(difference_when_read(scatter, {normal({4}), tensor{1, 1}}) == none);
}

TEST_CASE("a model is there whole or not at all") {
  runtime engine;
  const temporary_folder folder;
  const auto good = parse_program("def f(x: float32[2]) { exp(x) }");
  const auto bad = parse_program("def f(x: float32[2]) { lgamma(x) }");
  const auto path = folder / "model.onnx";
  save_onnx(path, good);
  CHECK_THROWS_AS(save_onnx(path, bad), error);
  CHECK(folder.names() == "model.onnx ");
  CHECK(load_onnx(path).text() == load_onnx(path).text());
  const auto text = error_of([&] { save_onnx(folder / "none/model.onnx", good); });
  CHECK(text.starts_with("save_onnx: " + (folder / "none/model.onnx") + ": "));
}

TEST_CASE("a model of more than 2 GiB is refused before its elements are read") {
  runtime engine;
  const auto x = zeros({1});
  value_ref large(new value(tensor_type{{1 << 30}, float32, {}}));  // has no elements yet
  large->engine = x.source()->engine;
  const auto f =
      compile([&](const tensor& in) { return in + constant(tensor(large)).slice(0, 0, 1); });
  CHECK(refusal_of(f.program(x)) == "would have 4.0 GiB, more than the 2 GiB of the format");
}

}  // namespace troupe::testing
