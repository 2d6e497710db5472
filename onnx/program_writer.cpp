// SPDX-License-Identifier: MIT
#include "troupe/onnx/program_writer.hpp"

#include "troupe/language/parse_program.hpp"
#include "troupe/tensor/program/view_text.hpp"

namespace troupe {

namespace {

std::string typed(const std::string& name, dtype element, const shape& dims) {
  return name + ": " + std::string(troupe::name(element)) + list_text({dims.begin(), dims.end()});
}

}  // namespace

std::string program_writer::argument(const tensor_type& type) {
  auto name = 'x' + std::to_string(argument_count_++);
  arguments_ += (arguments_.empty() ? "" : ", ") + typed(name, type.element, type.dims);
  return name;
}

std::string program_writer::constant(const tensor& x) {
  auto name = 'c' + std::to_string(constants_.size());
  declarations_ += "constant " + typed(name, x.dtype(), x.shape()) + '\n';
  constants_.add(name, x);
  return name;
}

std::string program_writer::line(const std::string& expression) {
  auto name = 'v' + std::to_string(line_count_++);
  lines_ += "  " + name + " = " + expression + '\n';
  return name;
}

const std::string* program_writer::name_of(const std::string& value) const {
  const auto found = names_.find(value);
  return found == names_.end() ? nullptr : &found->second;
}

program program_writer::finish(const std::vector<std::string>& results, caller where) const {
  std::string all;
  for (const auto& one : results) all += (all.empty() ? "" : ", ") + one;
  if (results.size() != 1) all = '[' + all + ']';
  return parse_program(
      declarations_ + "def program(" + arguments_ + ") {\n" + lines_ + "  " + all + "\n}\n",
      constants_, where);
}

}  // namespace troupe
