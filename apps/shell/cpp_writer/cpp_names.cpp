// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_names.hpp"

#include <algorithm>
#include <array>

#include "troupe/apps/shell/evaluator/word.hpp"

namespace troupe::shell {

namespace {

constexpr auto keywords = std::to_array<std::string_view>(
    {"alignas",    "alignof",       "and",         "and_eq",    "asm",          "assert",
     "auto",       "bitand",        "bitor",       "bool",      "break",        "case",
     "catch",      "char",          "char16_t",    "char32_t",  "char8_t",      "class",
     "co_await",   "co_return",     "co_yield",    "compl",     "concept",      "const",
     "const_cast", "consteval",     "constexpr",   "constinit", "continue",     "decltype",
     "default",    "delete",        "do",          "double",    "dynamic_cast", "else",
     "enum",       "errno",         "explicit",    "export",    "extern",       "false",
     "float",      "for",           "friend",      "goto",      "if",           "inline",
     "int",        "linux",         "long",        "main",      "mutable",      "namespace",
     "new",        "noexcept",      "not",         "not_eq",    "nullptr",      "operator",
     "or",         "or_eq",         "private",     "protected", "public",       "register",
     "requires",   "restrict",      "return",      "short",     "signed",       "sizeof",
     "static",     "static_assert", "static_cast", "stderr",    "stdin",        "stdout",
     "struct",     "switch",        "template",    "this",      "thread_local", "throw",
     "true",       "try",           "typedef",     "typeid",    "typename",     "union",
     "unix",       "unsigned",      "using",       "virtual",   "void",         "volatile",
     "wchar_t",    "while",         "xor",         "xor_eq",    "EOF",          "NULL",
     "NAN",        "INFINITY",      "HUGE_VAL"});

/// What programs use of the library and their own that is no word of the language.
constexpr auto used = std::to_array<std::string_view>({"axes",
                                                       "bfloat16",
                                                       "boolean",
                                                       "device",
                                                       "dtype",
                                                       "every",
                                                       "float16",
                                                       "float32",
                                                       "float64",
                                                       "from_data",
                                                       "guard",
                                                       "index",
                                                       "int32",
                                                       "int64",
                                                       "keepdims",
                                                       "list_text",
                                                       "load_csv",
                                                       "load_idx",
                                                       "load_npy",
                                                       "load_npz",
                                                       "newaxis",
                                                       "now",
                                                       "numbers_text",
                                                       "on_device",
                                                       "range",
                                                       "real_text",
                                                       "rt",
                                                       "runtime",
                                                       "save_npy",
                                                       "save_npz",
                                                       "scalar",
                                                       "shape",
                                                       "sizes_text",
                                                       "std",
                                                       "stddev",
                                                       "tensor",
                                                       "ticks",
                                                       "troupe",
                                                       "whole_power",
                                                       "with_seed",
                                                       "load_safetensors",
                                                       "save_safetensors",
                                                       "whole_quotient",
                                                       "whole_remainder",
                                                       "floored_remainder"});

}  // namespace

bool is_reserved_in_cpp(std::string_view name) {
  return std::find(keywords.begin(), keywords.end(), name) != keywords.end() ||
         std::find(used.begin(), used.end(), name) != used.end() || find_word(name);
}

}  // namespace troupe::shell
