// SPDX-License-Identifier: MIT
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "troupe/links/handshake.hpp"
#include "troupe/links/tls_channel.hpp"
#include "troupe/tasks/byte_stream.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/nodes/tested_nodes.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using troupe::testing::error_of;
using troupe::testing::key_in;
using troupe::testing::set_variable;
using troupe::testing::tested_nodes;

namespace {

using bytes = std::vector<std::byte>;

bytes bytes_of(std::string_view text) {
  const auto all = std::as_bytes(std::span(text));
  return {all.begin(), all.end()};
}

std::string text_of(const bytes& from) {
  return {reinterpret_cast<const char*>(from.data()), from.size()};
}

/// Two ends, and what each has understood.
struct tested_channel {
  explicit tested_channel(std::string_view callers = "a key of some bytes",
                          std::string_view called_ones = "a key of some bytes")
      : calling(settings, tls_channel::end::calling, secret_key(bytes_of(callers))),
        called(settings, tls_channel::end::called, secret_key(bytes_of(called_ones))) {}

  static bytes leaving(tls_channel& from) {
    std::vector<char> out;
    from.take_sealed(out);
    return bytes_of({out.data(), out.size()});
  }
  /// Carries everything in pieces of a size.
  void carry(std::size_t piece = 1 << 20) {
    for (bool moved = true; std::exchange(moved, false);) {
      for (auto [from, to, heard] : {std::tuple(&calling, &called, &at_called),
                                     std::tuple(&called, &calling, &at_calling)}) {
        const auto all = leaving(*from);
        for (std::size_t i = 0; i < all.size(); i += piece)
          to->open(std::span(all).subspan(i, std::min(piece, all.size() - i)), *heard);
        moved = moved || !all.empty();
      }
    }
  }

  tls_settings settings;
  tls_channel calling, called;
  bytes at_calling, at_called;
};

/// An end of TLS that does not know the key and shows a certificate of its own making.
class impostor {
 public:
  impostor() {
    REQUIRE(key_);
    ::X509_set_version(shown_.get(), 2);
    ::X509_gmtime_adj(::X509_getm_notBefore(shown_.get()), -60);
    ::X509_gmtime_adj(::X509_getm_notAfter(shown_.get()), 3600);
    REQUIRE(::X509_set_pubkey(shown_.get(), key_.get()) == 1);
    REQUIRE(::X509_sign(shown_.get(), key_.get(), ::EVP_sha256()) > 0);
    REQUIRE(::SSL_CTX_use_certificate(settings_.get(), shown_.get()) == 1);
    REQUIRE(::SSL_CTX_use_PrivateKey(settings_.get(), key_.get()) == 1);
    connection_.reset(::SSL_new(settings_.get()));
    arrived_ = ::BIO_new(::BIO_s_mem());
    leaving_ = ::BIO_new(::BIO_s_mem());
    ::SSL_set_bio(connection_.get(), arrived_, leaving_);
    ::SSL_set_accept_state(connection_.get());
  }

  /// Takes what was said, and returns its answer.
  bytes answer(const bytes& said) {
    ::BIO_write(arrived_, said.data(), static_cast<int>(said.size()));
    char some[1000];
    for (int n = 1; n > 0;) {
      n = ::SSL_read(connection_.get(), some, sizeof some);
      if (n > 0) read.append(some, static_cast<std::size_t>(n));
    }
    bytes out(::BIO_ctrl_pending(leaving_));
    if (!out.empty()) ::BIO_read(leaving_, out.data(), static_cast<int>(out.size()));
    return out;
  }

  std::string read;

 private:
  template <auto destroy>
  struct destroyed_by {
    template <class T>
    void operator()(T* x) const {
      destroy(x);
    }
  };

  std::unique_ptr<SSL_CTX, destroyed_by<::SSL_CTX_free>> settings_{
      ::SSL_CTX_new(::TLS_server_method())};
  std::unique_ptr<EVP_PKEY, destroyed_by<::EVP_PKEY_free>> key_{::EVP_EC_gen("P-256")};
  std::unique_ptr<X509, destroyed_by<::X509_free>> shown_{::X509_new()};
  std::unique_ptr<SSL, destroyed_by<::SSL_free>> connection_;
  BIO *arrived_ = nullptr, *leaving_ = nullptr;  // of the connection
};

/// A node in this process with TLS or without, what it logs, and the settings of its owner.
struct tested_pair {
  explicit tested_pair(bool node_has, bool owner_has)
      : far({.lanes = 1, .tls = node_has}),
        server(far, {.listen = "127.0.0.1:0",
                     .key = key,
                     .log =
                         [this](const std::string& line) {
                           const std::lock_guard lock(mutex);
                           lines += line + '\n';
                         }}),
        owner{.lanes = 1,
              .tls = owner_has,
              .nodes = std::vector{"127.0.0.1:" + std::to_string(server.port())},
              .key = key} {}

  /// Returns true once the log is that a stranger was turned away for this reason.
  bool logs(const std::string& why) {
    return troupe::testing::comes_true([&] {
      const std::lock_guard lock(mutex);
      return lines.starts_with("a stranger at 127.0.0.1:") &&
             lines.ends_with(" was turned away: " + why + '\n') &&
             std::ranges::count(lines, '\n') == 1;
    });
  }

  troupe::testing::temporary_folder folder;
  std::string key = key_in(folder, "key", "0123456789abcdef0123456789abcdef\n");
  std::mutex mutex;
  std::string lines;
  runtime far;
  node_server server;
  runtime_options owner;
};

bool same(const tensor& a, const tensor& b) { return array_equal(a, b).item<bool>(); }

}  // namespace

TEST_CASE("what goes over TLS arrives as it was, in pieces of any size, and is not to be read") {
  const auto piece = GENERATE(std::size_t{1}, std::size_t{7}, std::size_t{1} << 20);
  tested_channel both;
  const std::string secret = "what nobody else may read";
  both.calling.seal(bytes_of(secret));  // before there is a way to encrypt it
  both.carry(piece);
  CHECK(text_of(both.at_called) == secret);
  both.called.seal(bytes_of(secret));
  const auto carried = tested_channel::leaving(both.called);
  CHECK(text_of(carried).find("nobody") == std::string::npos);
  both.calling.open(carried, both.at_calling);
  CHECK(text_of(both.at_calling) == secret);

  std::string much(3'000'000, ' ');
  for (std::size_t i = 0; i < much.size(); ++i) much[i] = static_cast<char>(i * i >> 7);
  both.at_called.clear();
  both.calling.seal(bytes_of(much));
  both.carry(piece);
  CHECK(text_of(both.at_called) == much);
}

TEST_CASE("TLS with another key is refused by both sides") {
  tested_channel both("a key of some bytes", "another key of bytes");
  CHECK_THROWS_WITH(both.called.open(tested_channel::leaving(both.calling), both.at_called),
                    "it has another key");
  const auto reason = tested_channel::leaving(both.called);
  REQUIRE(!reason.empty());
  CHECK_THROWS_WITH(both.calling.open(reason, both.at_calling), "it has another key");
  both.calling.seal(bytes_of("a secret"));
  CHECK(tested_channel::leaving(both.calling).empty());
}

TEST_CASE("an impostor with a certificate, who does not know the key, reads nothing") {
  tested_channel both;
  both.calling.seal(bytes_of("a secret"));
  impostor other;
  const auto answer = other.answer(tested_channel::leaving(both.calling));
  REQUIRE(answer.size() > 200);  // it goes on as if there were no key
  CHECK_THROWS_WITH(both.calling.open(answer, both.at_calling), "it has another key");
  other.answer(tested_channel::leaving(both.calling));
  CHECK(other.read.empty());
  CHECK(both.at_calling.empty());
}

TEST_CASE("a byte of TLS that was changed, left out or sent again ends the connection") {
  const auto kind = GENERATE(0, 1, 2);
  std::size_t size = 1;
  for (std::size_t place = 0; place < size; ++place) {
    tested_channel both;
    both.carry();
    both.calling.seal(bytes_of("a secret"));
    auto carried = tested_channel::leaving(both.calling);
    size = carried.size();
    if (kind == 0) carried[place] ^= std::byte{0x40};
    if (kind == 1) carried.erase(carried.begin() + static_cast<std::ptrdiff_t>(place));
    if (kind == 2) {
      both.called.open(carried, both.at_called);
      both.at_called.clear();
    }
    std::string why;
    try {
      both.called.open(carried, both.at_called);
      both.calling.seal(bytes(40'000));  // what claims to be longer waits for more
      both.called.open(tested_channel::leaving(both.calling), both.at_called);
    } catch (const bytes_error& e) { why = e.what(); }
    CHECK(both.at_called.empty());
    CHECK(why.find('\n') == std::string::npos);
    CHECK(!why.empty());
  }
}

TEST_CASE("anything else than TLS, of any length, is refused or waited for") {
  std::mt19937 random(1);
  for (int i = 0; i < 2'000; ++i) {
    INFO("round " << i);
    tested_channel both;
    bytes sent(random() % 600);
    for (auto& b : sent) b = static_cast<std::byte>(random());
    if (i % 3 == 0) {  // as TLS begins
      sent = tested_channel::leaving(both.calling);
      for (auto n = random() % 3 + 1; n > 0; --n)
        sent[random() % sent.size()] = static_cast<std::byte>(random());
    }
    try {
      both.called.open(sent, both.at_called);
    } catch (const bytes_error& e) {
      CHECK(std::string_view(e.what()).find('\n') == std::string_view::npos);
    }
    CHECK(both.at_called.empty());
  }
  tested_channel both;
  CHECK_THROWS_WITH(both.called.open(bytes_of("troupe-3 and what belongs to it"), both.at_called),
                    "it does not speak TLS 1.3");
}

TEST_CASE("a node with TLS computes what others compute") {
  tested_pair all(true, true);
  runtime rt(all.owner);
  const auto far = cpu(0, node(1));
  const auto x = normal({1000, 1000});
  CHECK(same(x.to(far).to(cpu()), x));
  auto y = x.to(far);
  for (int i = 0; i < 200; ++i) y = y + 1;
  auto wanted = x;
  for (int i = 0; i < 200; ++i) wanted = wanted + 1;
  CHECK(same(y.to(cpu()), wanted));
}

TEST_CASE("TLS on one side only is told of on both, in one line") {
  {
    tested_pair all(true, false);
    const auto text = error_of([&] { const runtime rt(all.owner); });
    CHECK(text.find("is no node for this key: the other side closed the connection, perhaps since "
                    "one has TLS and one has not") != std::string::npos);
    CHECK(all.logs("it does not speak TLS 1.3"));
  }
  tested_pair all(false, true);
  const auto text = error_of([&] { const runtime rt(all.owner); });
  CHECK(text.find("perhaps since one has TLS and one has not") != std::string::npos);
  CHECK(all.logs("it wants TLS, which is off here"));
}

TEST_CASE("an owner with TLS and another key is turned away") {
  tested_pair all(true, true);
  all.owner.key = key_in(all.folder, "other", "another key of some bytes");
  const auto text = error_of([&] { const runtime rt(all.owner); });
  CHECK(text.find("is no node for this key: it has another key") != std::string::npos);
  CHECK(all.logs("it has another key"));
}

TEST_CASE("values go from node to node over TLS, and one node may be lost") {
  const set_variable tls("TROUPE_TLS", "1");
  const std::string lends = GENERATE("0", "1");
  const set_variable lent("TROUPE_LENT_MEMORY", lends);
  tested_nodes n(3);
  runtime rt(n.options);
  const auto x = normal({500, 1000});
  const auto there = x.to(cpu(0, node(1))) * 2;
  const auto beside = there.to(cpu(0, node(2))) + 1;
  CHECK(same(beside.to(cpu()), x * 2 + 1));
  n.all[1]->send(SIGKILL);
  CHECK(same((beside * 3).to(cpu()), (x * 2 + 1) * 3));
}
