// SPDX-License-Identifier: MIT
#include "troupe/onnx/unrolling.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe {

namespace {

/// Most nodes that take the place of others.
constexpr std::int64_t most_nodes = 10'000;

/// Gives the values that nodes read other names, also in the graphs in them.
void rename_inputs(onnx::NodeProto& node, const std::map<std::string, std::string>& names) {
  for (auto& one : *node.mutable_input()) {
    if (const auto found = names.find(one); found != names.end()) one = found->second;
  }
  for (auto& attribute : *node.mutable_attribute()) {
    if (!attribute.has_g()) continue;
    for (auto& inner : *attribute.mutable_g()->mutable_node()) rename_inputs(inner, names);
    for (auto& one : *attribute.mutable_g()->mutable_output()) {
      if (const auto found = names.find(one.name()); found != names.end())
        one.set_name(found->second);
    }
  }
}

const onnx::GraphProto& graph_of(graph_node& n, const char* name) {
  const auto* found = n.raw_attribute(name);
  n.refuse_if(!found || !found->has_g(), std::string("has no attribute ") + name);
  return found->g();
}

/// Returns whether an input that must be constant is true.
bool is_true(graph_node& n, int input) {
  const auto& x = n.constant_input(input);
  n.refuse_if(x.size() != 1, "a condition that is not one element");
  return x.item<bool>(n.where());
}

}  // namespace

bool unrolling::take_apart(const onnx::NodeProto& from) {
  const auto& op = from.op_type();
  const bool is_sequence = from.input_size() > 0 && model_.sequence(from.input(0));
  const bool is_copy = op == "Identity" && (is_sequence || model_.absent(from.input(0)));
  program_writer unused;
  graph_node n(from, model_, unused);
  if (op == "If") choose(n, from);
  else if (op == "Loop") loop(n, from);
  else if (op == "Scan") scan(n, from);
  else if (op == "SequenceMap") map_sequences(n, from);
  else if (op == "SequenceConstruct")
    model_.set_sequence(from.output(0), {from.input().begin(), from.input().end()});
  else if (op == "SequenceEmpty") model_.set_sequence(from.output(0), {});
  else if (op == "SequenceInsert" || op == "SequenceErase" || op == "SequenceAt") change(n, from);
  else if (op == "SequenceLength")
    model_.know(from.output(0), full({}, std::int64_t(sequence(n, from, 0).size())));
  else if (op == "SplitToSequence") split(n, from);
  else if (op == "ConcatFromSequence" && is_sequence) concatenate(from);
  else if (op == "Optional" && !n.has(0)) model_.set_absent(from.output(0));
  else if (op == "OptionalHasElement")
    model_.know(from.output(0), full({}, n.has(0) && !model_.absent(from.input(0))));
  else if (op == "Optional" || op == "OptionalGetElement" || is_copy) {
    n.refuse_if(op == "OptionalGetElement" && model_.absent(from.input(0)), "of nothing");
    name_also(from.input(0), from.output(0));
  } else return false;
  return true;
}

void unrolling::add(const std::string& op, const names& inputs, const std::string& output,
                    const std::map<std::string, std::int64_t>& attributes) {
  onnx::NodeProto made;
  made.set_op_type(op);
  for (const auto& one : inputs) made.add_input(one);
  made.add_output(output);
  for (const auto& [name, x] : attributes) {
    auto& a = *made.add_attribute();
    a.set_name(name);
    a.set_type(onnx::AttributeProto_AttributeType_INT);
    a.set_i(x);
  }
  add_(made);
}

void unrolling::name_also(const std::string& value, const std::string& name) {
  if (model_.absent(value)) model_.set_absent(name);
  else if (const auto* all = model_.sequence(value)) model_.set_sequence(name, *all);
  else add("Identity", {value}, name, {});
}

unrolling::names unrolling::inlined(graph_node& n, const onnx::GraphProto& graph,
                                    const names& inputs) {
  n.refuse_if(std::cmp_not_equal(inputs.size(), graph.input_size()),
              "a graph with another number of inputs");
  std::map<std::string, std::string> now;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    now[graph.input(static_cast<int>(i)).name()] = inputs[i];
  for (const auto& one : graph.initializer()) {
    now[one.name()] = fresh(one.name());
    model_.know(now[one.name()], tensor_of_onnx(one, n.where()));
  }
  nodes_ += graph.node_size();
  n.refuse_if(nodes_ > most_nodes, "so many turns: not supported");
  for (auto copy : graph.node()) {
    rename_inputs(copy, now);
    for (auto& out : *copy.mutable_output()) {
      if (!out.empty()) out = now[out] = fresh(out);
    }
    add_(copy);
  }
  names out;
  for (const auto& one : graph.output()) {
    const auto found = now.find(one.name());
    out.push_back(found == now.end() ? one.name() : found->second);
  }
  return out;
}

void unrolling::choose(graph_node& n, const onnx::NodeProto& from) {
  const auto& chosen = graph_of(n, is_true(n, 0) ? "then_branch" : "else_branch");
  const auto results = inlined(n, chosen, {});
  n.refuse_if(std::cmp_not_equal(results.size(), from.output_size()), "not as many outputs");
  for (int i = 0; i < from.output_size(); ++i) {
    if (n.wants(i)) name_also(results[static_cast<std::size_t>(i)], from.output(i));
  }
}

/// The outputs of the body are a condition, the values that go round, and parts of results.
void unrolling::loop(graph_node& n, const onnx::NodeProto& from) {
  const auto& body = graph_of(n, "body");
  const auto most = n.has(0) ? n.integer(0) : INT64_MAX;
  bool goes_on = !n.has(1) || is_true(n, 1);
  names values(from.input().begin() + std::min(2, from.input_size()), from.input().end());
  n.refuse_if(std::cmp_less(body.output_size(), values.size() + 1), "a body with too few outputs");
  std::vector<names> parts(static_cast<std::size_t>(body.output_size()) - values.size() - 1);
  for (std::int64_t turn = 0; turn < most && goes_on; ++turn) {
    names inputs = {fresh("turn"), fresh("condition")};
    model_.know(inputs[0], full({}, turn));
    model_.know(inputs[1], full({}, true));
    inputs.insert(inputs.end(), values.begin(), values.end());
    nodes_ += 1;
    const auto results = inlined(n, body, inputs);
    if (n.has(1) || !n.has(0)) {
      const auto* again = model_.known(results[0]);
      n.refuse_if(!again || again->size() != 1,
                  "a condition that is computed from what is not constant: not supported");
      goes_on = again->item<bool>(n.where());
    }
    const auto behind = results.begin() + 1 + static_cast<std::ptrdiff_t>(values.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i].push_back(behind[static_cast<std::ptrdiff_t>(i)]);
    values.assign(results.begin() + 1, behind);
  }
  for (std::size_t i = 0; i < values.size() + parts.size(); ++i) {
    const auto at = static_cast<int>(i);
    if (!n.wants(at)) continue;
    if (i < values.size()) {
      name_also(values[i], from.output(at));
      continue;
    }
    const auto& all = parts[i - values.size()];
    n.refuse_if(all.empty(), "results of no turns: not supported");
    add("ConcatFromSequence", all, from.output(at), {{"axis", 0}, {"new_axis", 1}});
  }
}

/// The inputs of the body are states and parts of arrays, its outputs states and parts of results.
void unrolling::scan(graph_node& n, const onnx::NodeProto& from) {
  n.refuse_if(n.opset() < 9, "of version " + std::to_string(n.opset()) + ": not supported");
  const auto& body = graph_of(n, "body");
  const auto count = n.attribute("num_scan_inputs", 0);
  n.refuse_if(count < 1 || count > n.inputs(), "attribute num_scan_inputs: not supported");
  for (const auto* name :
       {"scan_input_axes", "scan_input_directions", "scan_output_axes", "scan_output_directions"}) {
    const auto given = n.list_attribute(name).value_or(std::vector<std::int64_t>{});
    n.refuse_if(std::ranges::any_of(given, [](auto x) { return x != 0; }),
                std::string("attribute ") + name + ": not supported");
  }
  const auto first = n.inputs() - static_cast<int>(count);
  names states(from.input().begin(), from.input().begin() + first);
  n.refuse_if(body.output_size() < first, "a body with too few outputs");
  n.refuse_if(n.rank(first) < 1, "of arrays without axes");
  const auto turns = n.dims(first)[0];
  n.refuse_if(turns < 1, "of no turns: not supported");
  std::vector<names> parts(static_cast<std::size_t>(body.output_size() - first));
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    const auto position = fresh("turn");
    model_.know(position, full({}, turn));
    auto inputs = states;
    for (int i = first; i < n.inputs(); ++i) {
      inputs.push_back(fresh(from.input(i)));
      add("Gather", {from.input(i), position}, inputs.back(), {{"axis", 0}});
    }
    const auto results = inlined(n, body, inputs);
    states.assign(results.begin(), results.begin() + first);
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i].push_back(results[static_cast<std::size_t>(first) + i]);
  }
  for (int i = 0; i < body.output_size(); ++i) {
    if (!n.wants(i)) continue;
    if (i < first) name_also(states[static_cast<std::size_t>(i)], from.output(i));
    else
      add("ConcatFromSequence", parts[static_cast<std::size_t>(i - first)], from.output(i),
          {{"axis", 0}, {"new_axis", 1}});
  }
}

void unrolling::map_sequences(graph_node& n, const onnx::NodeProto& from) {
  const auto& body = graph_of(n, "body");
  const auto count = sequence(n, from, 0).size();
  std::vector<names> results(static_cast<std::size_t>(from.output_size()));
  n.refuse_if(std::cmp_not_equal(results.size(), body.output_size()), "not as many outputs");
  for (std::size_t i = 0; i < count; ++i) {
    names inputs;
    for (const auto& one : from.input()) {
      const auto* all = model_.sequence(one);
      n.refuse_if(all && all->size() != count, "sequences of different lengths");
      inputs.push_back(all ? (*all)[i] : one);
    }
    const auto out = inlined(n, body, inputs);
    for (std::size_t k = 0; k < results.size(); ++k) results[k].push_back(out[k]);
  }
  for (std::size_t k = 0; k < results.size(); ++k)
    model_.set_sequence(from.output(static_cast<int>(k)), results[k]);
}

const unrolling::names& unrolling::sequence(graph_node& n, const onnx::NodeProto& from,
                                            int input) const {
  const auto* found = input < from.input_size() ? model_.sequence(from.input(input)) : nullptr;
  n.refuse_if(!found, "its input " + std::to_string(input + 1) + " is no sequence");
  return *found;
}

/// SequenceInsert, SequenceErase and SequenceAt.
void unrolling::change(graph_node& n, const onnx::NodeProto& from) {
  auto all = sequence(n, from, 0);
  const auto& op = from.op_type();
  const bool inserts = op == "SequenceInsert";
  const auto count = static_cast<std::int64_t>(all.size());
  auto at = inserts ? count : count - 1;
  if (n.has(inserts ? 2 : 1)) at = n.integer(inserts ? 2 : 1);
  if (at < 0) at += count;
  n.refuse_if(at < 0 || at > count || (!inserts && at == count), "a position out of bounds");
  if (op == "SequenceAt") return name_also(all[static_cast<std::size_t>(at)], from.output(0));
  n.refuse_if(inserts && !n.has(1), "has no input 2");
  if (inserts) all.insert(all.begin() + at, from.input(1));
  else all.erase(all.begin() + at);
  model_.set_sequence(from.output(0), all);
}

void unrolling::split(graph_node& n, const onnx::NodeProto& from) {
  const auto dims = n.dims(0);
  const auto axis = n.axis_attribute(0, dims.rank());
  const bool keeps = n.has(1) || n.attribute("keepdims", 1) != 0;
  n.refuse_if(dims[axis] > most_nodes, "so large an axis: not supported");
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(dims[axis]), 1);
  if (n.has(1)) {
    sizes = n.integers(1);
    if (n.rank(1) == 0) {  // parts of this size, and what is left
      const auto each = sizes[0];
      n.refuse_if(each < 1, "a part without elements");
      sizes.assign(static_cast<std::size_t>(dims[axis] / each), each);
      if (dims[axis] % each != 0) sizes.push_back(dims[axis] % each);
    }
  }
  names parts;
  std::int64_t begin = 0;
  for (const auto size : sizes) {
    n.refuse_if(size < 0 || size > dims[axis] - begin, "parts that are not those of the axis");
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < size; ++i) positions.push_back(begin + i);
    const auto place = fresh("positions");
    model_.know(place, keeps ? from_data(positions) : full({}, begin));
    parts.push_back(fresh(from.output(0)));
    add("Gather", {from.input(0), place}, parts.back(), {{"axis", axis}});
    begin += size;
  }
  n.refuse_if(begin != dims[axis], "parts that are not those of the axis");
  model_.set_sequence(from.output(0), parts);
}

void unrolling::concatenate(const onnx::NodeProto& from) {
  auto copy = from;
  const auto& all = *model_.sequence(from.input(0));
  copy.clear_input();
  for (const auto& one : all) copy.add_input(one);
  add_(copy);
}

}  // namespace troupe
