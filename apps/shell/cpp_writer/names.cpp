// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/apps/shell/language/lexer.hpp"
#include "troupe/apps/shell/language/syntax_error.hpp"

namespace troupe::shell::cpp {

namespace {

/// Keywords and macros of C++, and what programs use of the library that is no word of the
/// language. Each stands between blanks.
constexpr std::string_view reserved =
    " alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char char16_t "
    "char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval "
    "constexpr constinit continue decltype default delete do double dynamic_cast else enum errno "
    "explicit export extern false float for friend goto if inline int linux long main mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private protected public register "
    "requires restrict return short signed sizeof static static_assert static_cast stderr stdin "
    "stdout struct switch template this thread_local throw true try typedef typeid typename union "
    "unix unsigned using virtual void volatile wchar_t while xor xor_eq EOF NULL NAN INFINITY "
    "HUGE_VAL axes bfloat16 boolean device dtype every float16 float32 float64 floored_remainder "
    "index int32 int64 item keepdims list_text load_csv load_idx load_npy load_npz "
    "load_safetensors newaxis now numbers_text on_device pair_text range real_text rt runtime "
    "save_npy save_npz save_safetensors scalar shape sizes_text std stddev tensor ticks troupe "
    "whole_power whole_quotient whole_remainder with_seed ";

std::size_t count(std::string_view text, std::string_view name) {
  const auto all = tokenise(text);
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const token& t) {
    return t.kind == token_kind::name && t.text == name;
  }));
}

}  // namespace

bool is_reserved(std::string_view name) {
  return reserved.find(" " + std::string(name) + " ") != std::string_view::npos || find_word(name);
}

writer::writer(symbol_table& symbols, std::string_view source)
    : symbols_(symbols), all_text_(source) {}

/// The variable, or nothing. A function uses those of the functions around it and of main.
const value* writer::find(symbol name) {
  for (auto* f = frame_; f; f = f->around) {
    if (const auto found = f->variables.find(name); found != f->variables.end()) {
      use_of(f);
      return &found->second;
    }
  }
  const auto found = main_.variables.find(name);
  if (found == main_.variables.end()) return nullptr;
  use_of(&main_);
  return &found->second;
}

/// Notes that the functions within the owner of a variable capture it.
void writer::use_of(const frame* owner) {
  for (auto* f = frame_; f && f != owner; f = f->around) f->captures = true;
}

/// A name that no variable has, nor one of an input that comes later.
std::string writer::unused_name(std::string_view base) {
  std::string name(base);
  const auto taken = [&] {
    return is_reserved(name) || names_.count(name) > 0 || kept_names_.count(name) > 0;
  };
  for (int i = is_reserved(name) ? 1 : 2; taken(); ++i) {
    do name = std::string(base) + "_" + std::to_string(i);
    while (count(all_text_, name) > 0 && ++i > 0);
  }
  names_.insert(name);
  return name;
}

/// A constant that holds what an expression computes, declared at a line or here.
value writer::fresh(std::string_view base, const value& x, std::optional<std::size_t> line) {
  if (type_of(x.is).empty() || x.variable || x.constant) return x;
  const auto name = unused_name(base);
  insert(*frame_, line.value_or(frame_->lines.size()),
         "const " + std::string(type_of(x.is)) + " " + name + " = " + typed(x) + ";",
         frame_->indent);
  return {.is = x.is, .text = name, .variable = true};
}

void writer::emit(const std::string& text) {
  insert(*frame_, frame_->lines.size(), text, frame_->indent);
}

/// Writes text in front of a line, and returns how many lines that made.
std::size_t writer::insert(frame& f, std::size_t at, const std::string& text, int indent) {
  const auto before = f.lines.size();
  const std::string margin(static_cast<std::size_t>(indent) * 2, ' ');
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    f.lines.insert(f.lines.begin() + static_cast<std::ptrdiff_t>(at++),
                   margin + text.substr(begin, end - begin));
    begin = end + 1;
  }
  return f.lines.size() - before;
}

void writer::count_device(const std::optional<scalar>& index) noexcept {
  if (!index) cpu_devices_ = 0;
  else if (cpu_devices_ > 0)
    cpu_devices_ =
        std::max(cpu_devices_, static_cast<int>(std::clamp(index->real(), 0.0, 63.0)) + 1);
}

/// Writes a declaration in front of the outermost statement.
void writer::emit_before(frame& f, const std::string& text) {
  f.statement += insert(f, f.statement, text, 0);
}

/// The statements of main.
std::string writer::text() const {
  std::string out;
  for (const auto& line : main_.lines) {
    if (!line.empty()) out += "  " + line + "\n";
  }
  return out;
}

std::size_t writer::mentions(std::string_view text, symbol name) const {
  return count(text, symbols_.name(name));
}

}  // namespace troupe::shell::cpp
