// SPDX-License-Identifier: MIT
#include <optional>

#include "troupe/language/evaluator/arrays_within.hpp"
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/variable_arguments.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/batching/vmap.hpp"

namespace troupe::language {

namespace {

/// Returns the axes that are batches, for each argument of a function.
std::vector<std::optional<int>> batches_of(const arguments& a, const std::string& title,
                                           std::size_t parameters) {
  const auto axis_of = [&](const dynamic_value& x) -> std::optional<int> {
    if (std::holds_alternative<std::monostate>(x)) return {};
    const auto axis = to_integer(x, title + ": an axis", a.where());
    if (axis < -max_rank || axis >= max_rank)
      throw error(title + ": there is no axis " + std::to_string(axis), a.where());
    return static_cast<int>(axis);
  };
  if (!a.has(1)) return std::vector<std::optional<int>>(parameters, 0);
  const auto each = items_of(a.any(1), a.where());
  if (!each) return std::vector<std::optional<int>>(parameters, axis_of(a.any(1)));
  if (each->size() != parameters)
    throw error(title + ": in_axes has " + std::to_string(each->size()) +
                    " axes, and the function takes " + std::to_string(parameters) +
                    (parameters == 1 ? " argument" : " arguments"),
                a.where());
  std::vector<std::optional<int>> axes;
  for (const auto& one : *each) axes.push_back(axis_of(one));
  return axes;
}

/// Arguments of a mapped function: arrays of batches, and others.
struct batch_arguments {
  std::vector<tensor> arrays = {};
  std::vector<std::optional<int>> axes = {};

  void add(std::size_t number, const dynamic_value& x, int axis, const std::string& title,
           caller where) {
    for (const auto& one : arrays_within(x, title, where)) {
      if (axis < -one.rank() || axis >= one.rank())
        throw error(title + ": argument " + std::to_string(number) + ", " +
                        to_string(one.type(where)) + ", has no axis " + std::to_string(axis),
                    where);
      arrays.push_back(one);
      axes.emplace_back(axis);
    }
  }
};

dynamic_value vmap_word(const arguments& a) {
  const auto& f = a.any(0);
  const auto title = title_of(a);
  const auto parameters = parameters_of_function(a);
  const auto axes = batches_of(a, title, parameters);
  const auto out_axis = a.small_integer(2, 0);
  const auto call = [=](std::vector<dynamic_value> given, caller where) -> dynamic_value {
    batch_arguments batch;
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (axes[i]) batch.add(i, given[i], *axes[i], title, where);
    }
    dynamic_value result;
    const auto on_element = [&](const std::vector<tensor>& element) {
      auto all = given;
      const auto* next = element.data();
      for (std::size_t i = 0; i < given.size(); ++i) {
        if (axes[i]) all[i] = with_arrays(given[i], next);
      }
      result = invoke(f, std::move(all), {}, where);
      return arrays_within(result, title, where);
    };
    const auto found = vmap(on_element, batch_axes(batch.axes), out_axis)(batch.arrays, where);
    const auto* next = found.data();
    return with_arrays(result, next);
  };
  return std::make_shared<const function>(
      function{.kept = std::make_shared<kept_values>(std::vector{f}),
               .name = title,
               .text = title,
               .parameters = parameters,
               .call = call});
}

}  // namespace

std::vector<word> batch_words() {
  return {
      {"vmap", "gradients", "f: function, in_axes: any = 0, out_axis: integer = 0",
       "The function that calls f for each element of batches, for all at once where it can: "
       "in_axes says which axis of the arguments is the batch, or for each argument which, none if "
       "it is the same for all; out_axis says where it is in the results.",
       vmap_word},
  };
}

}  // namespace troupe::language
