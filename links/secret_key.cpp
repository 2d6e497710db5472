// SPDX-License-Identifier: MIT
#include "troupe/links/secret_key.hpp"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

class open_file {
 public:
  explicit open_file(const char* path) noexcept
      : fd_(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

/// Returns true if the access list of a file lets nobody but its owner and this process's user in.
/// The group's part of the mode is then the mask of the list. See acl(5); the layout is that of
/// Linux's <linux/posix_acl_xattr.h>.
bool listed_for_this_user_only(int fd) noexcept {
  struct entry {
    std::uint16_t tag, permissions;
    std::uint32_t id;
  };
  enum : std::uint16_t { owner = 1, user = 2, mask = 16 };
  constexpr std::size_t head = 4, most = 64;
  std::array<std::byte, head + most * sizeof(entry)> list;
  const auto size = ::fgetxattr(fd, "system.posix_acl_access", list.data(), list.size());
  if (size <= static_cast<ssize_t>(head)) return false;
  for (std::size_t at = head; at + sizeof(entry) <= static_cast<std::size_t>(size);
       at += sizeof(entry)) {
    entry one;
    std::memcpy(&one, list.data() + at, sizeof one);
    if (one.permissions == 0 || one.tag == owner || one.tag == mask) continue;
    if (one.tag != user || one.id != ::geteuid()) return false;
  }
  return true;
}

}  // namespace

secret_key secret_key::from_file(const std::string& path, std::source_location call_site) {
  const auto refuse = [&](const std::string& why) {
    return error("the key file \"" + path + "\" " + why, call_site);
  };
  if (path.empty())
    throw error("nodes need a key file: the option key, or TROUPE_KEY, names it", call_site);
  const open_file file(path.c_str());
  struct stat about {};
  if (file.fd() < 0 || ::fstat(file.fd(), &about) != 0)
    throw refuse("cannot be read: " + std::generic_category().message(errno));
  if (!S_ISREG(about.st_mode)) throw refuse("is no file");
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0 && !listed_for_this_user_only(file.fd()))
    throw refuse("may be read by others than its owner: chmod 600 \"" + path + '"');
  const auto refuse_size = [&](std::size_t size) {
    return refuse("has " + std::to_string(size) + " bytes, not " + std::to_string(fewest_bytes) +
                  " to " + std::to_string(most_bytes));
  };
  if (const auto size = static_cast<std::size_t>(about.st_size); size > most_bytes + 2)
    throw refuse_size(size);
  std::vector<std::byte> bytes(most_bytes + 2);
  const auto count = ::read(file.fd(), bytes.data(), bytes.size());
  if (count < 0) throw refuse("cannot be read: " + std::generic_category().message(errno));
  bytes.resize(static_cast<std::size_t>(count));
  while (!bytes.empty() && (bytes.back() == std::byte{'\n'} || bytes.back() == std::byte{'\r'}))
    bytes.pop_back();
  if (bytes.size() < fewest_bytes || bytes.size() > most_bytes) throw refuse_size(bytes.size());
  return secret_key(std::move(bytes));
}

secret_key::digest secret_key::sign(std::string_view role, std::span<const std::byte> first,
                                    std::span<const std::byte> second) const {
  std::vector<std::byte> text;
  for (const auto part : {std::as_bytes(std::span(role)), first, second})
    text.insert(text.end(), part.begin(), part.end());
  keep_openssl();
  digest out;
  unsigned size = 0;
  const auto* const data = reinterpret_cast<const unsigned char*>(text.data());
  if (!::HMAC(::EVP_sha256(), bytes_.data(), static_cast<int>(bytes_.size()), data, text.size(),
              reinterpret_cast<unsigned char*>(out.data()), &size) ||
      size != out.size())
    throw error("OpenSSL computes no HMAC-SHA256", {});
  return out;
}

void keep_openssl() noexcept { ::OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr); }

bool equal_secretly(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  return a.size() == b.size() && ::CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

secret_key::digest fresh_nonce() {
  secret_key::digest out;
  for (std::size_t have = 0; have < out.size();) {
    const auto more = ::getrandom(out.data() + have, out.size() - have, 0);
    if (more > 0) have += static_cast<std::size_t>(more);
    else if (errno != EINTR)
      throw error("the system has no random numbers: " + std::generic_category().message(errno),
                  {});
  }
  return out;
}

}  // namespace troupe
