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

  /// The two ends of a connection.
  enum class end { calling, called };
  end own_end() const noexcept { return side_ == side::node ? end::called : end::calling; }
  end other_end() const noexcept { return side_ == side::node ? end::calling : end::called; }
  /// Proof that one end writes into its memory as the other one challenges it, known to both: it is
  /// another one for each connection, end and challenge.
  secret_key::digest memory_proof(end of, std::span<const std::byte> challenge) const;

 private:
  side side_, who_ = side::node;
  secret_key key_;
  secret_key::digest mine_ = fresh_nonce(), other_ = {};
  int steps_left_;
};

}  // namespace troupe
