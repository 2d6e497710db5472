// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "troupe/links/secret_key.hpp"

namespace troupe {

// Two processes on one machine need no network for the bytes of a value: one reads them where they
// lie in the other's memory (process_vm_readv), if the system lets it. Who lends says which process
// it is. To prove that, and not to let others be read in its name, it writes into its memory what
// only it can know, of a challenge:
//
//     lender  card: process, place ------------------> reader
//     lender  <------------------------- challenge     reader
//     lender  the proof lies at that place ----------> reader, which finds it there
//
// The proof is read again behind all that is lent, and taken away before any of it is freed.

/// The system does not let this process read what another one lends it.
class unreadable_memory final : public std::runtime_error {
 public:
  unreadable_memory() : std::runtime_error("its memory cannot be read") {}
};

/// Memory of this process that the other side of a connection may read.
class lent_memory {
 public:
  lent_memory() noexcept = default;
  lent_memory(const lent_memory&) = delete;
  lent_memory& operator=(const lent_memory&) = delete;
  ~lent_memory() { end(); }

  /// This process, as uint32, and the place of its proof, as uint64.
  std::vector<std::byte> card() const;
  void prove(const secret_key::digest& proof) noexcept { proof_ = proof; }
  /// Takes the proof away: what was lent may be freed now.
  void end() noexcept;

 private:
  secret_key::digest proof_ = {};
};

/// The other side of a connection, if it is a process whose memory can be read here.
class lender {
 public:
  /// Returns none if the card is of no process of this user, or of this one. Throws bytes_error for
  /// what is no card.
  static std::optional<lender> of(std::span<const std::byte> card);

  /// Sets the proof that has to lie there.
  void expect(const secret_key::digest& proof) noexcept { proof_ = proof; }
  /// Returns true if it does.
  bool lends() const noexcept { return try_to_read(place_, {}); }
  /// Copies bytes from there. Throws unreadable_memory if the system does not, though they are
  /// lent, and bytes_error if they are not, any more.
  void read(std::uint64_t address, std::span<std::byte> to) const;

 private:
  lender(pid_t process, std::uint64_t place) noexcept : process_(process), place_(place) {}

  /// Copies bytes, then looks for the proof: if it is there, they were lent until then.
  bool try_to_read(std::uint64_t address, std::span<std::byte> to) const noexcept;

  pid_t process_;
  std::uint64_t place_;
  secret_key::digest proof_ = {};
};

}  // namespace troupe
