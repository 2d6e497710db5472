// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "troupe/links/secret_key.hpp"

namespace troupe {

/// The first bytes of a connection, in which each side proves that it knows the key. Nothing else
/// is read before. Each proof covers a fresh nonce of the other side, and the side that made it:
///
///     owner  greeting, nonce a --------------------------------> node
///     owner  <--- greeting, nonce b, HMAC(key, "node" + a + b)   node
///     owner  HMAC(key, "owner" + b + a) -----------------------> node
///
/// A node that brings values to another one takes the owner's part, and signs as "peer".
class handshake {
 public:
  enum class side { owner, node, peer };

  handshake(side of, secret_key key);

  /// The bytes that this side sends first.
  std::vector<std::byte> opening() const;
  /// The number of bytes to take next; 0 when both sides have proved the key.
  std::size_t expects() const noexcept;
  /// Takes these bytes of the other side, and returns what to send. Throws bytes_error, which says
  /// in one line what is wrong with them.
  std::vector<std::byte> take(std::span<const std::byte> bytes);
  /// The other side, once it has proved the key.
  side other() const noexcept { return who_; }

 private:
  side side_, who_ = side::node;
  secret_key key_;
  secret_key::digest mine_ = fresh_nonce(), other_ = {};
  int steps_left_;
};

}  // namespace troupe
