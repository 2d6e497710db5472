// SPDX-License-Identifier: MIT
#include "troupe/links/lent_memory.hpp"

#include <openssl/crypto.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <iterator>
#include <string>

#include "troupe/tasks/byte_stream.hpp"

namespace troupe {

namespace {

bool of_this_user(pid_t process) {
  struct stat its {};
  return ::stat(("/proc/" + std::to_string(process)).c_str(), &its) == 0 &&
         its.st_uid == ::geteuid();
}

}  // namespace

std::vector<std::byte> lent_memory::card() const {
  std::vector<std::byte> out;
  byte_writer to(out);
  to.put(static_cast<std::uint32_t>(::getpid()));
  to.put(reinterpret_cast<std::uint64_t>(proof_.data()));
  return out;
}

void lent_memory::end() noexcept {
  ::OPENSSL_cleanse(proof_.data(), proof_.size());
  // Nothing that is freed behind this is written before.
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

std::optional<lender> lender::of(std::span<const std::byte> card) {
  byte_reader in(card);
  const auto process = static_cast<pid_t>(in.get<std::uint32_t>());
  const auto place = in.get<std::uint64_t>();
  if (in.left() > 0) throw bytes_error("a card that is too long");
  if (process <= 0 || process == ::getpid() || !of_this_user(process)) return std::nullopt;
  return lender(process, place);
}

bool lender::try_to_read(std::uint64_t address, std::span<std::byte> to) const noexcept {
  secret_key::digest found;
  const iovec here[] = {{to.data(), to.size()}, {found.data(), found.size()}};
  const iovec there[] = {{reinterpret_cast<void*>(address), to.size()},
                         {reinterpret_cast<void*>(place_), found.size()}};
  const auto n = ::process_vm_readv(process_, here, std::size(here), there, std::size(there), 0);
  return n == static_cast<ssize_t>(to.size() + found.size()) && equal_secretly(found, proof_);
}

void lender::read(std::uint64_t address, std::span<std::byte> to) const {
  if (try_to_read(address, to)) return;
  if (lends()) throw unreadable_memory();
  throw bytes_error("its memory is not lent any more");
}

}  // namespace troupe
