// SPDX-License-Identifier: MIT
#include "troupe/actors/options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "troupe/actors/option_table.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

constexpr std::uint64_t mebibyte = 1 << 20;
constexpr std::uint64_t most_of_a_key = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t most_bytes = most_of_a_key >> 1;

int cpu_devices_of(const runtime_options& o) { return o.cpu_devices.value_or(1); }

std::uint64_t cores_per_device(const runtime_options& o) {
  return static_cast<std::uint64_t>(std::clamp(available_cores() / cpu_devices_of(o), 1, 64));
}

std::uint64_t memory_per_device(const runtime_options& o) {
  const auto devices = static_cast<std::uint64_t>(cpu_devices_of(o));
  return std::max<std::uint64_t>(available_memory() / 2 / devices, mebibyte);
}

/// Converts a field; a negative number becomes larger than all that are allowed.
template <class T>
std::optional<std::uint64_t> number_of(const std::optional<T>& field) {
  if (!field) return std::nullopt;
  return static_cast<std::uint64_t>(*field);
}

constexpr std::string_view words_of_kind(option_kind kind) {
  return kind == option_kind::flag ? "0|1" : "";
}

constexpr option_row rows[] = {
#define TROUPE_OPTION(name_, variable_, kind_, least_, greatest_, default_, usual_, shell_, doc_) \
  {.name = #name_,                                                                                \
   .variable = #variable_,                                                                        \
   .kind = option_kind::kind_,                                                                    \
   .least = least_,                                                                               \
   .greatest = greatest_,                                                                         \
   .words = words_of_kind(option_kind::kind_),                                                    \
   .usual = usual_,                                                                               \
   .doc = doc_,                                                                                   \
   .in_shell = shell_,                                                                            \
   .get = [](const runtime_options& o) { return number_of(o.name_); },                            \
   .set = [](runtime_options& o,                                                                  \
             std::uint64_t number) { o.name_ = static_cast<option_types::kind_>(number); },       \
   .default_of = []([[maybe_unused]] const runtime_options& o) -> std::uint64_t {                 \
     return default_;                                                                             \
   }},
#define TROUPE_VARIABLE(variable_, words_, usual_, doc_) \
  TROUPE_NO_NUMBER("", variable_, option_kind::word, words_, usual_, doc_)
#define TROUPE_TEXT(name_, variable_, usual_, doc_) \
  TROUPE_NO_NUMBER(#name_, variable_, option_kind::text, "", usual_, doc_)
#define TROUPE_NO_NUMBER(name_, variable_, kind_, words_, usual_, doc_)          \
  {.name = name_,                                                                \
   .variable = #variable_,                                                       \
   .kind = kind_,                                                                \
   .least = 0,                                                                   \
   .greatest = 0,                                                                \
   .words = words_,                                                              \
   .usual = usual_,                                                              \
   .doc = doc_,                                                                  \
   .in_shell = false,                                                            \
   .get = [](const runtime_options&) { return std::optional<std::uint64_t>(); }, \
   .set = [](runtime_options&, std::uint64_t) {},                                \
   .default_of = [](const runtime_options&) { return std::uint64_t{0}; }},
#include "troupe/actors/options.def"
#undef TROUPE_NO_NUMBER
};

/// Parses a whole number, with K, M, G or T behind it if it `may_have_unit`.
std::optional<std::uint64_t> parse_number(std::string_view text, bool may_have_unit) {
  std::uint64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || rest == text.data()) return std::nullopt;
  if (rest == end) return number;
  const auto unit = std::string_view("KMGT").find(static_cast<char>(*rest & ~0x20));
  if (!may_have_unit || rest + 1 != end || unit == std::string_view::npos) return std::nullopt;
  const auto factor = std::uint64_t{1} << (10 * (unit + 1));
  if (number > std::numeric_limits<std::uint64_t>::max() / factor) return std::nullopt;
  return number * factor;
}

[[noreturn]] void refuse(const option_row& row, std::string_view what, const std::string& value) {
  throw error("runtime: " + std::string(what) + " is " + value + ", not " + range_text(row), {});
}

bool in_range(const option_row& row, std::uint64_t number) {
  return row.least <= number && number <= row.greatest;
}

}  // namespace

std::span<const option_row> all_options() noexcept { return rows; }

std::vector<std::string_view> allowed_words(const option_row& row) {
  std::vector<std::string_view> words;
  for (auto rest = row.words; !rest.empty();) {
    const auto end = std::min(rest.find('|'), rest.size());
    words.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

std::string range_text(const option_row& row) {
  const auto words = allowed_words(row);
  if (words.empty())
    return "a number from " + std::to_string(row.least) + " to " + std::to_string(row.greatest);
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : " or ";
    text += words[i];
  }
  return text;
}

std::uint64_t parse_option(const option_row& row, std::string_view what, std::string_view text) {
  if (const auto words = allowed_words(row); !words.empty()) {
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end()) refuse(row, what, '"' + std::string(text) + '"');
    return static_cast<std::uint64_t>(found - words.begin());
  }
  const auto number = parse_number(text, row.kind != option_kind::key);
  if (!number || !in_range(row, *number)) refuse(row, what, '"' + std::string(text) + '"');
  return *number;
}

namespace {

std::string_view without_blanks(std::string_view text) noexcept {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

void complete_nodes(runtime_options& o) {
  if (!o.nodes) {
    o.nodes.emplace();
    const char* const text = std::getenv("TROUPE_NODES");
    for (std::string_view rest = text ? text : ""; !rest.empty();) {
      const auto end = std::min(rest.find(','), rest.size());
      if (const auto one = without_blanks(rest.substr(0, end)); !one.empty())
        o.nodes->emplace_back(one);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  if (o.key) return;
  const char* const path = std::getenv("TROUPE_KEY");
  o.key = path ? path : "";
}

}  // namespace

runtime_options complete(runtime_options o) {
  complete_nodes(o);
  for (const auto& row : rows) {
    if (row.kind == option_kind::text) continue;
    if (const auto given = row.get(o)) {
      if (in_range(row, *given)) continue;
      refuse(row, row.name,
             row.kind == option_kind::count ? std::to_string(static_cast<std::int64_t>(*given))
                                            : std::to_string(*given));
    }
    if (const char* text = std::getenv(row.variable); text && *text)
      row.set(o, parse_option(row, row.variable, text));
  }
  for (const auto& row : rows) {
    if (!row.get(o)) row.set(o, row.default_of(o));
  }
  return o;
}

}  // namespace troupe
