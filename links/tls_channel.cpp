// SPDX-License-Identifier: MIT
#include "troupe/links/tls_channel.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "troupe/tasks/byte_stream.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

constexpr std::string_view identity = "troupe";

template <auto destroy>
struct destroyed_by {
  template <class T>
  void operator()(T* x) const noexcept {
    destroy(x);
  }
};

void require(bool done) {
  if (!done) throw error("OpenSSL has no TLS 1.3 with a key that both sides share", {});
}

}  // namespace

struct tls_channel::state {
  secret_key::digest key;
  std::unique_ptr<SSL_CTX, destroyed_by<::SSL_CTX_free>> settings;
  std::unique_ptr<SSL, destroyed_by<::SSL_free>> connection;
  BIO *arrived = nullptr, *leaving = nullptr;  ///< of the connection
  std::vector<std::byte> early = {};           ///< to be sent once there is a way to encrypt it

  state(end which, const secret_key& shared);

  unsigned put_key(unsigned char* to, unsigned room) const noexcept {
    if (room < key.size()) return 0;
    std::memcpy(to, key.data(), key.size());
    return static_cast<unsigned>(key.size());
  }
  void write(std::span<const std::byte> plain);
  std::string reason() const;
};

/// A key of its own is derived for this, so that no proof of the key that is made elsewhere tells
/// of it. The callbacks of OpenSSL that take a key mean one for TLS_AES_128_GCM_SHA256.
tls_channel::state::state(end which, const secret_key& shared)
    : key(shared.sign("TLS 1.3 of troupe", {}, {})),
      settings(
          ::SSL_CTX_new(which == end::calling ? ::TLS_client_method() : ::TLS_server_method())) {
  auto* const all = settings.get();
  require(all && ::SSL_CTX_set_min_proto_version(all, TLS1_3_VERSION) == 1 &&
          ::SSL_CTX_set_ciphersuites(all, "TLS_AES_128_GCM_SHA256") == 1 &&
          ::SSL_CTX_set_num_tickets(all, 0) == 1);
  ::SSL_CTX_set_verify(all, SSL_VERIFY_NONE, nullptr);  // nobody has a certificate
  if (which == end::calling) {
    ::SSL_CTX_set_psk_client_callback(
        all,
        [](SSL* of, const char*, char* name, unsigned longest, unsigned char* to,
           unsigned room) -> unsigned {
          if (longest <= identity.size()) return 0;
          *std::ranges::copy(identity, name).out = '\0';
          return static_cast<const state*>(SSL_get_app_data(of))->put_key(to, room);
        });
  } else {
    ::SSL_CTX_set_psk_server_callback(
        all, [](SSL* of, const char* name, unsigned char* to, unsigned room) -> unsigned {
          if (identity != name) return 0;
          return static_cast<const state*>(SSL_get_app_data(of))->put_key(to, room);
        });
  }
  connection.reset(::SSL_new(all));
  arrived = ::BIO_new(::BIO_s_mem());
  leaving = ::BIO_new(::BIO_s_mem());
  if (!connection || !arrived || !leaving) {
    ::BIO_free(arrived);
    ::BIO_free(leaving);
    require(false);
  }
  ::SSL_set_bio(connection.get(), arrived, leaving);
  SSL_set_app_data(connection.get(), this);
  if (which == end::calling) {
    ::SSL_set_connect_state(connection.get());
    ::SSL_do_handshake(connection.get());  // its first bytes are to leave
  } else {
    ::SSL_set_accept_state(connection.get());
  }
  ::ERR_clear_error();
}

/// Says what is wrong with what has arrived.
std::string tls_channel::state::reason() const {
  const auto code = ::ERR_get_error();
  ::ERR_clear_error();
  const auto why = ERR_GET_REASON(code);
  if (why == SSL_R_WRONG_VERSION_NUMBER || why == SSL_R_HTTP_REQUEST ||
      why == SSL_R_HTTPS_PROXY_REQUEST || why == SSL_R_PACKET_LENGTH_TOO_LONG ||
      why == SSL_R_UNSUPPORTED_PROTOCOL)
    return "it does not speak TLS 1.3";
  if (!::SSL_is_init_finished(connection.get())) return "it has another key";
  const char* const text = ::ERR_reason_error_string(code);
  return std::string("TLS: ") + (text ? text : "the connection is broken");
}

void tls_channel::state::write(std::span<const std::byte> plain) {
  std::size_t written = 0;
  if (!plain.empty() && ::SSL_write_ex(connection.get(), plain.data(), plain.size(), &written) != 1)
    throw bytes_error(reason());
}

tls_channel::tls_channel(end which, const secret_key& key)
    : state_(std::make_unique<state>(which, key)) {}
tls_channel::tls_channel(tls_channel&&) noexcept = default;
tls_channel::~tls_channel() = default;

void tls_channel::open(std::span<const std::byte> bytes, std::vector<std::byte>& plain) {
  auto* const ssl = state_->connection.get();
  ::ERR_clear_error();
  std::size_t kept = 0;
  if (::BIO_write_ex(state_->arrived, bytes.data(), bytes.size(), &kept) != 1 ||
      kept != bytes.size())
    throw bytes_error("no memory is left for what arrives");
  std::array<std::byte, SSL3_RT_MAX_PLAIN_LENGTH> record;
  for (std::size_t size = 0; ::SSL_read_ex(ssl, record.data(), record.size(), &size) == 1;)
    append_bytes(plain, std::span(record).first(size));
  if (::SSL_get_error(ssl, 0) != SSL_ERROR_WANT_READ) throw bytes_error(state_->reason());
  if (::SSL_is_init_finished(ssl)) state_->write(std::exchange(state_->early, {}));
}

void tls_channel::seal(std::span<const std::byte> plain) {
  if (::SSL_is_init_finished(state_->connection.get())) state_->write(plain);
  else append_bytes(state_->early, plain);
}

void tls_channel::take_sealed(std::vector<char>& to) {
  char* bytes = nullptr;
  const auto size = BIO_get_mem_data(state_->leaving, &bytes);
  if (size <= 0) return;
  to.insert(to.end(), bytes, bytes + size);
  BIO_reset(state_->leaving);
}

}  // namespace troupe
