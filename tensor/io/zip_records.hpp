// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// Records of zip files, after PKWARE's APPNOTE 6.3.10. Numbers are little-endian, as on this
// machine.

namespace troupe {

inline constexpr std::uint32_t zip_local_header = 0x04034b50, zip_central_header = 0x02014b50,
                               zip_end = 0x06054b50, zip64_end = 0x06064b50,
                               zip64_locator = 0x07064b50;
/// Sizes in bytes of the fixed parts of the records.
inline constexpr std::size_t zip_local_size = 30, zip_central_size = 46, zip_end_size = 22,
                             zip64_end_size = 56, zip64_locator_size = 20;
/// Marks in the place of numbers that only fit the fields of 64 bits.
inline constexpr std::uint32_t zip_in_64_bits = 0xffffffff;
inline constexpr std::uint16_t zip_count_in_64_bits = 0xffff;
inline constexpr std::uint16_t zip64_extra = 1;
inline constexpr std::uint16_t zip_stored = 0, zip_deflated = 8;
inline constexpr std::uint16_t zip_encrypted = 1, zip_utf8_name = 1 << 11;

/// Returns the number at a position of a record.
template <class T>
T number_at(std::string_view record, std::size_t position) noexcept {
  T out;
  std::memcpy(&out, record.data() + position, sizeof out);
  return out;
}

/// Appends numbers to a record.
template <class... T>
void append_numbers(std::string& record, T... numbers) {
  (record.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
}

}  // namespace troupe
