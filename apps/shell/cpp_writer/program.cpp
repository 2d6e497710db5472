// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/program.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/apps/shell/session/session.hpp"

namespace troupe::shell::cpp {

namespace {

struct row {
  std::string_view name;
  std::string_view definition;
};

constexpr std::array<row, 8> rows = {{
    {"whole_quotient", R"(/// The quotient rounded down.
std::int64_t whole_quotient(std::int64_t x, std::int64_t y) {
  return x / y - (x % y != 0 && (x % y < 0) != (y < 0) ? 1 : 0);
}
)"},
    {"whole_remainder",
     R"(/// The remainder of the quotient rounded down: it has the divisor's sign.
std::int64_t whole_remainder(std::int64_t x, std::int64_t y) {
  return x % y + (x % y != 0 && (x % y < 0) != (y < 0) ? y : 0);
}
)"},
    {"floored_remainder",
     R"(/// The remainder of the quotient rounded down: it has the divisor's sign.
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
    {"item", R"(/// The item at a place, which counts from the end if it is negative.
template <class Items>
auto item(const Items& items, std::int64_t at) {
  return *(at < 0 ? items.end() + at : items.begin() + at);
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
    {"<iostream>", {}},
    {"<limits>", {"std::numeric_limits<"}},
    {"<numbers>", {"std::numbers::"}},
    {"<utility>", {"std::pair<"}},
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

/// Returns true if a program calls a function of its own.
bool calls(std::string_view program, std::string_view name) {
  const auto at = program.find(std::string(name) + "(");
  return at != std::string_view::npos &&
         (at == 0 || (program[at - 1] != '_' && program[at - 1] != '.'));
}

/// The headers that a program needs, and the functions that it calls and the library does not have.
std::string preamble_of(std::string_view program) {
  std::string definitions;
  for (const auto& [name, definition] : rows) {
    if (calls(program, name))
      definitions.append(definitions.empty() ? "" : "\n").append(definition);
  }
  if (!definitions.empty()) definitions = "namespace {\n\n" + definitions + "\n}  // namespace\n\n";
  const auto all = definitions + std::string(program);
  std::string out;
  for (const auto& [name, gives] : headers) {
    if (gives[0].empty() || std::any_of(gives.begin(), gives.end(), [&](auto one) {
          return !one.empty() && speaks_of(all, one);
        }))
      out += (name.empty() ? std::string() : "#include " + std::string(name)) + "\n";
  }
  return out + "\n" + definitions;
}

/// A command among the inputs, as far as it changes what later ones give.
std::optional<step> step_of(session& s, std::string_view command) {
  const auto words = words_of(command);
  if (words.size() < 2) return {};
  if (words[0] == ":seed") {
    std::uint64_t key = 0;
    std::from_chars(words[1].data(), words[1].data() + words[1].size(), key);
    return step{.seed = key};
  }
  const bool restarts =
      words[0] == ":devices" || words[0] == ":lanes" || (words[0] == ":sync" && words[1] != "?");
  if (!restarts) return {};
  return step{.seed = s.engine().options().seed.value_or(0), .only_if_drawn = true};
}

}  // namespace

std::string program_of(symbol_table& symbols, const std::vector<step>& steps, int cpu_devices) {
  std::string all;
  for (const auto& one : steps) all += one.source + "\n";
  writer main(symbols, all);
  for (const auto& one : steps) {
    main.add(one.statements, one.number, one.source);
    if (one.seed && (main.draws() || !one.only_if_drawn))
      main.line("rt.seed(" + std::to_string(*one.seed) + ");");
  }
  const int devices = main.cpu_devices() == 0 ? cpu_devices : main.cpu_devices();
  const auto runtime =
      devices > 1 ? "rt({.cpu_devices = " + std::to_string(devices) + "});" : std::string("rt;");
  const auto program = "int main() {\n  using namespace troupe;\n  runtime " + runtime + "\n\n" +
                       main.text() + "}\n";
  return preamble_of(program) + program;
}

std::string program_of(session& s) {
  std::vector<step> steps;
  for (const auto& [number, text, from] : s.kept_inputs()) {
    if (!is_command(text)) steps.push_back({text, parse(text, s.symbols(), from), number});
    else if (auto one = step_of(s, text)) steps.push_back(std::move(*one));
  }
  return program_of(s.symbols(), steps, *s.engine().options().cpu_devices);
}

}  // namespace troupe::shell::cpp
