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

using context = std::unique_ptr<SSL_CTX, destroyed_by<::SSL_CTX_free>>;

void require(bool done) {
  if (done) return;
  ::ERR_clear_error();
  throw error("OpenSSL has no TLS 1.3 with a key that both sides share", {});
}

/// Puts the key that a connection has to prove, and returns its size; 0 if there is no room.
unsigned put_key(SSL* of, unsigned char* to, unsigned room) noexcept {
  const auto& key = *static_cast<const secret_key::digest*>(SSL_get_app_data(of));
  if (room < key.size()) return 0;
  std::memcpy(to, key.data(), key.size());
  return static_cast<unsigned>(key.size());
}

unsigned key_of_calling_end(SSL* of, const char*, char* name, unsigned longest, unsigned char* to,
                            unsigned room) {
  if (longest <= identity.size()) return 0;
  *std::ranges::copy(identity, name).out = '\0';
  return put_key(of, to, room);
}

unsigned key_of_called_end(SSL* of, const char* name, unsigned char* to, unsigned room) {
  return identity == name ? put_key(of, to, room) : 0;
}

/// OpenSSL's callbacks for a key mean one for TLS_AES_128_GCM_SHA256.
context new_context(const SSL_METHOD* method) {
  context all(::SSL_CTX_new(method));
  require(all && ::SSL_CTX_set_min_proto_version(all.get(), TLS1_3_VERSION) == 1 &&
          ::SSL_CTX_set_ciphersuites(all.get(), "TLS_AES_128_GCM_SHA256") == 1 &&
          ::SSL_CTX_set_num_tickets(all.get(), 0) == 1);
  return all;
}

}  // namespace

struct tls_settings::state {
  context calling = new_context(::TLS_client_method()), called = new_context(::TLS_server_method());
};

tls_settings::tls_settings() {
  keep_openssl();
  require(::OPENSSL_init_ssl(0, nullptr) == 1);
  state_ = std::make_unique<state>();
  ::SSL_CTX_set_psk_client_callback(state_->calling.get(), key_of_calling_end);
  ::SSL_CTX_set_psk_server_callback(state_->called.get(), key_of_called_end);
  // A called end that does not know the key could still show a certificate: none is good.
  ::SSL_CTX_set_verify(state_->calling.get(), SSL_VERIFY_PEER, nullptr);
}

tls_settings::~tls_settings() = default;

struct tls_channel::state {
  secret_key::digest key;
  std::unique_ptr<SSL, destroyed_by<::SSL_free>> connection = {};
  BIO *arrived = nullptr, *leaving = nullptr;  ///< of the connection
  std::vector<std::byte> early = {};           ///< to be sent once there is a way to encrypt it

  void write(std::span<const std::byte> plain);
  std::string reason() const;
};

/// Says what is wrong with what has arrived.
std::string tls_channel::state::reason() const {
  const auto code = ::ERR_get_error();
  ::ERR_clear_error();
  switch (ERR_GET_REASON(code)) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_HTTPS_PROXY_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
    case SSL_R_UNSUPPORTED_PROTOCOL: return "it does not speak TLS 1.3";
    case SSL_R_BINDER_DOES_NOT_VERIFY:
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
    case SSL_R_NO_SHARED_CIPHER:
    case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM:
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
    case SSL_R_SSLV3_ALERT_ILLEGAL_PARAMETER:
    case SSL_R_TLSV1_ALERT_DECRYPT_ERROR: return "it has another key";
    default: break;
  }
  const char* const text = ::ERR_reason_error_string(code);
  return std::string("TLS: ") + (text ? text : "the connection is broken");
}

void tls_channel::state::write(std::span<const std::byte> plain) {
  std::size_t written = 0;
  if (!plain.empty() && ::SSL_write_ex(connection.get(), plain.data(), plain.size(), &written) != 1)
    throw bytes_error(reason());
}

/// A key of its own is derived for this, so that no proof of the key that is made elsewhere tells
/// of it.
tls_channel::tls_channel(const tls_settings& with, end which, const secret_key& key)
    : state_(std::make_unique<state>(key.sign("TLS 1.3 of troupe", {}, {}))) {
  const auto& contexts = *with.state_;
  auto& ssl = state_->connection;
  ssl.reset(::SSL_new((which == end::calling ? contexts.calling : contexts.called).get()));
  state_->arrived = ::BIO_new(::BIO_s_mem());
  state_->leaving = ::BIO_new(::BIO_s_mem());
  if (!ssl || !state_->arrived || !state_->leaving) {
    ::BIO_free(state_->arrived);
    ::BIO_free(state_->leaving);
    require(false);
  }
  ::SSL_set_bio(ssl.get(), state_->arrived, state_->leaving);
  SSL_set_app_data(ssl.get(), &state_->key);
  if (which == end::called) {
    ::SSL_set_accept_state(ssl.get());
    return;
  }
  ::SSL_set_connect_state(ssl.get());
  const int first = ::SSL_do_handshake(ssl.get());  // what it says first is to leave
  require(::SSL_get_error(ssl.get(), first) == SSL_ERROR_WANT_READ);
}

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
  if (!::SSL_is_init_finished(ssl)) return;
  // OpenSSL calls a session that came of a shared key reused.
  if (::SSL_session_reused(ssl) != 1) throw bytes_error("it has another key");
  state_->write(std::exchange(state_->early, {}));
}

void tls_channel::seal(std::span<const std::byte> plain) {
  if (::SSL_is_init_finished(state_->connection.get())) state_->write(plain);
  else append_bytes(state_->early, plain);
}

void tls_channel::take_sealed(std::vector<char>& to) {
  const auto size = ::BIO_ctrl_pending(state_->leaving);
  if (size == 0) return;
  const auto before = to.size();
  to.resize(before + size);
  std::size_t taken = 0;
  ::BIO_read_ex(state_->leaving, to.data() + before, size, &taken);
  to.resize(before + taken);
}

}  // namespace troupe
