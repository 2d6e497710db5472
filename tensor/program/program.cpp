// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/program.hpp"

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/io/safetensors.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe {

program::program(parts from, caller where)
    : where_(where),
      parts_(std::make_shared<const parts>(std::move(from))),
      programs_(
          std::make_shared<detail::compiled_function>(where, compile_options{}, parts_->fixed)) {}

std::vector<tensor> program::call(std::span<const tensor> in, caller where) const {
  const auto& wanted = parts_->arguments;
  if (in.size() != wanted.size())
    throw error("program: takes " + count_text(wanted.size(), "argument") + ", not " +
                    std::to_string(in.size()),
                where);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto type = in[i].type(where);
    if (wanted[i] && (type.dims != wanted[i]->dims || type.element != wanted[i]->element))
      throw error("program: argument " + std::to_string(i + 1) + " is to be " +
                      to_string(*wanted[i]) + ", not " + to_string(type),
                  where);
  }
  if (detail::runs_as_it_is()) return parts_->body(in);
  std::vector<tensor> plain;
  for (const auto& x : in) plain.push_back(x.detach());
  return programs_->call(plain, "", parts_->body);
}

tensor program::only_result(std::span<const tensor> in) const {
  auto all = call(in, where_);
  if (all.size() != 1)
    throw error("program: has " + count_text(all.size(), "result") + ": use call", where_);
  return std::move(all[0]);
}

named_tensors program::variables() const {
  named_tensors out;
  for (const auto& [name, held] : parts_->variables) out.add(name, held->read().detach(), where_);
  return out;
}

void save_program(const std::string& path, const program& p, caller where) {
  auto all = p.variables();
  for (const auto& [name, x] : p.constants()) all.add(name, x, where);
  save_safetensors(path, all, {{program_text_key, p.text()}}, where);
}

}  // namespace troupe
