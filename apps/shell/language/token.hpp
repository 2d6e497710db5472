// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/apps/shell/language/text_span.hpp"

namespace troupe::shell {

enum class token_kind { end, newline, integer, real, text, name, output, sign };

/// Token of the language: `matmul`, `2.5`, `"w.npy"`, `_3`, `**`.
struct token {
  token_kind kind = token_kind::end;
  std::string_view text;  ///< as it stands in the input, quotes included
  text_span span;

  bool is(std::string_view sign_or_keyword) const noexcept {
    return (kind == token_kind::sign || kind == token_kind::name) && text == sign_or_keyword;
  }
};

}  // namespace troupe::shell
