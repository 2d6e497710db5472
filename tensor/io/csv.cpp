// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/csv.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <new>
#include <type_traits>

#include "troupe/tensor/io/csv_fields.hpp"
#include "troupe/tensor/io/input_file.hpp"
#include "troupe/tensor/io/number_field.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe {

namespace {

/// Positions of the columns to read, of lines with `width` fields.
std::vector<std::size_t> chosen_columns(const std::vector<int>& wanted, std::size_t width,
                                        const file_call& call) {
  std::vector<std::size_t> out;
  const auto count = static_cast<std::int64_t>(width);
  for (const int column : wanted) {
    const auto place = column < 0 ? column + count : column;
    if (place < 0 || place >= count)
      call.fail("there is no column " + std::to_string(column) + ": the first line has " +
                count_text(width, "field"));
    out.push_back(static_cast<std::size_t>(place));
  }
  if (wanted.empty())
    for (std::size_t i = 0; i < width; ++i) out.push_back(i);
  return out;
}

bool is_number(std::string_view field) noexcept {
  bool truth;
  double number;
  return read_number(field, truth) == number_problem::none ||
         read_number(field, number) != number_problem::not_a_number;
}

/// Whether a line names the columns: there is text, and no number.
bool is_header(const std::vector<std::string_view>& fields,
               const std::vector<std::size_t>& columns) {
  return std::ranges::none_of(columns, [&](auto c) { return is_number(fields[c]); }) &&
         std::ranges::any_of(columns, [&](auto c) { return !fields[c].empty(); });
}

template <class T>
T missing_number(const csv_options& options, const file_call& call) {
  const auto number = *options.missing;
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(number);
  constexpr double beyond = std::is_same_v<T, bool> ? 2 : 0x1p31 * (sizeof(T) == 8 ? 0x1p32 : 1);
  const double least = std::is_same_v<T, bool> ? 0 : -beyond;
  if (!(number >= least && number < beyond) || std::trunc(number) != number)
    call.fail(std::to_string(number) + ", which stands for empty fields, is no " +
              std::string(name(options.dtype)));
  return static_cast<T>(number);
}

/// The numbers of all lines.
template <class T>
class number_reader {
 public:
  // std::vector<bool> is no array of bool.
  using element = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

  number_reader(std::string_view text, const csv_options& options, const file_call& call)
      : in_(text, options.delimiter, call), options_(options), call_(call) {
    if (options.missing) missing_ = missing_number<T>(options, call);
    for (int i = 0; i < options.skip_rows.value_or(0); ++i) in_.skip_line();
    if (!in_.next_line()) call.fail("has no numbers");
    width_ = in_.fields().size();
    columns_ = chosen_columns(options.columns, width_, call);
    bool more = true;
    if (!options.skip_rows && is_header(in_.fields(), columns_)) more = in_.next_line();
    if (!more) call.fail("has no numbers after the names of its columns");
    // A number takes two characters, so hardly any text makes this too much.
    numbers_.reserve(std::min(text.size() / 2 + 1, text.size() / 6 + columns_.size()));
    for (; more; more = in_.next_line()) read_line();
  }

  tensor finish() const {
    const auto count = static_cast<std::int64_t>(numbers_.size());
    const auto columns = static_cast<std::int64_t>(columns_.size());
    return from_bytes(numbers_.data(), dtype_of<T>(), count, {count / columns, columns},
                      {.dtype = options_.dtype, .device = options_.device}, call_.call_site);
  }

 private:
  void read_line() {
    const auto& fields = in_.fields();
    if (fields.size() != width_)
      call_.fail("line " + std::to_string(in_.line()) + " has " +
                 count_text(fields.size(), "field") + ", and the first has " +
                 std::to_string(width_));
    for (const auto column : columns_) numbers_.push_back(read_field(fields[column], column));
  }

  element read_field(std::string_view text, std::size_t column) const {
    T out{};
    if (text.empty() && options_.missing) return static_cast<element>(missing_);
    auto problem = read_number(text, out);
    if (std::isfinite(static_cast<double>(out)) && overflows(static_cast<double>(out)))
      problem = number_problem::out_of_range;
    if (problem == number_problem::none) [[likely]]
      return static_cast<element>(out);
    const auto facts = text.empty() ? std::string("is empty")
                       : problem == number_problem::not_a_number
                           ? quoted(text) + " is no " + std::string(name(options_.dtype))
                           : quoted(text) + " does not fit " + std::string(name(options_.dtype));
    call_.fail("line " + std::to_string(in_.line()) + ", column " + std::to_string(column + 1) +
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
  std::size_t width_ = 0;
  std::vector<std::size_t> columns_;
  std::vector<element> numbers_;
};

void check(const csv_options& options, const file_call& call) {
  if (options.skip_rows.value_or(0) < 0)
    call.fail("skip_rows is " + std::to_string(*options.skip_rows));
  const char c = options.delimiter;
  if (std::isalnum(static_cast<unsigned char>(c)) || c == '\0' ||
      std::string_view("\"+-.\n\r").find(c) != std::string_view::npos)
    call.fail("the delimiter cannot be " + quoted({&c, 1}));
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
    return visit_computed(options.dtype, [&](auto zero) {
      return number_reader<decltype(zero)>({text.get(), size}, options, call).finish();
    });
  } catch (const std::bad_alloc&) { call.fail_without_memory(); }
}

}  // namespace troupe
