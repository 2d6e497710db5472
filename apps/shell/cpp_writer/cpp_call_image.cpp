// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_call.hpp"

namespace troupe::shell {

namespace {

/// "{.stride = 2, .padding = {1, 0}}": the arguments from one on that are given, by name.
std::string designated(const cpp_arguments& a, std::size_t from) {
  std::vector<std::string> parts;
  for (auto i = from; i < a.count(); ++i)
    if (a.has(i))
      parts.push_back("." + std::string(a.of().parameters[i].name) + " = " + a.text(i).text);
  return parts.empty() ? "" : "{" + comma_list(parts) + "}";
}

cpp_value with_options(const cpp_arguments& a, std::size_t first_option) {
  auto all = a.texts(0, first_option);
  if (auto options = designated(a, first_option); !options.empty())
    all.push_back({.text = std::move(options)});
  auto out = cpp_call_of(a.of().name, all, array_kind());
  out.kind.rank = 4;
  return out;
}

}  // namespace

std::optional<cpp_value> cpp_call_image(const cpp_arguments& a) {
  if (a.of().name == "conv2d") return with_options(a, 2);
  if (a.of().name == "max_pool2d" || a.of().name == "avg_pool2d") return with_options(a, 1);
  return {};
}

}  // namespace troupe::shell
