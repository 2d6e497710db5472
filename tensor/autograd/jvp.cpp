// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/jvp.hpp"

#include <string>

#include "troupe/tasks/error.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/autograd/tangents.hpp"

namespace troupe {

namespace {

void check_tangent(const tensor& x, const tensor& tangent, std::size_t number, caller where) {
  const auto of = "argument " + std::to_string(number);
  if (!x.defined()) throw error("jvp: " + of + " names no array yet", where);
  const auto type = x.type(where);
  if (!is_inexact(type.element))
    throw error("jvp: " + of + " is " + to_string(type) + ": only floats have tangents", where);
  if (!tangent.defined()) return;
  if (const auto given = tangent.type(where); given != type)
    throw error("jvp: the tangent of " + of + " is " + to_string(given) + " on " +
                    to_string(given.device) + " and not " + to_string(type) + " on " +
                    to_string(type.device),
                where);
}

void check_value(const tensor& value, caller where) {
  if (!value.defined()) throw error("jvp: the function gives a tensor that names no array", where);
  if (!is_inexact(value.dtype(where)))
    throw error(
        "jvp: the function gives " + to_string(value.type(where)) + ": only floats have tangents",
        where);
}

}  // namespace

std::pair<std::vector<tensor>, std::vector<tensor>> detail::values_and_tangents(
    const tensor_function& f, const std::vector<tensor>& xs, const std::vector<tensor>& tangents,
    caller where) {
  if (xs.empty() || xs.size() != tangents.size())
    throw error("jvp: " + std::to_string(xs.size()) + " arguments and " +
                    std::to_string(tangents.size()) + " tangents",
                where);
  for (std::size_t i = 0; i < xs.size(); ++i) check_tangent(xs[i], tangents[i], i, where);
  const bool record = recording::active();
  std::vector<tensor> in, values;
  {
    const recording on;
    for (const auto& x : xs) in.push_back(argument(x, where));
    values = f(in);
  }
  for (const auto& one : values) check_value(one, where);
  auto changes = troupe::tangents(values, in, tangents, record, where);
  if (!record) {
    for (auto& one : values) one = one.detach();
  }
  return {std::move(values), std::move(changes)};
}

}  // namespace troupe
