// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/tests/onnx/model_file.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

namespace {

onnx::NodeProto& node_in(onnx::GraphProto& g, const std::string& op,
                         const std::vector<std::string>& in, const std::string& out) {
  auto& n = *g.add_node();
  n.set_op_type(op);
  n.set_name("inner_" + op);
  for (const auto& one : in) n.add_input(one);
  n.add_output(out);
  return n;
}

onnx::GraphProto& graph_in(onnx::NodeProto& n, const std::string& attribute) {
  auto& a = *n.add_attribute();
  a.set_name(attribute);
  a.set_type(onnx::AttributeProto_AttributeType_GRAPH);
  a.mutable_g()->set_name(attribute);
  return *a.mutable_g();
}

/// Model that adds x to a value in a loop, and keeps the sums of all turns.
void adding_loop(model_file& m, const std::string& condition) {
  m.input("x", {2});
  m.initializer("start", zeros({2}));
  auto& n = m.node("Loop", {"turns", "", "start"}, "last");
  n.add_output("all");
  auto& body = graph_in(n, "body");
  model_file::set_type(*body.add_input(), "turn", int64, {});
  model_file::set_type(*body.add_input(), "before", boolean, {});
  model_file::set_type(*body.add_input(), "sum", float32, {2});
  node_in(body, "Identity", {condition}, "again");
  node_in(body, "Add", {"sum", "x"}, "more");
  node_in(body, "Identity", {"more"}, "shown");
  model_file::set_type(*body.add_output(), "again", boolean, {});
  model_file::set_type(*body.add_output(), "more", float32, {2});
  model_file::set_type(*body.add_output(), "shown", float32, {2});
  m.output("last", {2});
  m.output("all", {-1, 2});
}

}  // namespace

TEST_CASE("a loop is gone through as often as its constant says, and sees the values around it") {
  runtime engine;
  model_file m;
  m.initializer("turns", full({}, 3));
  adding_loop(m, "before");
  const auto out = m.load().call(std::vector<tensor>{tensor{1.F, 2.F}});
  CHECK(out[0].to_vector<float>() == std::vector<float>{3, 6});
  CHECK(out[1].shape() == shape{3, 2});
  CHECK(out[1].to_vector<float>() == std::vector<float>{1, 2, 2, 4, 3, 6});
}

TEST_CASE("a loop whose end is not known, or far away, is refused") {
  runtime engine;
  model_file m;
  SECTION("the number of turns is an argument") {
    m.input("turns", {}, int64);
    adding_loop(m, "before");
    CHECK(m.refusal() ==
          "node \"the_Loop\" of Loop: its input \"turns\" is not constant: not supported");
  }
  SECTION("there are too many turns") {
    m.initializer("turns", full({}, INT64_MAX));
    adding_loop(m, "before");
    CHECK(m.refusal() == "node \"the_Loop\" of Loop: so many turns: not supported");
  }
}

TEST_CASE("of a choice only the branch that is taken is translated") {
  runtime engine;
  const bool first = GENERATE(true, false);
  model_file m;
  m.input("condition", {}, boolean);
  m.input("x", {2});
  auto& n = m.node("If", {"condition"}, "y");
  auto& yes = graph_in(n, "then_branch");
  node_in(yes, "Exp", {"x"}, "e");
  model_file::set_type(*yes.add_output(), "e", float32, {2});
  auto& no = graph_in(n, "else_branch");
  node_in(no, "Neg", {"x"}, "m");
  model_file::set_type(*no.add_output(), "m", float32, {2});
  m.output("y", {2});
  CHECK(m.refusal() ==
        "node \"the_If\" of If: its input \"condition\" is not constant: not supported");
  named_tensors known;
  known.add("condition", full({}, first));
  const auto p = m.load({.constants = known});
  CHECK((p.text().find("exp") != std::string::npos) == first);
  const auto x = tensor{1.F, 2.F};
  CHECK(array_equal(p(x), first ? exp(x) : -x).item<bool>());
}

TEST_CASE("a scan takes parts of an array in turn") {
  runtime engine;
  model_file m;
  m.input("start", {2});
  m.input("x", {3, 2});
  auto& n = m.node("Scan", {"start", "x"}, "last");
  n.add_output("all");
  model_file::attribute(n, "num_scan_inputs", 1);
  auto& body = graph_in(n, "body");
  model_file::set_type(*body.add_input(), "sum", float32, {2});
  model_file::set_type(*body.add_input(), "part", float32, {2});
  node_in(body, "Add", {"sum", "part"}, "more");
  node_in(body, "Identity", {"more"}, "shown");
  model_file::set_type(*body.add_output(), "more", float32, {2});
  model_file::set_type(*body.add_output(), "shown", float32, {2});
  m.output("last", {2});
  m.output("all", {3, 2});
  const auto x = uniform({3, 2});
  const auto out = m.load().call(std::vector<tensor>{zeros({2}), x});
  CHECK(max(abs(out[1] - cumsum(x, 0))).item() < 1e-6);
  CHECK(max(abs(out[0] - sum(x, 0))).item() < 1e-6);
}

TEST_CASE("the elements of a sequence are arguments, one by one") {
  runtime engine;
  model_file m;
  auto& in = *m.graph.add_input();
  in.set_name("all");
  auto& type = *in.mutable_type()->mutable_sequence_type()->mutable_elem_type();
  type.mutable_tensor_type()->set_elem_type(onnx::TensorProto_DataType_FLOAT);
  m.initializer("place", full({}, -1));
  m.node("SequenceAt", {"all", "place"}, "last");
  auto& joined = m.node("ConcatFromSequence", {"all"}, "joined");
  model_file::attribute(joined, "axis", 0);
  m.output("last", {-1});
  m.output("joined", {-1});
  CHECK(m.refusal() ==
        "input \"all\" is a sequence: give the shapes of its elements in the options");
  const auto p = m.load({.sequences = {{"all", {{1}, {2}}}}});
  CHECK(p.arguments() == 2);
  const auto out = p.call(std::vector<tensor>{tensor{1.F}, tensor{2.F, 3.F}});
  CHECK(out[0].to_vector<float>() == std::vector<float>{2, 3});
  CHECK(out[1].to_vector<float>() == std::vector<float>{1, 2, 3});
}

}  // namespace troupe::testing
