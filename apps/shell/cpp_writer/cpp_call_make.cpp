// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_call.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

using values = std::vector<cpp_value>;

/// A call with its options behind other arguments.
cpp_value make(const cpp_arguments& a, values arguments, const std::string& options) {
  if (!options.empty()) arguments.push_back({.text = options});
  auto out = cpp_call_of(a.of().name, arguments, array_kind());
  const auto kind = a.of().parameters[0].kind;
  const bool sized = kind == parameter_kind::sizes || kind == parameter_kind::shape;
  if (sized && a[0].kind == type::list) out.kind.rank = static_cast<int>(a[0].items.size());
  return out;
}

cpp_value array(const cpp_arguments& a) {
  auto x = a.text(0);
  if (a.has(1)) {
    const auto element = a.text(1);
    if (x.text.starts_with("tensor{") && is_array_like(a[0].kind) && a[0].kind == type::list)
      x.text = "tensor(" + x.text.substr(6) + ", " + element.text + ")";
    else x = cpp_call_of("astype", {x, element}, x.kind);
  }
  return a.has(2) ? cpp_call_of("to", {x, a.text(2)}, x.kind) : x;
}

/// The identity, of which C++ takes a dtype alone only where nothing but the rows is given.
cpp_value eye(const cpp_arguments& a) {
  const bool square = !a.has(1) && !a.has(2);
  const auto options = cpp_options(a, 3, 4, !square);
  const bool filled = !options.empty() && (!square || a.has(4));
  return make(a, a.texts(0, 3, filled ? 3 : 1), options);
}

cpp_value linspace(const cpp_arguments& a) {
  const auto options = cpp_options(a, 3, 4);
  const auto what = std::string(a.of().name);
  auto all = a.texts(2, 3, options.empty() ? 0 : 3);
  all.insert(all.begin(), {as_real(a[0], what, a.where()), as_real(a[1], what, a.where())});
  return make(a, std::move(all), options);
}

cpp_value arange(const cpp_arguments& a) {
  const auto options = cpp_options(a, 3, 4);
  const bool from_zero = !a.has(1);
  auto all = from_zero ? values{a.text(0)} : a.texts(0, 3, a.has(4) ? 3 : 0);
  if (from_zero && a.has(2)) all = {cpp_number(0), a.text(0), a.text(2)};
  auto out = make(a, std::move(all), options);
  out.kind.rank = 1;
  return out;
}

/// With real bounds, or with integers, which C++ has no defaults for.
cpp_value random(const cpp_arguments& a) {
  const bool integers = a.of().name == "randint";
  const auto options = cpp_options(a, 3, 4);
  const bool bounded = a.has(1) || a.has(2) || a.has(4);
  const bool filled = integers || (bounded && !options.empty());
  auto all = a.texts(0, 3, filled ? 3 : 1);
  if (!integers)
    for (std::size_t i = 1; i < all.size(); ++i)
      if (a.has(i)) all[i] = as_real(a[i], a.of().name, a.where());
  auto out = make(a, std::move(all), options);
  auto& c = a.context();
  if (!a.has(5)) {
    out.draws = c.draws = true;
    return out;
  }
  const bool captures = out.text.find('\x01') != std::string::npos;
  out.text = "with_seed(" + a.text(5).text + (captures ? ", [&] { return " : ", [] { return ") +
             out.text + "; })";
  return out;
}

}  // namespace

std::optional<cpp_value> cpp_call_make(const cpp_arguments& a) {
  const auto name = a.of().name;
  if (name == "array") return array(a);
  if (name == "zeros" || name == "ones") return make(a, a.texts(0, 1), cpp_options(a, 1, 2));
  if (name == "full") return make(a, a.texts(0, 2), cpp_options(a, 2, 3));
  if (name == "eye") return eye(a);
  if (name == "arange") return arange(a);
  if (name == "linspace") return linspace(a);
  if (name == "uniform" || name == "normal" || name == "randint") return random(a);
  return {};
}

}  // namespace troupe::shell
