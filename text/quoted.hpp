// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Text from a file or a user on one line of a message: in quotes, as on_one_line() has it, and cut
/// after 64 bytes.
std::string quoted(std::string_view text);

/// The text as a terminal may be given it: control characters as `\x0a`, those beyond ASCII too,
/// and so each byte that is not UTF-8.
std::string on_one_line(std::string_view text);

/// The text as a JSON string, in quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

}  // namespace troupe
