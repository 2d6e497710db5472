// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Writes seconds for people: "1.23 s", "4.56 ms", "7.89 us", "12 ns".
std::string duration_text(double seconds);

/// Writes bytes for people: "12 B", "3.4 KiB", "5.6 MiB", up to PiB.
std::string bytes_text(double bytes);

/// Writes "1 byte", "5 bytes".
std::string count_text(std::uint64_t count, std::string_view thing);

}  // namespace troupe
