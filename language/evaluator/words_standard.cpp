// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/array_api_info.hpp"
#include "troupe/tensor/ops/standard_names.hpp"

namespace troupe::language {

namespace {

/// The standard's name of a word that has NumPy's older one.
struct second_name {
  std::string_view name, word, doc;
};

constexpr second_name second_names[] = {
    {"acos", "arccos", "The same as arccos."},
    {"acosh", "arccosh", "The same as arccosh."},
    {"asarray", "array", "The same as array."},
    {"asin", "arcsin", "The same as arcsin."},
    {"asinh", "arcsinh", "The same as arcsinh."},
    {"atan", "arctan", "The same as arctan."},
    {"atan2", "arctan2", "The same as arctan2."},
    {"atanh", "arctanh", "The same as arctanh."},
    {"bitwise_invert", "bitwise_not", "The same as bitwise_not."},
    {"concat", "concatenate", "The same as concatenate."},
    {"permute_dims", "transpose", "The same as transpose."},
    {"pow", "power", "The same as power."},
    {"to_device", "to", "The same as to."},
    {"unique_values", "unique", "The same as unique."},
};

template <auto function>
dynamic_value accumulate_as_standard(const arguments& a) {
  cumulative_options options{.include_initial = a.flag(3)};
  if (a.has(2)) options.element = a.dtype(2);
  return function(a.array(0), a.axis(1), options, a.where());
}

dynamic_value broadcast_shapes_of(const arguments& a) {
  std::vector<shape> all;
  const auto items = items_of(a.any(0), a.where());
  for (const auto& one : items ? *items : std::vector<dynamic_value>{a.any(0)}) {
    std::vector<std::int64_t> sizes;
    if (const auto some = items_of(one, a.where())) {
      for (const auto& size : *some)
        sizes.push_back(to_integer(size, "broadcast_shapes", a.where()));
    } else {
      sizes.push_back(to_integer(one, "broadcast_shapes", a.where()));
    }
    all.emplace_back(std::span<const std::int64_t>(sizes), a.where());
  }
  list out;
  for (const auto size : broadcast_shapes(all, a.where())) out.items.emplace_back(scalar(size));
  return std::make_shared<const list>(std::move(out));
}

dynamic_value as_items(std::vector<dynamic_value> all) {
  return std::make_shared<const list>(list{std::move(all)});
}

dynamic_value array_api_info_of(const arguments& a) {
  const auto& about = a.text(0);
  if (about == "version") return std::string(array_api_info::version);
  if (about == "default_device") return array_api_info::default_device();
  if (about == "capabilities") {
    constexpr auto has = array_api_info::capabilities();
    return as_items({scalar(has.boolean_indexing), scalar(has.data_dependent_shapes),
                     scalar(has.max_dimensions)});
  }
  if (about == "default_dtypes") {
    constexpr auto all = array_api_info::default_dtypes();
    return as_items({all.real_floating, all.complex_floating, all.integral, all.indexing});
  }
  std::vector<dynamic_value> out;
  if (about == "devices") {
    for (const auto place : array_api_info::devices(a.where())) out.emplace_back(place);
  } else if (about == "dtypes") {
    const auto kind = a.has(1) ? std::optional<std::string_view>(a.text(1)) : std::nullopt;
    for (const auto& [name, element] : array_api_info::dtypes(kind, a.where()))
      out.emplace_back(element);
  } else {
    throw error("array_api_info: there is nothing about \"" + about +
                    "\", but about version, capabilities, default_device, default_dtypes, devices "
                    "and dtypes",
                a.where());
  }
  return as_items(std::move(out));
}

}  // namespace

std::vector<word> standard_words() {
  return {
      {"cumulative_sum", "reduce",
       "x, axis: axis = none, dtype: dtype = none, include_initial: flag = false",
       "The sums of the elements up to each one along an axis, after a 0 if asked for.",
       accumulate_as_standard<cumulative_sum>},
      {"cumulative_prod", "reduce",
       "x, axis: axis = none, dtype: dtype = none, include_initial: flag = false",
       "The products of the elements up to each one along an axis, after a 1 if asked for.",
       accumulate_as_standard<cumulative_prod>},
      {"broadcast_shapes", "shape", "shapes: any",
       "The shape that all broadcast to: broadcast_shapes([[2, 1], [3]]) is [2, 3].",
       broadcast_shapes_of},
      {"array_api_info", "make", "about: text, kind: text = none",
       "What the array API standard lets programs ask: \"version\", \"capabilities\" (masks as "
       "indices, shapes that depend on elements, the most axes), \"default_device\", "
       "\"default_dtypes\" (real, complex, integral, of indices), \"devices\", or \"dtypes\" of a "
       "kind.",
       array_api_info_of},
  };
}

void add_second_names(std::vector<word>& all) {
  for (const auto& one : second_names) {
    auto copy = *std::ranges::find(all, one.word, &word::name);
    copy.name = one.name;
    copy.doc = one.doc;
    copy.cpp = {};
    all.push_back(std::move(copy));
  }
}

}  // namespace troupe::language
