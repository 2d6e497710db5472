// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_call.hpp"

#include <algorithm>
#include <array>

#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

/// Numbers stay numbers beside an array; one of the operands has to be one, of three the first.
cpp_value elementwise(const cpp_arguments& a) {
  auto all = a.texts(0, a.count());
  const auto what = std::string(a.of().name);
  const bool numbers =
      std::all_of(all.begin(), all.end(), [](const cpp_value& one) { return is_number(one.kind); });
  if (numbers) all[0] = as_array(a.context(), all[0], what, a.where());
  if (all.size() > 2 && is_number(all[0].kind))
    a.refuse("a number in the first place beside an array");
  return cpp_call_of(a.of().name, all, array_kind());
}

/// `keepdims` says what a mere true would not.
cpp_value reduction(const cpp_arguments& a) {
  const auto flag = a.count() - 1;
  auto all = a.texts(0, a.count());
  if (all.size() == a.count() && a[flag].kind.constant) {
    const bool keep = a[flag].kind.constant->real() != 0;
    if (keep) all[flag].text = "keepdims";
    else all = a.texts(0, flag);
  }
  const auto name = a.of().cpp.empty() ? a.of().name : a.of().cpp;
  auto out = cpp_call_of(name, all, array_kind());
  if (all.size() == 1) out.kind.rank = 0;
  return out;
}

cpp_value gradient(const cpp_arguments& a) {
  auto f = a.text(0);
  const auto which = a.has(1) ? known_integer(as_integer(a[1], "grad", a.where())) : 0;
  if (!which || *which < 0) a.refuse("the argument's number is not known");
  auto made = cpp_gradient(a.context(), std::move(f), static_cast<std::size_t>(*which),
                           a.of().name == "value_and_grad", a.where());
  auto out = cpp_function_value(a.context(), made, a.where());
  out.fresh = true;
  return out;
}

cpp_value place(const cpp_arguments& a) {
  const auto i = a.has(0) ? known_integer(a[0]) : 0;
  auto& needed = a.context().cpu_devices;
  if (a.of().name == "cpu" && needed > 0)
    needed = i ? std::max(needed, static_cast<int>(std::clamp<std::int64_t>(*i, 0, 63)) + 1) : 0;
  auto all = a.texts(0, 1);
  return cpp_call_of(a.of().name, all, {.is = type::device});
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string cpp_options(const cpp_arguments& a, std::size_t dtype, std::size_t device,
                        bool braced) {
  const auto element = a.has(dtype) ? a.text(dtype).text : "";
  const auto named = element.empty() ? "" : ".dtype = " + element;
  if (!a.has(device)) return braced && !element.empty() ? "{" + named + "}" : element;
  return "{" + named + (named.empty() ? "" : ", ") + ".device = " + a.text(device).text + "}";
}

cpp_value cpp_call_word(cpp_context& c, const word& w, std::vector<cpp_value> given,
                        std::vector<cpp_named_value> named, std::source_location where) {
  const cpp_arguments a(c, w, std::move(given), std::move(named), where);
  if (w.name == "append") a.refuse("a list that grows has no C++");
  if (w.operation >= 0) return elementwise(a);
  if (w.group == "reduce") return reduction(a);
  if (one_of(w.name, {"grad", "value_and_grad"})) return gradient(a);
  if (one_of(w.name, {"cpu", "gpu"})) {
    auto out = place(a);
    out.acts = false;
    return out;
  }
  for (const auto special : {cpp_call_make, cpp_call_shape, cpp_call_image, cpp_call_file})
    if (auto out = special(a)) {
      out->draws = out->draws || a.draws();
      return *out;
    }
  return cpp_call_of(w.cpp.empty() ? w.name : w.cpp, a.texts(0, a.count()), array_kind());
}

}  // namespace troupe::shell
