// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Whether bytes are UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// Appends a character, which is no surrogate and not beyond U+10FFFF.
void append_utf8(std::string& text, std::uint32_t character);

}  // namespace troupe
