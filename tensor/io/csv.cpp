// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/csv.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <new>
#include <type_traits>

#include "troupe/tensor/io/byte_source.hpp"
#include "troupe/tensor/io/csv_fields.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe {

namespace {

/// Column to read, and its place in a row of the tensor.
struct chosen_column {
  std::size_t column, position;
};

/// Returns the chosen columns of lines with `width` fields from left to right; none if all are
/// read.
std::vector<chosen_column> chosen_columns(const std::vector<int>& wanted, std::size_t width,
                                          const file_call& call) {
  std::vector<chosen_column> out;
  const auto count = static_cast<std::int64_t>(width);
  for (const int column : wanted) {
    const auto from_left = column < 0 ? column + count : column;
    if (from_left < 0 || from_left >= count)
      call.fail("there is no column " + std::to_string(column) + ": the first line has " +
                count_text(width, "field"));
    out.push_back({static_cast<std::size_t>(from_left), out.size()});
  }
  std::ranges::stable_sort(out, {}, &chosen_column::column);
  return out;
}

bool is_number(std::string_view field) noexcept {
  bool truth;
  double number;
  return read_number(field, truth) == number_problem::none ||
         read_number(field, number) != number_problem::not_a_number;
}

/// Returns the number that stands for empty fields. Throws if it is none of the dtype.
template <class T>
T missing_number(const csv_options& options, const file_call& call) {
  const auto number = *options.missing;
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(number);
  const bool fits =
      std::is_same_v<T, bool> ? number == 0 || number == 1 : scalar(number).fits(dtype_of<T>());
  if (!fits || std::trunc(number) != number)
    call.fail(std::to_string(number) + ", which stands for empty fields, is no " +
              std::string(name(options.dtype)));
  return static_cast<T>(number);
}

/// Numbers of all lines.
template <class T>
class number_reader {
 public:
  // std::vector<bool> is no array of bool.
  using element = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

  number_reader(std::string_view text, const csv_options& options, const file_call& call)
      : in_(text, options.delimiter, options.comment, call), options_(options), call_(call) {
    if (options.missing) missing_ = missing_number<T>(options, call);
    for (int i = 0; i < options.skip_rows.value_or(0); ++i) in_.skip_line();
    if (!in_.next_line()) call.fail("has no numbers");
    auto ahead = in_;
    width_ = rest_of_line(ahead);
    columns_ = chosen_columns(options.columns, width_, call);
    numbers_in_row_ = columns_.empty() ? width_ : columns_.size();
    if (!options.skip_rows && is_header()) {
      in_ = ahead;
      if (!in_.next_line()) call.fail("has no numbers after the names of its columns");
    }
    // A number and its delimiter take two characters, most take six.
    numbers_.reserve(std::min(text.size() / 2 + 1, text.size() / 6 + numbers_in_row_));
    do read_line();
    while (in_.next_line());
  }

  tensor finish() const {
    const auto count = static_cast<std::int64_t>(numbers_.size());
    const auto columns = static_cast<std::int64_t>(numbers_in_row_);
    return from_bytes(numbers_.data(), dtype_of<T>(), count, {count / columns, columns},
                      {.dtype = options_.dtype, .device = options_.device}, call_.call_site);
  }

 private:
  /// Takes the fields that are left in a line, and returns the number of all its fields.
  static std::size_t rest_of_line(csv_fields& in) {
    while (in.next_field()) {}
    return in.taken();
  }

  /// Returns true for a line that names the columns: there is text in those to read, and no number.
  bool is_header() const {
    auto in = in_;
    auto next = columns_.begin();
    bool text = false;
    while (const auto field = in.next_field()) {
      const auto column = in.taken() - 1;
      while (next != columns_.end() && next->column < column) ++next;
      if (!columns_.empty() && (next == columns_.end() || next->column != column)) continue;
      if (is_number(*field)) return false;
      text = text || !field->empty();
    }
    return text;
  }

  void read_line() {
    const auto row = numbers_.size();
    if (!columns_.empty()) numbers_.resize(row + columns_.size());
    auto next = columns_.begin();
    while (const auto field = in_.next_field()) {
      if (columns_.empty()) {
        if (in_.taken() <= width_) numbers_.push_back(read_field(*field));
        continue;
      }
      for (; next != columns_.end() && next->column == in_.taken() - 1; ++next)
        numbers_[row + next->position] = read_field(*field);
    }
    check_width(in_.taken());
  }

  void check_width(std::size_t fields) const {
    if (fields != width_)
      call_.fail("line " + std::to_string(in_.line()) + " has " + count_text(fields, "field") +
                 ", and the first has " + std::to_string(width_));
  }

  element read_field(std::string_view text) const {
    T out{};
    if (text.empty() && options_.missing) return static_cast<element>(missing_);
    auto problem = read_number(text, out);
    if (std::isfinite(static_cast<double>(out)) && overflows(static_cast<double>(out)))
      problem = number_problem::out_of_range;
    if (problem == number_problem::none) [[likely]]
      return static_cast<element>(out);
    auto line = in_;
    check_width(rest_of_line(line));  // a field too few or too many explains more
    const auto facts = text.empty() ? std::string("is empty")
                       : problem == number_problem::not_a_number
                           ? quoted(text) + " is no " + std::string(name(options_.dtype))
                           : quoted(text) + " does not fit " + std::string(name(options_.dtype));
    call_.fail("line " + std::to_string(in_.line()) + ", column " + std::to_string(in_.taken()) +
               ": " + facts);
  }

  bool overflows(double x) const noexcept {
    return (options_.dtype == float16 && !std::isfinite(float{float16_t(x)})) ||
           (options_.dtype == bfloat16 && !std::isfinite(float{bfloat16_t(x)}));
  }

  csv_fields in_;
  const csv_options& options_;
  const file_call& call_;
  T missing_{};
  std::size_t width_ = 0, numbers_in_row_ = 0;
  std::vector<chosen_column> columns_;  // none: all
  std::vector<element> numbers_;
};

void check(const csv_options& options, const file_call& call) {
  if (options.skip_rows.value_or(0) < 0)
    call.fail("skip_rows is " + std::to_string(*options.skip_rows));
  if (is_complex(options.dtype)) call.fail("no complex numbers are read from text");
  check_delimiter(options.delimiter, call);
}

}  // namespace

tensor load_csv(const std::string& path, const csv_options& options, caller where) {
  const file_call call{"load_csv", path, where};
  try {
    check(options, call);
    const input_file file(call);
    const auto size = static_cast<std::size_t>(file.size());
    const auto text = std::make_unique_for_overwrite<char[]>(size);
    file.read(0, text.get(), size);
    return visit(options.dtype, [&]<class T>(T) {
      using read = std::conditional_t<is_floating(dtype_of<T>()) && sizeof(T) == 2, double, T>;
      return number_reader<read>({text.get(), size}, options, call).finish();
    });
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

}  // namespace troupe
