// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_call.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

/// A list of parts, or of what lies between positions.
cpp_value split(const cpp_arguments& a) {
  const auto all = a.texts(0, 3);
  auto parts = all[1];
  cpp_kind gives{.is = type::arrays};
  if (a[1].kind == type::list) {
    const auto positions = a[1].items.size();
    const bool alone = positions == 1;
    parts.text = integer_items(a[1], "split: parts", false, a.where());
    if (!alone) {
      gives.count = static_cast<int>(positions) + 1;
      parts.text = "{" + parts.text + "}";
    }
  } else if (const auto known = known_integer(parts)) {
    gives.count = static_cast<int>(*known);
  }
  std::vector<cpp_value> arguments = {all[0], parts};
  arguments.insert(arguments.end(), all.begin() + 2, all.end());
  return cpp_call_of("split", arguments, gives);
}

cpp_value reshape(const cpp_arguments& a) {
  auto out = cpp_call_of("reshape", a.texts(0, 2), array_kind());
  if (a[1].kind == type::list) out.kind.rank = static_cast<int>(a[1].items.size());
  return out;
}

}  // namespace

std::optional<cpp_value> cpp_call_shape(const cpp_arguments& a) {
  const auto name = a.of().name;
  if (name == "split") return split(a);
  if (name == "reshape") return reshape(a);
  if (name == "slice") return cpp_call_of(name, a.texts(0, 5, 4), array_kind());
  if (name == "transpose" && a.has(1) && a[1].kind != type::list)
    a.refuse("the order of the axes is not written there");
  return {};
}

}  // namespace troupe::shell
