// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/call_arguments.hpp"

#include <stdexcept>

#include "troupe/tasks/tensor_type.hpp"

namespace troupe {

namespace {

[[noreturn]] void refuse_number(const char* role, std::size_t number, std::size_t count) {
  throw std::runtime_error("there is no " + std::string(role) + " " + std::to_string(number) +
                           "; it has " + std::to_string(count));
}

}  // namespace

void* call_array::elements(troupe::dtype wanted) const {
  if (array_.type != wanted)
    throw std::runtime_error(text() + ", not " + std::string(name(wanted)));
  return array_.data;
}

void call_array::refuse_on_gpu() const {
  throw std::runtime_error(text() + " in a GPU's memory, which only kernels read and write");
}

std::string call_array::text() const {
  return std::string(role_) + " " + std::to_string(number_) + " is " +
         to_string(tensor_type{shape(), dtype(), {}});
}

void input::check_count(std::int64_t wanted) const {
  if (size() != wanted) throw std::runtime_error(text() + ", not one element");
}

void output::check_given(std::int64_t count) const {
  if (count != size())
    throw std::runtime_error(text() + " but " + std::to_string(count) +
                             (count == 1 ? " element was given" : " elements were given"));
}

void output::check_written() const {
  if (!written_) throw std::runtime_error(text() + " and was not written");
}

inputs::inputs(std::span<const array> all, bool on_host) {
  for (const auto& a : all) all_.emplace_back(a, all_.size(), on_host);
}

const input& inputs::operator[](std::size_t i) const {
  if (i >= all_.size()) refuse_number("input", i, all_.size());
  return all_[i];
}

outputs::outputs(std::span<const array> all, bool on_host) {
  for (const auto& a : all) all_.emplace_back(a, all_.size(), on_host);
}

output& outputs::operator[](std::size_t i) {
  if (i >= all_.size()) refuse_number("output", i, all_.size());
  return all_[i];
}

void outputs::check_written() const {
  for (const auto& o : all_) o.check_written();
}

}  // namespace troupe
