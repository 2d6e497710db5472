// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <caf/io/broker.hpp>
#include <caf/io/network/multiplexer.hpp>

#include "troupe/links/lent_memory.hpp"
#include "troupe/links/network.hpp"
#include "troupe/links/tls_channel.hpp"
#include "troupe/tasks/byte_stream.hpp"

namespace troupe {

/// The broker's side of all connections. All but `post` and `end_soon` runs on the network's
/// thread.
class network::hub : public std::enable_shared_from_this<hub> {
 public:
  /// Throws troupe::error if TLS is asked for, and OpenSSL has it not.
  hub(caf::io::network::multiplexer& thread, bool tls);

  /// Runs a function on the network's thread. Returns false if that is about to end.
  template <class Function>
  bool post(Function f) {
    const std::lock_guard lock(posting_);
    if (thread_) thread_->post(std::move(f));
    return thread_ != nullptr;
  }
  /// Ends all connections, then the broker; `ended` is called behind that. Nothing else is posted.
  void end_soon(const std::function<void()>& ended);

  caf::behavior start(caf::io::broker* self);

  /// Hears of the connection, once both sides have proved the key, or why there is none.
  using result = std::function<void(std::shared_ptr<connection>, const std::string& why)>;

  void add_calling_side(handshake::side who, int socket, const secret_key& key,
                        const welcome& greet, const result& tell);
  /// Listens, and sets `port`. Returns the reason why it cannot; empty if it does.
  std::string add_doorman(const network_address& at, const secret_key& key, welcome greet, log to,
                          std::uint16_t& port);

 private:
  using clock = std::chrono::steady_clock;

  struct peer {
    handshake shake;
    welcome greet;
    log to = {};
    std::string from = {};  ///< the address of who called
    result tell = {};
    std::shared_ptr<connection> link = {};
    std::shared_ptr<frame_receiver> receiver = {};
    std::optional<tls_channel> tls = {};
    std::vector<std::byte> opened = {};   ///< by it, and not yet taken
    std::size_t wanted = 0;               ///< the number of bytes that are taken next
    std::optional<frame_kind> body = {};  ///< the kind of the frame whose body comes next
    std::optional<lender> lends = {};     ///< the other side, if it seems to be on this machine
    bool reads = false;                   ///< it has proved that it lends
    bool challenged = false;              ///< by the other side
    std::size_t unsent = 0;
    clock::time_point began = clock::now(), last_heard = began, last_sent = began;
  };
  struct door {
    secret_key key;
    welcome greet;
    log to;
  };

  /// From nobody: a message of the broker's own that its end leaves unread would keep it alive.
  void look_later();
  void look_at_all();

  peer& add(caf::io::connection_handle h, handshake::side side, const secret_key& key,
            const welcome& greet);
  void want(caf::io::connection_handle h, peer& p, std::size_t bytes);
  std::string why_closed(caf::io::connection_handle h) const;
  void accept(const caf::io::new_connection_msg& m);
  /// Makes room for a newcomer, who may be an owner: proofs take milliseconds, so who has waited
  /// longest goes.
  void end_surplus_stranger();
  void take(const caf::io::new_data_msg& m);
  /// Takes what has come over TLS, which has its own pieces.
  void take_sealed(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes);
  void take_wanted(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes);
  void take_handshake(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes);
  void take_header(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes);
  void take_body(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes);
  void take_frame(peer& p, frame_kind kind, std::span<const std::byte> body);
  void take_card(peer& p, std::span<const std::byte> card) const;
  void take_challenge(peer& p, std::span<const std::byte> challenge) const;
  static void take_proof(peer& p);
  /// Takes a frame whose bytes lie in the other side's memory.
  void take_lent(peer& p, byte_reader in);

  /// Gives the socket of what is to be sent, as long as little waits there.
  void pump(caf::io::connection_handle h);
  /// Writes these bytes, and what TLS itself has to say.
  void write(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes);
  void end(caf::io::connection_handle h, const std::string& why);
  void end_all(const std::function<void()>& ended);
  void forget(caf::io::connection_handle h, const std::string& why);

  std::mutex posting_;
  caf::io::network::multiplexer* thread_;  ///< null when it is about to end
  std::optional<tls_settings> tls_;
  std::vector<char> plain_;  ///< about to be encrypted
  bool lends_;               ///< processes on this machine may read each other's memory
  caf::io::broker* self_ = nullptr;
  clock::time_point last_look_ = clock::now();
  std::unordered_map<caf::io::connection_handle, peer> peers_;
  std::unordered_map<caf::io::accept_handle, door> doors_;
};

}  // namespace troupe
