// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "troupe/language/evaluator/arrays_within.hpp"
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/variable_arguments.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe::language {

namespace {

/// Returns the arguments for a function from one, or from a list of them if it takes several.
std::vector<dynamic_value> arguments_from(const dynamic_value& x, std::size_t parameters,
                                          const std::string& title, const char* of, caller where) {
  if (parameters == 1) return {x};
  auto all = items_of(x, where);
  if (!all || all->size() != parameters)
    throw error(title + ": the function takes " + std::to_string(parameters) +
                    " arguments, so it wants a list of as many " + of,
                where);
  return std::move(*all);
}

/// Call of a function with variables for arguments, which gives arrays.
class variable_call {
 public:
  explicit variable_call(const arguments& a)
      : f_(a.any(0)),
        title_(title_of(a)),
        parameters_(parameters_of_function(a)),
        arguments_(arguments_from(a.any(1), parameters_, title_, "arguments", a.where()),
                   every(parameters_), title_, a.where()) {}

  const std::string& title() const noexcept { return title_; }
  std::size_t parameters() const noexcept { return parameters_; }
  const variable_arguments& of() const noexcept { return arguments_; }

  std::vector<tensor> operator()(const std::vector<tensor>& variables, caller where) {
    result_ = invoke(f_, arguments_.with(variables), {}, where);
    return arrays_within(result_, title_, where);
  }
  /// True if the last result was no list of arrays.
  bool gives_one_array() const { return !has_arrays_in_list(result_); }
  /// Returns arrays in lists like those of the last result.
  dynamic_value like_result(const std::vector<tensor>& arrays) const {
    const auto* next = arrays.data();
    return with_arrays(result_, next);
  }

 private:
  static std::vector<std::size_t> every(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  dynamic_value f_;
  std::string title_;
  std::size_t parameters_;
  variable_arguments arguments_;
  dynamic_value result_ = {};
};

/// Returns arrays of the dtypes of others, where they were written as numbers.
std::vector<tensor> as_written_for(const dynamic_value& written, std::vector<tensor> arrays,
                                   const std::vector<tensor>& others) {
  if (std::holds_alternative<tensor>(written)) return arrays;
  for (std::size_t i = 0; i < std::min(arrays.size(), others.size()); ++i) {
    if (!is_inexact(arrays[i].dtype())) arrays[i] = astype(arrays[i], others[i].dtype());
  }
  return arrays;
}

dynamic_value jvp_word(const arguments& a) {
  variable_call call(a);
  std::vector<tensor> changes;
  for (const auto& one :
       arguments_from(a.any(2), call.parameters(), call.title(), "tangents", a.where())) {
    const auto more = arrays_within(one, call.title(), a.where());
    changes.insert(changes.end(), more.begin(), more.end());
  }
  changes = as_written_for(a.any(2), std::move(changes), call.of().variables());
  const auto [values, tangents] =
      jvp([&](const std::vector<tensor>& in) { return call(in, a.where()); }, call.of().variables(),
          changes, a.where());
  return pair_of(call.like_result(values), call.like_result(tangents));
}

/// Returns the seeds for the values of a function: one for each result in a list of them.
std::vector<tensor> seeds_for(const dynamic_value& written, const std::vector<tensor>& values,
                              bool one_array, const std::string& title, caller where) {
  std::vector<tensor> seeds;
  if (one_array) {
    seeds.push_back(to_array(written, title, where));
  } else if (const auto parts = items_of(written, where);
             parts && values.size() > 1 && !has_arrays_in_list(written)) {
    for (const auto& one : *parts) seeds.push_back(to_array(one, title, where));
  } else {
    seeds = arrays_within(written, title, where);
  }
  return as_written_for(written, std::move(seeds), values);
}

dynamic_value vjp_word(const arguments& a) {
  variable_call call(a);
  std::vector<tensor> seeds;  // are read when the function has run
  const auto run = [&](const std::vector<tensor>& in) {
    auto values = call(in, a.where());
    seeds = seeds_for(a.any(2), values, call.gives_one_array(), call.title(), a.where());
    return values;
  };
  const auto [values, products] = vjp(run, call.of().variables(), seeds, a.where());
  return pair_of(call.like_result(values),
                 call.of().like_variables(products, call.parameters() > 1));
}

}  // namespace

std::vector<word> direction_words() {
  return {
      {"jvp", "gradients", "f: function, x: any, tangent: any",
       "f's value and its change if x changes by the tangent, its derivative in that direction: "
       "y, dy = jvp(f, x, dx). For an f of several arguments, x and tangent are lists.",
       jvp_word},
      {"vjp", "gradients", "f: function, x: any, seed: any",
       "f's value and the gradient of sum(seed * f(x)): y, g = vjp(f, x, seed). For an f of "
       "several arguments, x is a list, and so is g; for one with several results, seed is.",
       vjp_word},
  };
}

}  // namespace troupe::language
