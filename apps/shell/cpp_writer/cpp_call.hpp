// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"

namespace troupe::shell {

struct cpp_named_value {
  std::string_view name;
  cpp_value value;
};

/// The arguments of one call of a word, each with the parameter that it is for.
class cpp_arguments {
 public:
  cpp_arguments(cpp_context& c, const word& of, std::vector<cpp_value> given,
                std::vector<cpp_named_value> named, std::source_location where);

  cpp_context& context() const noexcept { return c_; }
  const word& of() const noexcept { return of_; }
  std::source_location where() const noexcept { return where_; }
  std::size_t count() const noexcept { return values_.size(); }
  bool has(std::size_t i) const noexcept { return values_[i].has_value(); }
  const cpp_value& operator[](std::size_t i) const { return *values_[i]; }

  /// An argument as C++ takes it; what stands for none if it is left out.
  cpp_value text(std::size_t i) const;
  /// Arguments from the first on, as far as they are given but at least so many.
  std::vector<cpp_value> texts(std::size_t from, std::size_t to, std::size_t least = 0) const;
  /// The name of a file, which has to be known.
  const std::string& known_text(std::size_t i) const;
  bool draws() const noexcept;
  [[noreturn]] void refuse(const std::string& facts) const;

 private:
  void bind(std::vector<cpp_value> given, std::vector<cpp_named_value> named);
  void put_in_order();
  bool is_single(const cpp_value& x) const;
  std::string naming(std::size_t i) const;
  cpp_value sizes(const cpp_value& x) const;
  cpp_value axes(const cpp_value& x) const;
  cpp_value pair(const cpp_value& x) const;
  cpp_value arrays(const cpp_value& x) const;

  cpp_context& c_;
  const word& of_;
  std::source_location where_;
  std::vector<std::optional<cpp_value>> values_;
};

/// A call of a function of the language.
cpp_value cpp_call_word(cpp_context& c, const word& w, std::vector<cpp_value> given,
                        std::vector<cpp_named_value> named, std::source_location where);

// Those whose C++ differs in more than a name, by group; nothing for the others.
std::optional<cpp_value> cpp_call_make(const cpp_arguments& a);
std::optional<cpp_value> cpp_call_shape(const cpp_arguments& a);
std::optional<cpp_value> cpp_call_image(const cpp_arguments& a);
std::optional<cpp_value> cpp_call_file(const cpp_arguments& a);

/// "{.dtype = float64, .device = cpu(1)}", or a dtype alone as it is, unless it has to be `braced`;
/// empty for neither.
std::string cpp_options(const cpp_arguments& a, std::size_t dtype, std::size_t device,
                        bool braced = false);

}  // namespace troupe::shell
