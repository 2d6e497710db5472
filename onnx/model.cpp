// SPDX-License-Identifier: MIT
#include "troupe/onnx/model.hpp"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/checker.h>
#include <onnx/defs/schema.h>

#include <climits>

#include "troupe/onnx/rules/rule.hpp"
#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/io/byte_source.hpp"

namespace troupe {

namespace {

bool is_default(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

/// Returns the version of an operator's definition in a version of its domain, or 0.
int definition_of(const onnx::NodeProto& node, int opset) {
  const auto& domain = is_default(node.domain()) ? std::string() : node.domain();
  const auto* found = onnx::OpSchemaRegistry::Schema(node.op_type(), opset, domain);
  return found ? found->since_version() : 0;
}

std::string first_line(const std::string& text) {
  return on_one_line(text.substr(0, text.find('\n')));
}

/// The words of ONNX on one line, without the nodes around the one that they are about.
std::string said_by_onnx(const std::string& text) {
  constexpr std::size_t most = 300;
  std::string words;
  for (const char c : text.substr(0, text.find("==> Context"))) {
    const char next = c == '\n' ? ' ' : c;
    if (next != ' ' || (!words.empty() && words.back() != ' ')) words += next;
  }
  while (!words.empty() && words.back() == ' ') words.pop_back();
  const auto line = on_one_line(words);
  return line.size() <= most ? line : line.substr(0, most) + "...";
}

/// Returns the shape of a type if all its sizes are known.
std::optional<shape> sizes_of(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return {};
  const auto& from = type.tensor_type().shape();
  if (from.dim_size() > max_rank) return {};
  shape dims;
  for (const auto& one : from.dim()) {
    if (!one.has_dim_value() || one.dim_value() < 0) return {};
    dims.push_back(one.dim_value());
  }
  if (!dims.countable()) return {};
  return dims;
}

/// Returns true if a type leaves room for a shape.
bool fits(const onnx::TypeProto_Tensor& type, const shape& dims) {
  if (!type.has_shape()) return true;
  if (type.shape().dim_size() != dims.rank()) return false;
  for (int i = 0; i < dims.rank(); ++i) {
    const auto& one = type.shape().dim(i);
    if (one.has_dim_value() && one.dim_value() != dims[i]) return false;
  }
  return true;
}

}  // namespace

std::string facts_of(const error& e) {
  const std::string text = e.what(), place = call_site_text(e.where());
  // A mistake in a program's text is shown with its line below.
  if (text.find('\n') != std::string::npos) return first_line(text);
  return on_one_line(text.ends_with(place) ? text.substr(0, text.size() - place.size()) : text);
}

const onnx::TypeProto& present_type(const onnx::TypeProto& type) {
  return type.has_optional_type() ? type.optional_type().elem_type() : type;
}

std::string operator_of(const onnx::NodeProto& node) {
  return (is_default(node.domain()) ? "" : node.domain() + '.') + node.op_type();
}

std::string text_of(const onnx::NodeProto& node) {
  const auto& name = !node.name().empty() || node.output_size() == 0 ? node.name() : node.output(0);
  return "node " + quoted(name) + " of " + on_one_line(operator_of(node).substr(0, 80));
}

onnx_model::onnx_model(const file_call& call, const onnx_options& options) : call_(call) {
  parse();
  refuse_unknown(graph());
  for (int i = 0; i < graph().initializer_size(); ++i)
    initializers_.emplace(graph().initializer(i).name(), i);
  fill_in(options);
  check();
}

void onnx_model::parse() {
  const input_file file(call_);
  if (file.size() > INT_MAX) call_.fail("is larger than the 2 GiB of the format");
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  file.read(0, bytes.data(), bytes.size());
  // The library would say on stderr what the error says.
  const google::protobuf::LogSilencer silence;
  if (bytes.empty() || !model_.ParseFromString(bytes) || !model_.has_graph())
    call_.fail("is no ONNX model, or damaged");
  for (const auto* name : {"ai.onnx", ""}) opset_ = std::max(opset_, version_of(name));
}

int onnx_model::version_of(const std::string& domain) const {
  for (const auto& one : model_.opset_import()) {
    if (one.domain() == domain)
      return static_cast<int>(std::clamp<std::int64_t>(one.version(), 0, INT_MAX));
  }
  return 0;
}

/// Refuses what has no counterpart, before others look at it.
void onnx_model::refuse_unknown(const onnx::GraphProto& of) const {
  // The rules know the definitions from this version on, up to the latest that the library knows.
  constexpr int oldest = 6;
  const auto latest = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
  if (opset_ > latest)
    call_.fail("has operators of version " + std::to_string(opset_) + ", and " +
               std::to_string(latest) + " is the latest that is known");
  if (model_.functions_size() > 0) call_.fail("has functions of its own: not supported");
  if (of.sparse_initializer_size() > 0) call_.fail("has sparse initializers: not supported");
  for (const auto& node : of.node()) {
    if (!find_rule(operator_of(node))) call_.fail(text_of(node) + ": not supported");
    const auto version = is_default(node.domain()) ? opset_ : version_of(node.domain());
    const auto definition = definition_of(node, version);
    if (definition == 0 || (is_default(node.domain()) && version < oldest &&
                            definition != definition_of(node, oldest)))
      call_.fail(text_of(node) + ": of version " + std::to_string(version) + ": not supported");
    for (const auto& one : node.attribute()) {
      if (one.has_g() && !find_rule(node.op_type())->translate) refuse_unknown(one.g());
      else if (one.has_g() || one.graphs_size() > 0 || one.tensors_size() > 0 ||
               one.has_sparse_tensor())
        call_.fail(text_of(node) + ": attribute " + quoted(one.name()) + ": not supported");
      if (one.has_t() && (one.t().external_data_size() > 0 || one.t().data_location() != 0))
        call_.fail(text_of(node) + ": has elements in another file: not supported");
    }
  }
  for (const auto& one : of.initializer()) {
    if (one.external_data_size() > 0 || one.data_location() != 0)
      call_.fail("initializer " + quoted(one.name()) +
                 " has its elements in another file: not supported");
  }
}

/// Finds the arguments, and gives inputs the shapes of the options.
void onnx_model::fill_in(const onnx_options& options) {
  std::set<std::string> unused;
  for (const auto& [name, dims] : options.shapes) unused.insert(name);
  for (const auto& [name, x] : options.constants) unused.insert(name);
  for (const auto& [name, all] : options.sequences) unused.insert(name);
  unused.insert(options.absent.begin(), options.absent.end());
  for (const auto& in : graph().input()) {
    const auto& name = in.name();
    const auto what = "input " + quoted(name);
    if (initializers_.contains(name)) continue;
    unused.erase(name);
    if (in.type().has_optional_type() && options.absent.contains(name)) {
      set_absent(name);
      continue;
    }
    const auto& given_type = present_type(in.type());
    if (given_type.has_sequence_type()) {
      fill_in_sequence(name, given_type.sequence_type().elem_type(), options);
      continue;
    }
    if (!given_type.has_tensor_type()) call_.fail(what + " is no tensor: not supported");
    if (options.absent.contains(name)) call_.fail(what + " may not be absent");
    if (options.sequences.contains(name)) call_.fail(what + " is no sequence");
    const auto type = given_type.tensor_type().elem_type();
    const auto element = dtype_of_onnx(type);
    if (!element) call_.fail(what + " is " + onnx_type_name(type) + ": not supported");
    const auto* fixed = options.constants.find(name);
    const auto given = options.shapes.find(name);
    auto dims = sizes_of(given_type);
    if (fixed || given != options.shapes.end()) {
      dims = fixed ? fixed->shape() : given->second;
      if (!fits(given_type.tensor_type(), *dims) ||
          (fixed && fixed->dtype(call_.call_site) != *element))
        call_.fail(what + " cannot be given " + to_string(*dims) + ": the model says otherwise");
    }
    if (!dims)
      call_.fail(what + " has sizes that the file leaves open: give its shape in the options");
    if (fixed) know(name, *fixed);
    else {
      arguments_.push_back(name);
      set_type(name, {*dims, *element, {}});
    }
  }
  for (const auto& name : unused) call_.fail("has no input " + quoted(name));
}

void onnx_model::fill_in_sequence(const std::string& name, const onnx::TypeProto& element,
                                  const onnx_options& options) {
  const auto what = "input " + quoted(name);
  const auto given = options.sequences.find(name);
  if (given == options.sequences.end())
    call_.fail(what + " is a sequence: give the shapes of its elements in the options");
  const auto type = element.tensor_type().elem_type();
  const auto number = dtype_of_onnx(type);
  if (!element.has_tensor_type() || !number)
    call_.fail(what + " is a sequence of " + onnx_type_name(type) + ": not supported");
  std::vector<std::string> elements;
  for (const auto& dims : given->second) {
    if (!fits(element.tensor_type(), dims))
      call_.fail(what + " cannot be given " + to_string(dims) + ": the model says otherwise");
    elements.push_back(name + '[' + std::to_string(elements.size()) + ']');
    arguments_.push_back(elements.back());
    set_type(elements.back(), {dims, *number, {}});
  }
  set_sequence(name, elements);
}

void onnx_model::check() {
  try {
    onnx::checker::check_model(model_);
  } catch (const std::exception& e) { call_.fail("is no valid model: " + said_by_onnx(e.what())); }
}

std::optional<tensor_type> onnx_model::type_of(const std::string& name) {
  if (const auto* x = known(name)) return tensor_type{x->shape(), x->dtype(call_.call_site), {}};
  const auto found = types_.find(name);
  if (found == types_.end()) return {};
  return found->second;
}

const tensor* onnx_model::known(const std::string& name) {
  if (const auto x = known_.find(name); x != known_.end()) return &x->second;
  const auto at = initializers_.find(name);
  if (at == initializers_.end()) return nullptr;
  try {
    auto x = tensor_of_onnx(graph().initializer(at->second), call_.call_site);
    return &known_.emplace(name, std::move(x)).first->second;
  } catch (const error& e) { call_.fail("initializer " + quoted(name) + ' ' + facts_of(e)); }
}

}  // namespace troupe
