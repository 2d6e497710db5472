// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_kind.hpp"

#include <array>

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

struct row {
  std::string_view name;
  std::string_view cpp;
  bool by_reference;  ///< as a parameter
};

// In the order of cpp_kind::type.
constexpr std::array<row, 15> rows = {{{"nothing", "void", false},
                                       {"a truth", "bool", false},
                                       {"an integer", "std::int64_t", false},
                                       {"a real number", "double", false},
                                       {"an array", "tensor", true},
                                       {"a list of arrays", "std::vector<tensor>", true},
                                       {"a list of sizes", "shape", true},
                                       {"a text", "std::string", true},
                                       {"a dtype", "dtype", false},
                                       {"a device", "device", false},
                                       {"a range", "range", true},
                                       {"a list of two arrays", "std::pair<tensor, tensor>", true},
                                       {"a function", "", true},
                                       {"a list", "", true},
                                       {"one shell_value or another", "", true}}};

const row& row_of(const cpp_kind& k) noexcept { return rows[static_cast<std::size_t>(k.is)]; }

bool same(const std::optional<scalar>& a, const std::optional<scalar>& b) noexcept {
  if (!a || !b || a->type() != b->type()) return false;
  return a->is_real() ? a->real() == b->real() : a->bytes(int64) == b->bytes(int64);
}

}  // namespace

cpp_kind number_kind(scalar constant) {
  cpp_kind k;
  switch (constant.type()) {
    case scalar::kind::truth: k.is = type::truth; break;
    case scalar::kind::integer: k.is = type::integer; break;
    case scalar::kind::real: k.is = type::real; break;
  }
  k.natural = k == type::integer && constant.real() >= 0;
  k.constant = constant;
  return k;
}

bool is_number(const cpp_kind& k) noexcept {
  return k == type::truth || k == type::integer || k == type::real;
}

cpp_kind without_value(cpp_kind k) {
  k.natural = false;
  k.constant.reset();
  k.known_text.reset();
  return k;
}

bool same_type(const cpp_kind& a, const cpp_kind& b) noexcept {
  return a.is == b.is && a.function == b.function;
}

cpp_kind joined(const cpp_kind& a, const cpp_kind& b) {
  cpp_kind k = a;
  k.natural = a.natural && b.natural;
  k.listed = a.listed || b.listed;
  k.count = a.count == b.count ? a.count : -1;
  k.rank = a.rank == b.rank ? a.rank : -1;
  if (!same(a.constant, b.constant)) k.constant.reset();
  if (a.known_text != b.known_text) k.known_text.reset();
  return k;
}

std::string_view cpp_type(const cpp_kind& k) noexcept { return row_of(k).cpp; }

std::string cpp_parameter_type(const cpp_kind& k) {
  const auto& r = row_of(k);
  const std::string name(r.cpp.empty() ? "auto" : r.cpp);
  return r.by_reference ? "const " + name + "&" : name;
}

std::string_view name_of(const cpp_kind& k) noexcept { return row_of(k).name; }

}  // namespace troupe::shell
