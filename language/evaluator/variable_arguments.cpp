// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/variable_arguments.hpp"

#include "troupe/language/evaluator/arrays_within.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::language {

namespace {

std::string name_of(const dynamic_value& f) {
  const auto* own = std::get_if<std::shared_ptr<const function>>(&f);
  return own ? (*own)->name : std::string(std::get<const word*>(f)->name);
}

std::size_t parameters_of(const dynamic_value& f) {
  if (const auto* own = std::get_if<std::shared_ptr<const function>>(&f)) return (*own)->parameters;
  std::size_t needed = 0;
  for (const auto& p : std::get<const word*>(f)->parameters) needed += p.needed();
  return needed;
}

/// Returns the arrays of an argument of the function, as variables.
std::vector<tensor> variables_of(const dynamic_value& x, const std::string& title, caller where) {
  auto arrays = arrays_within(x, title, where);
  for (const auto& one : arrays) {
    if (!is_inexact(one.dtype(where)))
      throw error(title + ": " + to_string(one.type()) +
                      " has no gradient, only floats have: convert it with float64(...)",
                  where);
  }
  return arrays;
}

}  // namespace

std::string title_of(const arguments& a) {
  return std::string(a.of().name) + "(" + name_of(a.any(0)) + ")";
}

std::size_t parameters_of_function(const arguments& a) {
  const auto count = parameters_of(a.any(0));
  if (count == 0) throw error(title_of(a) + ": the function takes no argument", a.where());
  return count;
}

variable_arguments::variable_arguments(std::vector<dynamic_value> given,
                                       std::vector<std::size_t> wanted, const std::string& title,
                                       caller where)
    : given_(std::move(given)), wanted_(std::move(wanted)) {
  for (const auto i : wanted_) {
    const auto more = variables_of(given_[i], title, where);
    variables_.insert(variables_.end(), more.begin(), more.end());
  }
}

std::vector<dynamic_value> variable_arguments::with(const std::vector<tensor>& arrays) const {
  auto out = given_;
  const auto* next = arrays.data();
  for (const auto i : wanted_) out[i] = with_arrays(given_[i], next);
  return out;
}

dynamic_value variable_arguments::like_variables(const std::vector<tensor>& arrays,
                                                 bool several) const {
  const auto* next = arrays.data();
  list all;
  for (const auto i : wanted_) all.items.push_back(with_arrays(given_[i], next));
  return several ? dynamic_value(std::make_shared<const list>(std::move(all))) : all.items[0];
}

dynamic_value pair_of(dynamic_value first, dynamic_value second) {
  return std::make_shared<const list>(list{{std::move(first), std::move(second)}});
}

}  // namespace troupe::language
