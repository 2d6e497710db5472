// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_helpers.hpp"

#include <array>

namespace troupe::shell {

namespace {

struct row {
  std::string_view name;
  std::string_view definition;
};

constexpr std::array<row, 7> rows = {{
    {"whole_quotient", R"(/// The quotient rounded down.
std::int64_t whole_quotient(std::int64_t x, std::int64_t y) {
  return x / y - (x % y != 0 && (x % y < 0) != (y < 0) ? 1 : 0);
}
)"},
    {"whole_remainder", R"(/// What the quotient rounded down leaves: it has the divisor's sign.
std::int64_t whole_remainder(std::int64_t x, std::int64_t y) {
  return x % y + (x % y != 0 && (x % y < 0) != (y < 0) ? y : 0);
}
)"},
    {"floored_remainder", R"(/// What the quotient rounded down leaves: it has the divisor's sign.
double floored_remainder(double x, double y) {
  const double r = std::fmod(x, y);
  return r == 0 ? std::copysign(0.0, y) : (r < 0) != (y < 0) ? r + y : r;
}
)"},
    {"whole_power", R"(/// An integer to the power of one that is not negative.
std::int64_t whole_power(std::int64_t x, std::int64_t y) {
  std::int64_t out = 1;
  for (; y > 0; --y) out *= x;
  return out;
}
)"},
    {"with_seed", R"(/// Draws as if the random numbers began with a seed.
template <class Draw>
troupe::tensor with_seed(std::uint64_t seed, Draw draw) {
  const troupe::drawn_numbers from{{seed, 0}};
  const troupe::same_numbers_again again(from);
  return draw();
}
)"},
    {"list_text", R"(/// The numbers of each array: "[[1. 2.], [3. 4.]]".
std::string list_text(const std::vector<troupe::tensor>& arrays) {
  std::string out;
  for (const auto& x : arrays) out += (out.empty() ? "" : ", ") + numbers_text(x);
  return "[" + out + "]";
}
)"},
    {"sizes_text", R"(/// "[2, 3]"
std::string sizes_text(const troupe::shape& sizes) {
  std::string out;
  for (const auto n : sizes) out += (out.empty() ? "" : ", ") + std::to_string(n);
  return "[" + out + "]";
}
)"},
}};

}  // namespace

std::string cpp_helper_definitions(const std::set<std::string_view>& names) {
  std::string out;
  for (const auto& [name, definition] : rows)
    if (names.count(name) > 0) out.append(out.empty() ? "" : "\n").append(definition);
  return out.empty() ? "" : "namespace {\n\n" + out + "\n}  // namespace\n\n";
}

}  // namespace troupe::shell
