// SPDX-License-Identifier: MIT
#include "troupe/links/handshake.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "troupe/tasks/byte_stream.hpp"

namespace troupe {

namespace {

// The number behind the name is the version of the protocol.
constexpr std::string_view greeting = "troupe-6";
constexpr std::byte tls_record{0x16};  // that opens one's connection
constexpr std::size_t opening_bytes = greeting.size() + 32, proof_bytes = 32;

}  // namespace

handshake::handshake(side of, secret_key key)
    : side_(of), key_(std::move(key)), steps_left_(of == side::node ? 2 : 1) {}

std::vector<std::byte> handshake::opening() const {
  std::vector<std::byte> out;
  if (side_ == side::node) return out;
  append_bytes(out, std::as_bytes(std::span(greeting)));
  append_bytes(out, mine_);
  return out;
}

std::size_t handshake::expects() const noexcept {
  if (steps_left_ == 0) return 0;
  if (side_ != side::node) return opening_bytes + proof_bytes;
  return steps_left_ == 2 ? opening_bytes : proof_bytes;
}

std::vector<std::byte> handshake::take(std::span<const std::byte> bytes) {
  if (steps_left_ == 0 || bytes.size() != expects())
    throw bytes_error("too many bytes, or too few");
  std::vector<std::byte> answer;
  if (bytes.size() >= opening_bytes) {
    const auto name = bytes.first(greeting.size());
    if (bytes[0] == tls_record) throw bytes_error("it wants TLS, which is off here");
    if (!std::ranges::equal(name, std::as_bytes(std::span(greeting))))
      throw bytes_error("it does not speak this protocol, or not this version of it");
    std::ranges::copy(bytes.subspan(greeting.size(), other_.size()), other_.begin());
  }
  if (side_ == side::node && steps_left_ == 2) {
    append_bytes(answer, std::as_bytes(std::span(greeting)));
    append_bytes(answer, mine_);
    append_bytes(answer, key_.sign("node", other_, mine_));
  } else {
    const auto proves = [&](const char* role) {
      return equal_secretly(bytes.last(proof_bytes), key_.sign(role, mine_, other_));
    };
    if (side_ == side::node) who_ = proves("owner") ? side::owner : side::peer;
    if (!proves(side_ != side::node ? "node" : who_ == side::owner ? "owner" : "peer"))
      throw bytes_error("it has another key");
    if (side_ != side::node)
      append_bytes(answer, key_.sign(side_ == side::owner ? "owner" : "peer", other_, mine_));
  }
  --steps_left_;
  return answer;
}

secret_key::digest handshake::memory_proof(end of, std::span<const std::byte> challenge) const {
  std::vector<std::byte> nonces;
  append_bytes(nonces, own_end() == end::calling ? mine_ : other_);
  append_bytes(nonces, own_end() == end::calling ? other_ : mine_);
  return key_.sign(of == end::calling ? "memory of the caller" : "memory of the called", nonces,
                   challenge);
}

}  // namespace troupe
