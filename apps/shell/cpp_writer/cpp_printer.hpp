// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/apps/shell/cpp_writer/cpp_naming.hpp"

namespace troupe::shell {

/// Writes the statements of a program, with names in place of marks.
class cpp_printer {
 public:
  cpp_printer(const cpp_context& c, const cpp_layout& layout, const cpp_naming& names)
      : c_(c), layout_(layout), names_(names) {}

  /// Lines without indentation of their own, of no more than `width` characters where that can be.
  std::vector<std::string> lines(const cpp_block& code, std::size_t width) const;
  /// What defines a function, on one line if its body has one.
  std::string definition(const cpp_instance& i) const {
    return i.text.empty() ? lambda(i, std::string::npos, true) : text(i.text, std::string::npos);
  }

 private:
  using lines_of_code = std::vector<std::string>;

  void print(lines_of_code& to, const cpp_item& item, std::size_t width) const;
  void print_functions(lines_of_code& to, const cpp_item& item, std::size_t width) const;
  void print_result(lines_of_code& to, const cpp_item& item, std::size_t width) const;
  void print_compound(lines_of_code& to, const cpp_item& item, std::size_t width) const;
  std::string declaration(int entity) const;
  std::string assignment(int entity, const std::string& text, bool declares) const;
  std::string text(std::string_view marked, std::size_t width) const;
  std::string lambda(const cpp_instance& i, std::size_t width, bool short_form) const;
  std::string text_of_one_line(const cpp_instance& i) const;
  std::string captures(const cpp_instance& i) const;

  const cpp_context& c_;
  const cpp_layout& layout_;
  const cpp_naming& names_;
  mutable const cpp_instance* function_ = nullptr;
};

}  // namespace troupe::shell
