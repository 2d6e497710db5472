// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The secret that machines share: whoever proves it may use their devices.
class secret_key {
 public:
  using digest = std::array<std::byte, 32>;
  static constexpr std::size_t fewest_bytes = 16, most_bytes = 4096;

  explicit secret_key(std::vector<std::byte> bytes) noexcept : bytes_(std::move(bytes)) {}
  /// Reads the whole file, without the end of its last line. Throws troupe::error if it cannot be
  /// read, is too short or long, or if others than its owner may read it.
  static secret_key from_file(const std::string& path, std::source_location call_site);

  /// HMAC-SHA256 (RFC 2104) of these texts, one behind the other.
  digest sign(std::string_view role, std::span<const std::byte> first,
              std::span<const std::byte> second) const;

 private:
  std::vector<std::byte> bytes_;
};

/// Lets OpenSSL, if nobody has used it yet, not end by itself when the process does: networks in
/// static storage may end later.
void keep_openssl() noexcept;

/// Returns true if both are equal, in a time that does not tell where they differ.
bool equal_secretly(std::span<const std::byte> a, std::span<const std::byte> b) noexcept;

/// 32 random bytes from the system.
secret_key::digest fresh_nonce();

}  // namespace troupe
