// SPDX-License-Identifier: MIT
#include <google/protobuf/stubs/logging.h>
#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <climits>
#include <new>

#include "troupe/onnx/onnx.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/onnx/view_nodes.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tasks/atomic_file.hpp"
#include "troupe/tensor/program/capture.hpp"
#include "troupe/tensor/program/graph_text.hpp"
#include "troupe/tensor/program/passes.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe {

namespace {

constexpr int oldest_opset = 13, latest_opset = 17;

/// Dtypes that ONNX has by the same meaning.
constexpr dtype written_dtypes[] = {boolean, int8,   int16,   int32,   int64,   uint8,   uint16,
                                    uint32,  uint64, float16, float32, float64, bfloat16};

/// Version of the format that came with operators of a version.
constexpr int format_of(int opset) noexcept { return opset < 15 ? 7 : 8; }

/// Returns what a program does, step by step as it is written.
graph captured_graph(const program& p, const file_call& call) {
  auto& on = engine::current(call.function, call.call_site);
  capture into(on, call.call_site);
  std::vector<tensor> arguments;
  for (const auto& type : p.argument_types()) {
    if (!type)
      call.fail("argument " + std::to_string(arguments.size() + 1) +
                " has no type: write its dtype and shape in the text, as in x: float32[2, 3]");
    arguments.push_back(into.argument(tensor(value_ref(new value(*type)))));
  }
  const capture::scope capturing(into);
  auto out = into.finish(p.call(arguments, call.call_site));
  remove_dead_steps(out);
  return out;
}

/// Returns names for arguments or results, as they are given or with numbers.
std::vector<std::string> names_for(std::size_t count, const std::vector<std::string>& given,
                                   char letter, const char* what, const file_call& call) {
  if (!given.empty() && given.size() != count)
    call.fail("has " + count_text(count, what) + ", and " + std::to_string(given.size()) +
              (given.size() == 1 ? " name is" : " names are") + " given for them");
  for (const auto& name : given) {
    if (!is_utf8(name))
      call.fail(std::string(what) + " names are UTF-8, which one of these is not");
  }
  if (!given.empty()) return given;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(letter + std::to_string(i));
  return out;
}

void check_types(const graph& of, const file_call& call) {
  for (const auto& type : of.types) {
    if (std::ranges::find(written_dtypes, type.element) == std::end(written_dtypes))
      call.fail(std::string(name(type.element)) + ": not supported");
  }
}

/// Refuses what a program does beside computing its results.
void check_effects(const graph& of, const file_call& call) {
  const auto names = value_names(of);
  for (const auto& [to, what] : of.writes) {
    const auto place = std::ranges::find(of.places, to) - of.places.begin();
    call.fail("assigns variable " + names[of.first_place() + static_cast<std::size_t>(place)] +
              ": a model keeps nothing from call to call; return the new value as a result");
  }
  if (!of.gradients.empty())
    call.fail("leaves gradients in variables: a model cannot; return them as results");
}

void check_size(std::uint64_t bytes, const file_call& call) {
  if (bytes > INT_MAX)
    call.fail("would have " + bytes_text(static_cast<double>(bytes)) +
              ", more than the 2 GiB of the format");
}

void set_value_info(onnx::ValueInfoProto& to, const std::string& name, const tensor_type& type) {
  to.set_name(name);
  auto& as = *to.mutable_type()->mutable_tensor_type();
  as.set_elem_type(onnx_type_of(type.element));
  as.mutable_shape();
  for (const auto size : type.dims) as.mutable_shape()->add_dim()->set_dim_value(size);
}

/// Writes a program's graph.
class model_writer {
 public:
  model_writer(const program& p, const save_onnx_options& options, const file_call& call)
      : call_(call), options_(options), graph_(captured_graph(p, call)) {
    check_types(graph_, call);
    check_effects(graph_, call);
    arguments_ = names_for(graph_.arguments, options.arguments, 'x', "argument", call);
    results_ = names_for(graph_.results.size(), options.results, 'y', "result", call);
  }

  onnx::ModelProto written() {
    onnx::ModelProto out;
    out.set_ir_version(format_of(options_.opset));
    out.set_producer_name(options_.producer);
    out.add_opset_import()->set_version(options_.opset);
    out.mutable_graph()->set_name("program");
    graph_writer to(*out.mutable_graph(), options_.opset, taken_names(), call_);
    add_inputs(*out.mutable_graph());
    add_constants(to);
    for (const auto& s : graph_.steps) add_step(s, to);
    for (std::size_t i = 0; i < results_.size(); ++i) add_result(i, *out.mutable_graph(), to);
    return out;
  }

 private:
  std::set<std::string> taken_names() const {
    std::set<std::string> out;
    for (const auto* names : {&arguments_, &results_}) {
      for (const auto& one : *names) {
        if (one.empty()) call_.fail("the name of an argument or result is empty");
        if (!out.insert(one).second) call_.fail("the name " + quoted(one) + " is given twice");
      }
    }
    return out;
  }

  void add_inputs(onnx::GraphProto& to) {
    values_.resize(graph_.types.size());
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const auto& type = graph_.types[i];
      set_value_info(*to.add_input(), arguments_[i], type);
      values_[i] = {arguments_[i], type.element, type.dims};
    }
  }

  void add_constants(graph_writer& to) {
    std::uint64_t bytes = 0;
    for (auto i = graph_.first_place(); i < graph_.first_computed(); ++i)
      bytes += graph_.types[i].bytes();
    check_size(bytes, call_);
    const auto names = value_names(graph_);
    for (std::size_t i = 0; i < graph_.places.size(); ++i) {
      const auto at = graph_.first_place() + i;
      values_[at] = to.initializer(names[at], graph_.places[i]->read());
    }
    for (std::size_t i = 0; i < graph_.constants.size(); ++i) {
      const auto at = graph_.first_constant() + i;
      values_[at] = to.initializer(names[at], tensor(graph_.constants[i]));
    }
  }

  void add_step(const program_step& from, graph_writer& to) {
    const written_step s(from, graph_, to, values_);
    const auto* rule = find_step_rule(*from.op);
    if (from.op->random) s.refuse("random numbers have no counterpart in ONNX");
    if (!rule) s.refuse("has no counterpart in ONNX");
    to.begin(from.op->name);
    // Runners of models do not expect arrays without elements everywhere.
    if (s.result().dims.size() == 0) s.out(to.full(s.result().dims, {s.result().element, 0}));
    else rule->write(s);
  }

  void add_result(std::size_t i, onnx::GraphProto& in, graph_writer& to) {
    const auto& from = graph_.results[i];
    const auto& whole = values_[static_cast<std::size_t>(from.value)];
    auto x = from.part ? add_view(to, whole, from.part->layout) : whole;
    const tensor_type type{x.dims, x.element, {}};
    set_value_info(*in.add_output(), results_[i], type);
    // Arguments, constants and what is another result, too, keep their names.
    if (std::ranges::find(renamed_, x.name) != renamed_.end() || !to.rename(x.name, results_[i])) {
      to.begin("result");
      x = to.add("Identity", {x}, x.element, x.dims);
      to.rename(x.name, results_[i]);
      return;
    }
    renamed_.push_back(results_[i]);
    for (auto& one : values_) {
      if (one.name == x.name) one.name = results_[i];
    }
  }

  file_call call_;
  const save_onnx_options& options_;
  graph graph_;
  std::vector<std::string> arguments_, results_;
  std::vector<onnx_value> values_;
  std::vector<std::string> renamed_;
};

/// Lets ONNX's own checker and its inference of types go through a model.
void check_model(onnx::ModelProto& model, const file_call& call) {
  try {
    onnx::checker::check_model(model);
    const onnx::ShapeInferenceOptions strictly(true, 1, false);
    onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), strictly);
    model.mutable_graph()->clear_value_info();
  } catch (const std::exception& e) {
    const std::string text = e.what();
    call.fail("ONNX's checker refuses it: " + on_one_line(text));
  }
}

}  // namespace

void save_onnx(const std::string& path, const program& p, const save_onnx_options& options,
               caller where) {
  const file_call call{"save_onnx", path, where};
  if (options.opset < oldest_opset || options.opset > latest_opset)
    call.fail("operators of version " + std::to_string(options.opset) + " are not written, only " +
              std::to_string(oldest_opset) + " to " + std::to_string(latest_opset));
  try {
    auto model = model_writer(p, options, call).written();
    check_size(model.ByteSizeLong(), call);
    check_model(model, call);
    const google::protobuf::LogSilencer silence;
    const auto bytes = model.SerializeAsString();
    atomic_file file(call);
    file.write(bytes);
    file.commit();
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

}  // namespace troupe
