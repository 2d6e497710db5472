// SPDX-License-Identifier: MIT
#pragma once

// For clang-tidy 14, which reads the standard library of GCC 12 but lacks the builtin that its
// <source_location> asks for.
#if defined(__clang__) && __clang_major__ < 16
#include <cstdint>

namespace std {
struct source_location {  // as large as the one that it stands for
  static constexpr source_location current(const char* file = __builtin_FILE()) noexcept {
    source_location here;
    here.file_ = file;
    return here;
  }
  constexpr uint_least32_t line() const noexcept { return 0; }
  constexpr uint_least32_t column() const noexcept { return 0; }
  constexpr const char* file_name() const noexcept { return file_; }
  constexpr const char* function_name() const noexcept { return ""; }

 private:
  const char* file_ = "";
};
}  // namespace std
#endif
