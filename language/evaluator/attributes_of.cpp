// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/word.hpp"

#include <algorithm>
#include <array>

#include "troupe/tensor/linalg/products.hpp"

namespace troupe::language {

namespace {

dynamic_value integers(std::span<const std::int64_t> numbers) {
  list all;
  for (const auto n : numbers) all.items.emplace_back(scalar(n));
  return std::make_shared<const list>(std::move(all));
}

struct row {
  attribute_row text;
  dynamic_value (*get)(const tensor& x, caller where);
};

constexpr std::array<row, 10> attributes = {{
    {{"T", "the axes in reverse"},
     [](const tensor& x, caller w) -> dynamic_value { return x.T(w); }},
    {{"mT", "the last two axes in reverse"},
     [](const tensor& x, caller w) -> dynamic_value { return linalg::matrix_transpose(x, w); }},
    {{"shape", "the size of each axis"},
     [](const tensor& x, caller) {
       return integers({x.shape().begin(), x.shape().end()});
     }},
    {{"dtype", "the type of the elements"},
     [](const tensor& x, caller w) -> dynamic_value { return x.dtype(w); }},
    {{"device", "where it lives"},
     [](const tensor& x, caller w) -> dynamic_value { return x.device(w); }},
    {{"size", "how many elements"},
     [](const tensor& x, caller) -> dynamic_value { return scalar(x.size()); }},
    {{"ndim", "how many axes"},
     [](const tensor& x, caller) -> dynamic_value { return scalar(x.rank()); }},
    {{"strides", "elements from one to the next along each axis"},
     [](const tensor& x, caller) { return integers(x.strides()); }},
    {{"ready", "whether it has been computed; never waits"},
     [](const tensor& x, caller w) -> dynamic_value { return scalar(x.ready(w)); }},
    {{"failed", "whether it could not be computed; never waits"},
     [](const tensor& x, caller w) -> dynamic_value { return scalar(x.failed(w)); }},
}};

}  // namespace

std::optional<dynamic_value> attribute_of(const tensor& x, std::string_view name, caller where) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const row& r) { return r.text.name == name; });
  if (found == attributes.end()) return {};
  return found->get(x, where);
}

std::span<const attribute_row> all_attributes() noexcept {
  static constexpr auto texts = [] {
    std::array<attribute_row, attributes.size()> out{};
    for (std::size_t i = 0; i < attributes.size(); ++i) out[i] = attributes[i].text;
    return out;
  }();
  return texts;
}

}  // namespace troupe::language
