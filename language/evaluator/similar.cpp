// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/word.hpp"

#include <algorithm>
#include <optional>

#include "troupe/text/edit_distance.hpp"

namespace troupe::language {

namespace {

constexpr std::size_t longest_word = 64;       // comparing takes quadratic time
constexpr std::size_t shortest_beginning = 3;  // of a word that is not written to its end

/// A name from another shell, or Python, and what stands for it here.
struct habit {
  std::string_view name;
  std::string_view here;
};
constexpr std::string_view no_module = "sum(x), with nothing in front";
constexpr habit habits[] = {{"quit", ":quit"},    {"exit", ":quit"},    {"help", ":help"},
                            {"clear", ":reset"},  {"seed", ":seed 3"},  {"range", "0:3"},
                            {"np", no_module},    {"numpy", no_module}, {"nd", no_module},
                            {"torch", no_module}, {"math", no_module}};

/// Returns the number of letters of a word that may be wrong.
std::size_t most_wrong(std::size_t letters) noexcept {
  return letters <= 3 ? 1 : letters <= 6 ? 2 : 3;
}

/// Returns the distance of a candidate from a misspelt word: one wrong letter ranks before a longer
/// word with the same beginning, and that before more wrong letters. Nothing if it is too far.
std::optional<std::size_t> rank(std::string_view misspelt, std::string_view candidate) {
  const auto most = most_wrong(misspelt.size());
  const bool goes_on = misspelt.size() >= shortest_beginning && candidate.starts_with(misspelt);
  const bool near =
      candidate.size() <= misspelt.size() + most && misspelt.size() <= candidate.size() + most;
  const auto wrong = near ? edit_distance(misspelt, candidate) : most + 1;
  const bool misspelling = wrong <= most && wrong < misspelt.size();
  if (goes_on) return misspelling && wrong == 1 ? 1 : 3;
  if (misspelling) return 2 * wrong;
  return {};
}

/// Returns the nearest of the words; empty if none is near.
std::string_view most_similar(std::string_view misspelt,
                              const std::vector<std::string_view>& words) {
  std::string_view best;
  std::size_t least = 0;
  for (const auto one : words) {
    if (one == misspelt || one.size() > longest_word) continue;
    const auto here = rank(misspelt, one);
    if (!here) continue;
    const bool better = *here < least || (*here == least && one.size() < best.size());
    if (!best.empty() && !better) continue;
    least = *here;
    best = one;
  }
  return best;
}

/// Returns the first of the words that differs in case only; empty if none does.
std::string_view in_other_case(std::string_view misspelt,
                               const std::vector<std::string_view>& words) {
  const auto folded = in_lower_case(misspelt);
  for (const auto one : words) {
    if (one.size() == misspelt.size() && one != misspelt && in_lower_case(one) == folded)
      return one;
  }
  return "";
}

std::string question(std::string_view guess) {
  return guess.empty() ? "" : "; did you mean " + std::string(guess) + "?";
}

}  // namespace

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (auto& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string suggestion(std::string_view misspelt, const std::vector<std::string_view>& words) {
  if (misspelt.size() > longest_word) return "";
  auto best = in_other_case(misspelt, words);
  if (best.empty()) best = most_similar(misspelt, words);
  return question(best);
}

std::string suggestion_for_name(std::string_view name, const std::vector<std::string_view>& words) {
  for (const auto& [habitual, here] : habits) {
    if (habitual == name) return question(here);
  }
  return suggestion(name, words);
}

}  // namespace troupe::language
