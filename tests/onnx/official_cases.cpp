// SPDX-License-Identifier: MIT
// Goes through ONNX's own cases for its operators: models with inputs and the outputs they must
// give. Prints how many pass, and which are refused; fails if one is wrong, or if fewer pass than
// are to.
//
// Usage: troupe_onnx_cases <folder> <least that must pass> [case...]
//        troupe_onnx_cases --again <folder> <least> [case...]    also writes those that pass as
//                          models, which must give the same when they are read again
//        troupe_onnx_cases --operators    lists what is translated

#include <onnx/onnx-data_pb.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>

#include "troupe/onnx/onnx.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/onnx/tensor_proto.hpp"
#include "troupe/tests/onnx/integers_of.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/troupe.hpp"

namespace {

using namespace troupe;
namespace files = std::filesystem;

template <class Message>
Message read(const files::path& path) {
  std::ifstream in(path, std::ios::binary);
  Message out;
  if (!out.ParseFromIstream(&in)) throw std::runtime_error(path.string() + " is damaged");
  return out;
}

/// Data that are not what the model says: those of bfloat16 are uint16 here, for example.
struct contradiction {};

tensor read_tensor(const files::path& path, dtype declared) {
  const auto from = read<onnx::TensorProto>(path);
  if (from.data_type() != onnx_type_of(declared)) throw contradiction();
  return tensor_of_onnx(from, caller::current());
}

/// Elements of a sequence, or of an optional one or tensor that is there.
std::vector<tensor> read_elements(const files::path& path, const onnx::TypeProto& type) {
  onnx::SequenceProto all;
  if (type.has_optional_type()) {
    const auto from = read<onnx::OptionalProto>(path);
    if (from.has_tensor_value()) *all.add_tensor_values() = from.tensor_value();
    else all = from.sequence_value();
  } else {
    all = read<onnx::SequenceProto>(path);
  }
  std::vector<tensor> out;
  for (const auto& one : all.tensor_values()) out.push_back(tensor_of_onnx(one, caller::current()));
  return out;
}

/// Returns the contents of a file of a case: a tensor, or the elements of a sequence.
std::vector<tensor> read_value(const files::path& path, const onnx::TypeProto& type) {
  if (!type.has_tensor_type()) return read_elements(path, type);
  const auto element = dtype_of_onnx(type.tensor_type().elem_type());
  if (!element) throw contradiction();
  return {read_tensor(path, *element)};
}

/// Share of a number by which another may differ, as ONNX's own runner has it.
constexpr double usual_share = 1e-3;

/// Returns the first difference from what is expected, or nothing.
std::string difference(const tensor& got, const tensor& expected, double share = usual_share) {
  if (got.dtype() != expected.dtype() || got.shape() != expected.shape())
    return to_string(got.type()) + " and not " + to_string(expected.type());
  const auto a = got.to_vector<double>(), b = expected.to_vector<double>();
  const auto integers = testing::integers_of(got), wanted = testing::integers_of(expected);
  const bool exact = !is_floating(got.dtype());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = exact ? integers[i] == wanted[i]
                            : a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])) ||
                                  std::abs(a[i] - b[i]) <= 1e-7 + share * std::abs(b[i]);
    if (!same)
      return "element " + std::to_string(i) + " is " + std::to_string(a[i]) + " and not " +
             std::to_string(b[i]);
  }
  return "";
}

struct outcome {
  enum { passed, refused, wrong, contradicts } is = wrong;
  std::string why = {};       ///< of one that did not pass
  std::size_t constants = 0;  ///< inputs that had to be made constants
};

/// Writes a program as a model, reads that, and compares what both give, closely.
outcome run_again(const program& p, const std::vector<tensor>& arguments,
                  const std::vector<tensor>& results) {
  constexpr double rounding = 2e-6;
  const troupe::testing::temporary_folder folder;
  const auto path = folder / "model.onnx";
  try {
    save_onnx(path, p);
  } catch (const error& e) { return {outcome::refused, e.what()}; }
  const auto q = load_onnx(path);
  const auto again = q.call(arguments);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool narrow = size_of(results[i].dtype()) == 2;
    const auto text = difference(again[i], results[i], narrow ? usual_share : rounding);
    if (!text.empty())
      return {outcome::wrong,
              "again, output " + std::to_string(i) + ": " + text + '\n' + p.text() + q.text()};
  }
  return {outcome::passed};
}

/// Cases whose outputs were computed with an epsilon of 0.01 that the model does not have.
const std::set<std::string> with_another_epsilon = {"test_adam_multiple"};

/// One set of inputs and outputs. Inputs that must be constant, such as a shape, are made so.
outcome run(const files::path& model_path, const files::path& data, bool again) {
  const auto model = read<onnx::ModelProto>(model_path);
  std::set<std::string> initializers;
  for (const auto& one : model.graph().initializer()) initializers.insert(one.name());
  std::vector<std::pair<std::string, tensor>> inputs;
  onnx_options options;
  for (int i = 0; const auto& one : model.graph().input()) {
    const auto path = data / ("input_" + std::to_string(i++) + ".pb");
    if (initializers.contains(one.name())) continue;
    const auto& type = one.type();
    if (type.has_tensor_type() && !dtype_of_onnx(type.tensor_type().elem_type())) continue;
    const auto& present = type.has_optional_type() ? type.optional_type().elem_type() : type;
    for (const auto& x : read_value(path, type)) {
      inputs.emplace_back(one.name(), x);
      if (present.has_sequence_type()) options.sequences[one.name()].push_back(x.shape());
    }
    if (present.has_sequence_type()) options.sequences[one.name()];
    if (type.has_optional_type() && (inputs.empty() || inputs.back().first != one.name()))
      options.absent.insert(one.name());
  }
  static const std::regex constant("its input \"(.*)\" is not constant"),
      open("input \"(.*)\" has sizes that");
  while (true) {
    std::string message;
    try {
      const auto p = load_onnx(model_path, options);
      try {
        std::vector<tensor> arguments;
        for (const auto& [name, x] : inputs) {
          if (!options.constants.contains(name)) arguments.push_back(x);
        }
        const auto results = p.call(arguments);
        std::vector<tensor> wanted;
        for (int i = 0; const auto& one : model.graph().output()) {
          for (const auto& x :
               read_value(data / ("output_" + std::to_string(i++) + ".pb"), one.type()))
            wanted.push_back(x);
        }
        if (wanted.size() != results.size())
          return {outcome::wrong, "another number of results\n" + p.text()};
        for (std::size_t i = 0; i < results.size(); ++i) {
          const auto text = difference(results[i], wanted[i]);
          if (!text.empty())
            return {outcome::wrong, "output " + std::to_string(i) + ": " + text + '\n' + p.text()};
        }
        auto is = again ? run_again(p, arguments, results) : outcome{outcome::passed};
        is.constants = options.constants.size();
        return is;
      } catch (const error& e) { return {outcome::wrong, e.what() + ('\n' + p.text())}; }
    } catch (const error& e) { message = e.what(); }
    std::smatch found;
    const bool is_constant = std::regex_search(message, found, constant);
    if (!is_constant && !std::regex_search(message, found, open))
      return {outcome::refused, message};
    auto named = std::ranges::find(inputs, found[1].str(), &std::pair<std::string, tensor>::first);
    if (named == inputs.end())  // computed from one of the small ones
      named = std::ranges::find_if(inputs, [&](const auto& one) {
        return one.second.size() <= 8 && !options.constants.contains(one.first);
      });
    if (named == inputs.end()) return {outcome::refused, message};
    if (is_constant) options.constants.add(named->first, named->second);
    else options.shapes.emplace(named->first, named->second.shape());
  }
}

/// Operator, or dtype, that a refusal is about.
std::string subject(const std::string& why) {
  std::smatch found;
  static const std::regex node("node \".*\" of ([A-Za-z0-9_.]+): (.*) \\("),
      step("save_onnx: .*\\.onnx: ([a-z0-9_]+) \\([^)]*\\)(: .*) \\("),
      value("\"[^\"]*\" is (.*): not supported");
  if (std::regex_search(why, found, step)) return "written: " + found[1].str() + found[2].str();
  if (!std::regex_search(why, found, node))
    return std::regex_search(why, found, value) ? "dtype " + found[1].str() : why;
  const auto rest = found[2].str();
  return found[1].str() + (rest == "not supported" ? "" : ": " + rest);
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && arguments[1] == std::string("--operators")) {
    for (const auto op : translated_operators()) std::cout << op << '\n';
    return 0;
  }
  const bool again = count > 1 && arguments[1] == std::string("--again");
  if (again) --count, ++arguments;
  if (count < 3) return 2;
  runtime engine;
  const std::set<std::string> only(arguments + 3, arguments + count);
  std::set<files::path> models;
  for (const auto& one : files::directory_iterator(arguments[1])) {
    if (files::exists(one.path() / "model.onnx")) models.insert(one.path());
  }
  std::size_t passed = 0, with_constants = 0, wrong = 0, contradicting = 0, all = 0;
  std::map<std::string, std::size_t> refused;
  for (const auto& folder : models) {
    if (!only.empty() && !only.contains(folder.filename().string())) continue;
    for (const auto& data : files::directory_iterator(folder)) {
      if (!data.is_directory()) continue;
      ++all;
      outcome is;
      try {
        if (with_another_epsilon.contains(folder.filename().string())) throw contradiction();
        is = run(folder / "model.onnx", data, again);
      } catch (const contradiction&) {
        is = {outcome::contradicts,
              "has data of another dtype, or of another number, than the model says"};
      } catch (const std::exception& e) { is = {outcome::wrong, e.what()}; }
      if (is.is == outcome::passed) ++passed;
      if (is.is == outcome::passed && is.constants > 0) ++with_constants;
      if (is.is == outcome::refused) ++refused[subject(is.why)];
      if (is.is == outcome::wrong) ++wrong;
      if (is.is == outcome::contradicts) ++contradicting;
      if (is.is == outcome::wrong || !only.empty())
        std::cout << folder.filename().string() << ": "
                  << (is.is == outcome::passed ? "passed" : is.why) << '\n';
    }
  }
  std::cout << "cases " << all << "\npassed " << passed << ", " << with_constants
            << " of them with inputs made constants\nwrong " << wrong
            << "\nwith data that contradict the model " << contradicting << "\nrefused "
            << all - passed - wrong - contradicting << '\n';
  for (const auto& [what, times] : refused) std::cout << "  " << times << "  " << what << '\n';
  const auto least = std::stoul(arguments[2]);
  if (passed < least) std::cout << "fewer passed than " << least << '\n';
  return wrong == 0 && passed >= least ? 0 : 1;
}
