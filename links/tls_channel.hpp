// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "troupe/links/secret_key.hpp"

namespace troupe {

/// The settings of TLS that the connections of a network share.
class tls_settings {
 public:
  /// Throws troupe::error if OpenSSL has no TLS 1.3 with a key that both sides share.
  tls_settings();
  ~tls_settings();

 private:
  friend class tls_channel;
  struct state;
  std::unique_ptr<state> state_;
};

/// One end of TLS 1.3 (RFC 8446) over bytes that somebody else carries. Both ends have the same key
/// in place of certificates, and fresh Diffie-Hellman keys for each connection: who learns the key
/// later reads nothing that was recorded.
class tls_channel {
 public:
  enum class end { calling, called };

  /// Throws troupe::error if OpenSSL cannot.
  tls_channel(const tls_settings& with, end which, const secret_key& key);
  tls_channel(tls_channel&&) noexcept;
  ~tls_channel();

  /// Appends to `plain` what the bytes that arrived say. Throws bytes_error, which says in one line
  /// what is wrong with them: then the connection is to be ended, behind what `take_sealed` has.
  void open(std::span<const std::byte> arrived, std::vector<std::byte>& plain);
  /// Encrypts bytes, or keeps them until both ends have agreed on how to.
  void seal(std::span<const std::byte> plain);
  /// Appends to `to` the bytes that are to be carried to the other end.
  void take_sealed(std::vector<char>& to);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace troupe
