// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_needed.hpp"

#include <algorithm>
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

struct header {
  std::string_view name;
  std::array<std::string_view, 3>
      gives;  ///< a program needs it if it speaks of one; of none: always
};

// In the order in which they are included.
constexpr header headers[] = {
    {"<cmath>", {"std::pow(", "std::floor(", "std::fmod("}},
    {"<cstdint>", {"std::int64_t", "std::uint64_t"}},
    {"<functional>", {"std::function<"}},
    {"<iostream>", {}},
    {"<limits>", {"std::numeric_limits<"}},
    {"<numbers>", {"std::numbers::"}},
    {"<span>", {"std::span<"}},
    {"<string>", {"std::string"}},
    {"<tuple>", {"std::tie("}},
    {"<vector>", {"std::vector<"}},
    {"", {}},
    {"\"troupe/tasks/clock.hpp\"", {"ticks "}},
    {"\"troupe/tensor/number_text.hpp\"", {"real_text("}},
    {"\"troupe/tensor/ops/random_numbers.hpp\"", {"drawn_numbers"}},
    {"\"troupe/tensor/print.hpp\"", {"numbers_text("}},
    {"\"troupe/troupe.hpp\"", {}},
};

bool speaks_of(std::string_view program, std::string_view what) noexcept {
  return program.find(what) != std::string_view::npos;
}

}  // namespace

std::string cpp_definitions(std::string_view program) {
  std::string out;
  for (const auto& [name, definition] : rows)
    if (speaks_of(program, std::string(name) + "("))
      out.append(out.empty() ? "" : "\n").append(definition);
  return out.empty() ? "" : "namespace {\n\n" + out + "\n}  // namespace\n\n";
}

std::string cpp_includes(std::string_view program) {
  std::string out;
  for (const auto& [name, gives] : headers)
    if (gives[0].empty() || std::any_of(gives.begin(), gives.end(), [&](auto one) {
          return !one.empty() && speaks_of(program, one);
        }))
      out += (name.empty() ? std::string() : "#include " + std::string(name)) + "\n";
  return out + "\n";
}

}  // namespace troupe::shell
