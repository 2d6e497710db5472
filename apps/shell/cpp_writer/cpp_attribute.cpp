// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_expression.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

struct row {
  std::string_view name;
  std::string_view cpp;
  type gives;
};

constexpr std::array<row, 8> rows = {{{"T", "T()", type::array},
                                      {"shape", "shape()", type::sizes},
                                      {"dtype", "dtype()", type::dtype},
                                      {"device", "device()", type::device},
                                      {"size", "size()", type::integer},
                                      {"ndim", "rank()", type::integer},
                                      {"ready", "ready()", type::truth},
                                      {"failed", "failed()", type::truth}}};

}  // namespace

std::optional<cpp_value> cpp_attribute(cpp_context& c, const cpp_value& x, const std::string& name,
                                       std::source_location where) {
  if (x.kind == type::mixed) refuse(x.kind.facts, where);
  if (!is_array_like(x.kind)) return {};
  const auto array = as_array(c, x, "." + name, where);
  if (name == "strides") refuse("the strides of an array", where);
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const row& r) { return r.name == name; });
  if (found == rows.end()) return {};
  auto out = cpp_member_of(array, found->cpp, {.is = found->gives});
  out.kind.natural = found->gives == type::integer;
  if (found->gives == type::array) out.kind.rank = array.kind.rank;
  else out.plain = array.plain;
  return out;
}

}  // namespace troupe::shell
