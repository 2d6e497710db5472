// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/file_call.hpp"

#include <system_error>

#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Control characters as \x0a.
std::string on_one_line(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    if (!is_control(c)) {
      out += c;
      continue;
    }
    const auto code = static_cast<unsigned char>(c);
    out += {'\\', 'x', digits[code >> 4], digits[code & 15]};
  }
  return out;
}

}  // namespace

file_call file_call::inside(std::string_view part) const {
  return {what, path + ": " + quoted(part), call_site};
}

void file_call::fail(std::string_view facts) const {
  throw error(std::string(what) + ": " + on_one_line(path.empty() ? "\"\"" : path) + ": " +
                  std::string(facts),
              call_site);
}

void file_call::fail(std::string_view facts, int error_number) const {
  fail(std::string(facts) + ": " + std::generic_category().message(error_number));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 64;
  if (text.size() <= most) return '"' + on_one_line(text) + '"';
  auto end = most;  // not in the middle of a character of several bytes
  while (end > most - 4 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return '"' + on_one_line(text.substr(0, end)) + "...\"";
}

std::string count_text(std::uint64_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

}  // namespace troupe
