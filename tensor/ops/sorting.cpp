// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/sorting.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"

namespace troupe {

namespace {

// The kernels sort along the last axis; another one is moved there and back.

tensor_types one_type(const shape& dims, dtype element, device place) {
  tensor_types out;
  out.emplace_back(tensor_type{dims, element, place});
  return out;
}

tensor_types infer_sort(std::span<const tensor_type> in, const attributes&, caller) {
  return one_type(in[0].dims, in[0].element, in[0].device);
}

tensor_types infer_argsort(std::span<const tensor_type> in, const attributes&, caller) {
  return one_type(in[0].dims, int64, in[0].device);
}

tensor_types infer_argtopk(std::span<const tensor_type> in, const attributes& given, caller) {
  auto dims = in[0].dims;
  dims[dims.rank() - 1] = given.as<topk_attributes>().count;
  return one_type(dims, int64, in[0].device);
}

tensor sort_gradient(const gradient_terms& t) {
  const auto places = argsort(t.inputs[0], -1, t.attributes.as<sort_attributes>().descending);
  const int axis = places.rank() - 1;
  return submit_add_along_axis(t.arriving, places, {axis}, places.shape()[axis], {});
}

using calls = std::initializer_list<tensor (*)(std::span<const tensor>)>;

/// Samples of all dtypes and of several shapes; rows of the last are so long that lanes share them.
std::vector<sample> samples_of(calls each, calls long_rows) {
  std::vector<sample> out;
  for (const auto element : real_dtypes) {
    for (const auto& dims : {shape{4, 5}, {4, 3, 4}, {0, 4}, {600, 2}}) {
      for (const auto call : each) out.push_back({{{dims, element, {}}}, call});
    }
  }
  for (const auto element : {boolean, int64, float32}) {
    for (const auto call : long_rows) out.push_back({{{{2, 70'000}, element, {}}}, call});
  }
  return out;
}

template <tensor (*function)(const tensor&, optional_axis, flag, caller)>
std::vector<sample> sort_samples() {
  constexpr auto first = [](std::span<const tensor> in) { return function(in[0], 0, false, {}); };
  constexpr auto last = [](std::span<const tensor> in) { return function(in[0], -1, true, {}); };
  constexpr auto all = [](std::span<const tensor> in) { return function(in[0], {}, false, {}); };
  return samples_of({first, last, all}, {last, all});
}

std::vector<sample> argtopk_samples() {
  constexpr auto two = [](std::span<const tensor> in) { return argtopk(in[0], 2); };
  constexpr auto none = [](std::span<const tensor> in) { return argtopk(in[0], 0); };
  constexpr auto most = [](std::span<const tensor> in) {
    return argtopk(in[0], in[0].shape()[1], 1);
  };
  return samples_of({two, none, most}, {two, most});
}

constexpr float flops_of_a_sort = 50;

work cost_of_choice(const task& t) {
  const auto n = static_cast<double>(t.inputs[0].view().dims.size());
  return {n * static_cast<double>(size_of(t.inputs[0].element)), 2 * n};
}

/// Calls f with `x`, whose axis it moves to the end, and moves the axis back.
template <class F>
tensor along_last(std::string_view what, const tensor& x, int axis, caller where, const F& f) {
  const int at = detail::checked_axis(axis, x.rank(), x.type(), what, where);
  if (at == x.rank() - 1) return f(x);
  return moveaxis(f(moveaxis(x, at, -1, where)), -1, at, where);
}

tensor order(const operation& op, const tensor& x, optional_axis axis, flag descending,
             caller where) {
  check_defined(op.name, x, where);
  const sort_attributes given{descending};
  if (!axis) return apply(op, flatten(x, where), given, where);
  return along_last(op.name, x, *axis, where,
                    [&](const tensor& rows) { return apply(op, rows, given, where); });
}

void check_position(std::string_view what, const tensor& x, std::int64_t at, int axis,
                    caller where) {
  check_defined(what, x, where);
  const auto size = x.shape()[detail::checked_axis(axis, x.rank(), x.type(), what, where)];
  if (at < -size || at >= size)
    throw error(std::string(what) + ": there is no position " + std::to_string(at) +
                    " along axis " + std::to_string(axis) + " of " + to_string(x.type()),
                where);
}

tensor find_top(std::string_view what, const tensor& x, std::int64_t count, int axis,
                caller where) {
  check_defined(what, x, where);
  return along_last(what, x, axis, where, [&](const tensor& rows) {
    const auto length = rows.shape()[rows.rank() - 1];
    if (count < 0 || count > length)
      throw error(std::string(what) + ": " + std::to_string(count) + " of the " +
                      std::to_string(length) + " elements along axis " + std::to_string(axis) +
                      " of " + to_string(x.type()),
                  where);
    return apply(argtopk_operation, rows, topk_attributes{count}, where);
  });
}

}  // namespace

constinit const operation sort_operation = {.name = "sort",
                                            .doc = "The elements in order, NaN last.",
                                            .infer = infer_sort,
                                            .kernel = of_input<&kernel_table::sort>,
                                            .flops_per_element = flops_of_a_sort,
                                            .gradient = differentiability::available,
                                            .gradients = {{sort_gradient, 1}},
                                            .samples = sort_samples<sort>,
                                            .parameters = &sends<sort_attributes>};

constinit const operation argsort_operation = {
    .name = "argsort",
    .doc = "The places that the elements in order come from.",
    .infer = infer_argsort,
    .kernel = of_input<&kernel_table::argsort>,
    .flops_per_element = flops_of_a_sort,
    .gradient = differentiability::none,
    .samples = sort_samples<argsort>,
    .parameters = &sends<sort_attributes>};

constinit const operation argtopk_operation = {.name = "argtopk",
                                               .doc = "The places of the greatest elements.",
                                               .infer = infer_argtopk,
                                               .kernel = of_input<&kernel_table::argtopk>,
                                               .cost = cost_of_choice,
                                               .gradient = differentiability::none,
                                               .samples = argtopk_samples,
                                               .parameters = &sends<topk_attributes>};

tensor sort(const tensor& x, optional_axis axis, flag descending, caller where) {
  return order(sort_operation, x, axis, descending, where);
}

tensor argsort(const tensor& x, optional_axis axis, flag descending, caller where) {
  return order(argsort_operation, x, axis, descending, where);
}

tensor partition(const tensor& x, std::int64_t at, int axis, caller where) {
  check_position("partition", x, at, axis, where);
  return sort(x, axis, false, where);
}

tensor argpartition(const tensor& x, std::int64_t at, int axis, caller where) {
  check_position("argpartition", x, at, axis, where);
  return argsort(x, axis, false, where);
}

topk_result topk(const tensor& x, std::int64_t count, int axis, caller where) {
  const auto places = find_top("topk", x, count, axis, where);
  return {take_along_axis(x, places, axis, where), places};
}

tensor argtopk(const tensor& x, std::int64_t count, int axis, caller where) {
  return find_top("argtopk", x, count, axis, where);
}

}  // namespace troupe
