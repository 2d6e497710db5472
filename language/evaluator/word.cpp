// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/word.hpp"

#include <algorithm>
#include <array>

#include "troupe/language/syntax/lexer.hpp"

namespace troupe::language {

namespace {

struct kind_row {
  std::string_view code;  ///< in signatures
  std::string_view text;
};

// In the order of parameter_kind.
constexpr std::array<kind_row, 21> kinds = {
    {{"array", "an array"},
     {"operand", "an array or a number"},
     {"arrays", "a list of arrays"},
     {"several", "arrays, in a row or in a list"},
     {"row", "arrays, in a row or in a list"},
     {"number", "a number"},
     {"integer", "an integer"},
     {"integers", "an integer or a list of them"},
     {"flag", "true or false"},
     {"axis", "an axis"},
     {"axes", "one axis or a list of them"},
     {"sizes", "the sizes of the axes, in a row or in a list"},
     {"shape", "one size or a list of sizes"},
     {"pair", "one integer or two"},
     {"triple", "one integer or three"},
     {"dtype", "a dtype"},
     {"device", "a device"},
     {"text", "a text"},
     {"function", "a function"},
     {"list", "a list"},
     {"any", "any value"}}};

/// Removes the text up to a separator from the front and returns it.
std::string_view cut(std::string_view& text, std::string_view separator) noexcept {
  const auto at = text.find(separator);
  const auto head = text.substr(0, at);
  text = at == std::string_view::npos ? "" : text.substr(at + separator.size());
  return trimmed(head);
}

parameter parse_parameter(std::string_view text) {
  parameter p{cut(text, ":"), parameter_kind::array, ""};
  if (text.empty()) return p;
  const auto code = cut(text, "=");
  p.fallback = trimmed(text);
  const auto row =
      std::find_if(kinds.begin(), kinds.end(), [&](const kind_row& k) { return k.code == code; });
  p.kind = static_cast<parameter_kind>(row - kinds.begin());
  return p;
}

std::vector<word> collect() {
  std::vector<word> all;
  for (auto&& group : {creation_words(),  dtype_words(),    random_words(),     elementwise_words(),
                       reduction_words(), order_words(),    statistics_words(), shape_words(),
                       arranging_words(), product_words(),  image_words(),      linalg_words(),
                       fft_words(),       gradient_words(), direction_words(),  batch_words(),
                       adjoint_words(),   update_words(),   program_words(),    file_words(),
                       waiting_words(),   text_words(),     standard_words(),   place_words()})
    all.insert(all.end(), group.begin(), group.end());
  add_second_names(all);
  for (auto& w : all) {
    for (auto rest = w.signature; !rest.empty();)
      w.parameters.push_back(parse_parameter(cut(rest, ", ")));
  }
  std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace

std::string_view kind_name(parameter_kind k) noexcept {
  return kinds[static_cast<std::size_t>(k)].text;
}

std::span<const word> all_words() {
  static const auto& all = *new std::vector<word>(collect());
  return all;
}

std::span<const std::string_view> word_groups() noexcept {
  static constexpr std::string_view groups[] = {
      "make",     "random",  "elementwise", "reduce",  "order",     "shape",
      "products", "linalg",  "fft",         "images",  "gradients", "adjoint",
      "programs", "devices", "files",       "waiting", "text"};
  return groups;
}

const word* find_word(std::string_view name) {
  const auto all = all_words();
  const auto found = std::lower_bound(all.begin(), all.end(), name,
                                      [](const word& w, std::string_view n) { return w.name < n; });
  return found != all.end() && found->name == name ? &*found : nullptr;
}

std::string usage(const word& w) {
  std::string out(w.name);
  out += '(';
  for (const auto& p : w.parameters) {
    if (out.back() != '(') out += ", ";
    out += p.name;
    if (!p.needed()) out.append("=").append(p.fallback);
  }
  return out + ')';
}

}  // namespace troupe::language
