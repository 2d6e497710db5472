// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/language/evaluator/arguments.hpp"
#include "troupe/language/evaluator/dynamic_value.hpp"

namespace troupe::language {

/// Kind of a parameter.
enum class parameter_kind : std::uint8_t {
  array,    ///< an array, or a number, list of numbers or range that becomes one
  operand,  ///< an array or a number that takes its dtype from the arrays
  arrays,   ///< a list of arrays
  several,  ///< arrays: one list, or all that follow
  row,      ///< the same, but one alone is a list, also where an array could stand
  number,
  integer,
  integers,  ///< one or a list of them
  flag,      ///< true or false
  axis,      ///< an integer
  axes,      ///< an integer or a list of them
  sizes,     ///< of axes: one list, or so many integers
  shape,     ///< sizes of axes: one integer or a list
  pair,      ///< for height and width: an integer or two
  triple,    ///< for depth, height and width: an integer or three
  dtype,
  device,
  text,
  function,
  list,
  any
};

struct parameter {
  std::string_view name;
  parameter_kind kind;
  std::string_view fallback;  ///< default, as written in the language; empty: it is needed

  bool needed() const noexcept { return fallback.empty(); }
};

/// Built-in function of the language.
struct word {
  std::string_view name;
  std::string_view group;
  /// "x, axis: axes = none, keepdims: flag = false": those without a kind are arrays.
  std::string_view signature;
  std::string_view doc;
  dynamic_value (*call)(const arguments& given);
  std::string_view cpp = {};  ///< its name in C++, where that differs
  int operation = -1;         ///< the number of an elementwise operation
  std::vector<parameter> parameters = {};
};

/// Returns "an array", "an integer", ...
std::string_view kind_name(parameter_kind k) noexcept;

/// Returns all words, by name.
std::span<const word> all_words();
/// Returns the groups, in the order in which help shows them.
std::span<const std::string_view> word_groups() noexcept;
const word* find_word(std::string_view name);

/// Returns a signature: "sum(x, axis=none, keepdims=false)"
std::string usage(const word& w);

// By group.
std::vector<word> elementwise_words();
std::vector<word> adjoint_words();
std::vector<word> creation_words();
std::vector<word> dtype_words();
std::vector<word> random_words();
std::vector<word> reduction_words();
std::vector<word> order_words();
std::vector<word> statistics_words();
std::vector<word> shape_words();
std::vector<word> arranging_words();
std::vector<word> place_words();
std::vector<word> product_words();
std::vector<word> image_words();
std::vector<word> linalg_words();
std::vector<word> fft_words();
std::vector<word> gradient_words();
std::vector<word> direction_words();
std::vector<word> batch_words();
std::vector<word> program_words();
std::vector<word> update_words();
std::vector<word> file_words();
std::vector<word> text_words();
std::vector<word> waiting_words();
std::vector<word> standard_words();
/// Adds the words that have other names in the array API standard under these, too.
void add_second_names(std::vector<word>& all);

/// Returns the text with a to z in place of A to Z.
std::string in_lower_case(std::string_view text);

/// Returns "; did you mean sum?" for a misspelt word, if one of these is near, begins with it or
/// differs in case only; else "".
std::string suggestion(std::string_view misspelt, const std::vector<std::string_view>& words);

/// Returns the same, but "; did you mean :quit?" and the like for names that other shells and
/// Python have for something that is called otherwise here.
std::string suggestion_for_name(std::string_view name, const std::vector<std::string_view>& words);

/// Returns `x.T`, `x.shape` and so on. Nothing if the array has no such attribute.
std::optional<dynamic_value> attribute_of(const tensor& x, std::string_view name, caller where);

struct attribute_row {
  std::string_view name;
  std::string_view doc;
};
std::span<const attribute_row> all_attributes() noexcept;

}  // namespace troupe::language
