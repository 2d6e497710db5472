// SPDX-License-Identifier: MIT
#include "troupe/links/network_hub.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/io/middleman.hpp>
#include <caf/send.hpp>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "troupe/links/connected_socket.hpp"

namespace troupe {

namespace {

using namespace std::chrono_literals;

constexpr auto look_each = 50ms, heartbeat = 200ms, longest_silence = 900ms,
               longest_handshake = 5000ms;
constexpr std::size_t most_strangers = 64;
// Bytes that wait for the socket: it is given more when there are fewer than `refill`.
constexpr std::size_t most_unsent = std::size_t{4} << 20, refill = std::size_t{1} << 20;
// Bytes of TLS that are read at once, of strangers and of others.
constexpr std::size_t few_sealed = std::size_t{4} << 10, most_sealed = std::size_t{256} << 10;

struct look_at_clock {};

bool may_lend() {
  const char* const set = std::getenv("TROUPE_LENT_MEMORY");
  return !set || std::string_view(set) != "0";
}

std::string turned_away(const std::string& from, const std::string& why) {
  return "a stranger at " + from + " was turned away: " + why;
}

// CAF's handles are numbers of sockets.
int socket_of(caf::io::connection_handle h) { return static_cast<int>(h.id()); }

}  // namespace

}  // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::look_at_clock)

namespace troupe {

network::hub::hub(caf::io::network::multiplexer& thread, bool tls)
    : thread_(&thread), lends_(may_lend()) {
  if (tls) tls_.emplace();
}

void network::hub::end_soon(const std::function<void()>& ended) {
  const std::lock_guard lock(posting_);
  auto* const thread = std::exchange(thread_, nullptr);
  // A round later: CAF keeps a connection, and its socket, for good if it is made and ended in
  // the same round of its loop.
  thread->post(
      [h = shared_from_this(), thread, ended] { thread->post([h, ended] { h->end_all(ended); }); });
}

caf::behavior network::hub::start(caf::io::broker* self) {
  self_ = self;
  look_later();
  return {
      [this](const caf::io::new_connection_msg& m) { accept(m); },
      [this](caf::io::new_data_msg& m) { take(m); },
      [this](const caf::io::data_transferred_msg& m) {
        const auto found = peers_.find(m.handle);
        if (found == peers_.end()) return;
        found->second.unsent = m.remaining;
        if (m.remaining < refill) pump(m.handle);
      },
      [this](const caf::io::connection_closed_msg& m) { forget(m.handle, why_closed(m.handle)); },
      [](const caf::io::acceptor_closed_msg&) {},
      [this](look_at_clock) {
        if (!self_) return;
        look_later();
        look_at_all();
      },
  };
}

void network::hub::add_calling_side(handshake::side who, int socket, const secret_key& key,
                                    const welcome& greet, const result& tell) {
  if (!self_) {
    ::close(socket);
    return tell(nullptr, "the network has ended");
  }
  const auto scribe = self_->parent().backend().new_scribe(socket);
  self_->add_scribe(scribe);
  try {
    auto& p = add(scribe->hdl(), who, key, greet);
    p.tell = tell;
    write(scribe->hdl(), p, p.shake.opening());
  } catch (const std::exception& e) {
    peers_.erase(scribe->hdl());
    self_->close(scribe->hdl());
    tell(nullptr, e.what());
  }
}

std::string network::hub::add_doorman(const network_address& at, const secret_key& key,
                                      welcome greet, log to, std::uint16_t& port) {
  if (!self_) return "the network has ended";
  const auto made =
      self_->add_tcp_doorman(at.port, at.host.empty() ? nullptr : at.host.c_str(), true);
  if (!made) return self_->system().render(made.error());
  port = made->second;
  doors_.insert_or_assign(made->first, door{key, std::move(greet), std::move(to)});
  return {};
}

void network::hub::pump(caf::io::connection_handle h) {
  const auto found = peers_.find(h);
  if (found == peers_.end() || !found->second.link) return;
  auto& p = found->second;
  if (p.unsent >= most_unsent) return;
  auto& out = self_->wr_buf(h);
  const auto before = out.size();
  try {
    plain_.clear();
    auto& plain = p.tls ? plain_ : out;
    p.link->take(plain, most_unsent - p.unsent);
    if (p.tls) {
      p.tls->seal(std::as_bytes(std::span(plain)));
      p.tls->take_sealed(out);
    }
  } catch (const std::exception& e) { return end(h, e.what()); }
  if (out.size() == before) return;
  p.unsent += out.size() - before;
  p.last_sent = clock::now();
  self_->flush(h);
}

void network::hub::end(caf::io::connection_handle h, const std::string& why) {
  const auto found = peers_.find(h);
  if (self_ && found != peers_.end()) {
    // CAF would keep the socket, and the system's end would wait for it, until the other side has
    // read all that was written, which a process that was stopped never does. A stranger is sent
    // a few bytes, which the socket takes at once.
    if (found->second.link && self_->valid(h)) ::shutdown(socket_of(h), SHUT_RDWR);
    self_->close(h);
  }
  forget(h, why);
}

void network::hub::end_all(const std::function<void()>& ended) {
  while (!peers_.empty()) end(peers_.begin()->first, "this side has ended");
  doors_.clear();
  auto* const self = std::exchange(self_, nullptr);
  if (!self) return ended();
  self->attach_functor(ended);
  caf::anon_send_exit(caf::actor_cast<caf::actor>(self), caf::exit_reason::user_shutdown);
}

void network::hub::look_later() {
  caf::delayed_anon_send(caf::actor_cast<caf::actor>(self_), look_each, look_at_clock{});
}

network::hub::peer& network::hub::add(caf::io::connection_handle h, handshake::side side,
                                      const secret_key& key, const welcome& greet) {
  auto& p = peers_.emplace(h, peer{handshake(side, key), greet}).first->second;
  self_->ack_writes(h, true);
  if (tls_) {
    using end = tls_channel::end;
    p.tls.emplace(*tls_, side == handshake::side::node ? end::called : end::calling, key);
    self_->configure_read(h, caf::io::receive_policy::at_most(few_sealed));
  }
  want(h, p, p.shake.expects());
  return p;
}

void network::hub::want(caf::io::connection_handle h, peer& p, std::size_t bytes) {
  p.wanted = bytes;
  if (!p.tls) self_->configure_read(h, caf::io::receive_policy::exactly(bytes));
}

std::string network::hub::why_closed(caf::io::connection_handle h) const {
  const auto found = peers_.find(h);
  const bool known = found == peers_.end() || found->second.link;
  return std::string("the other side closed the connection") +
         (known                ? ""
          : found->second.tell ? ", perhaps since one has TLS and one has not"
                               : ", perhaps since it has another key or no TLS");
}

void network::hub::accept(const caf::io::new_connection_msg& m) {
  if (!self_) return;
  const auto found = doors_.find(m.source);
  if (found == doors_.end()) {
    self_->close(m.handle);
    return;
  }
  end_surplus_stranger();
  const auto& at = found->second;
  try {
    auto& p = add(m.handle, handshake::side::node, at.key, at.greet);
    p.to = at.to;
    p.from = other_end_of(socket_of(m.handle));
  } catch (const std::exception& e) {
    peers_.erase(m.handle);
    self_->close(m.handle);
    if (at.to) at.to(turned_away(other_end_of(socket_of(m.handle)), e.what()));
  }
}

void network::hub::end_surplus_stranger() {
  std::size_t strangers = 0;
  auto oldest = peers_.end();
  for (auto one = peers_.begin(); one != peers_.end(); ++one) {
    if (one->second.link) continue;
    ++strangers;
    if (oldest == peers_.end() || one->second.began < oldest->second.began) oldest = one;
  }
  if (strangers >= most_strangers)
    end(caf::io::connection_handle(oldest->first), "there are too many at once");
}

void network::hub::take(const caf::io::new_data_msg& m) {
  const auto found = peers_.find(m.handle);
  if (found == peers_.end()) return;
  auto& p = found->second;
  p.last_heard = clock::now();
  const auto bytes = std::as_bytes(std::span(m.buf));
  try {
    if (p.tls) take_sealed(m.handle, p, bytes);
    else take_wanted(m.handle, p, bytes);
  } catch (const std::exception& e) { end(m.handle, e.what()); }
}

void network::hub::take_sealed(caf::io::connection_handle h, peer& p,
                               std::span<const std::byte> bytes) {
  try {
    p.tls->open(bytes, p.opened);
  } catch (...) {
    write(h, p, {});  // the reason, in TLS's words
    throw;
  }
  write(h, p, {});
  std::size_t taken = 0;
  while (p.opened.size() - taken >= p.wanted) {
    const auto part = std::span(p.opened).subspan(taken, p.wanted);
    taken += part.size();
    take_wanted(h, p, part);
  }
  p.opened.erase(p.opened.begin(), p.opened.begin() + static_cast<std::ptrdiff_t>(taken));
}

void network::hub::take_wanted(caf::io::connection_handle h, peer& p,
                               std::span<const std::byte> bytes) {
  if (p.shake.expects() > 0) take_handshake(h, p, bytes);
  else if (p.body) take_body(h, p, bytes);
  else take_header(h, p, bytes);
}

void network::hub::take_handshake(caf::io::connection_handle h, peer& p,
                                  std::span<const std::byte> bytes) {
  write(h, p, p.shake.take(bytes));
  if (const auto next = p.shake.expects(); next > 0) return want(h, p, next);
  want(h, p, frame_header_bytes);
  if (p.tls) self_->configure_read(h, caf::io::receive_policy::at_most(most_sealed));
  const std::weak_ptr<hub> weak = shared_from_this();
  p.link = std::make_shared<connection>(
      [weak, h] {
        if (const auto alive = weak.lock()) alive->post([alive, h] { alive->pump(h); });
      },
      [weak, h](const std::string& why) {
        if (const auto alive = weak.lock()) alive->post([alive, h, why] { alive->end(h, why); });
      });
  p.receiver = p.greet(p.link, p.shake.other());
  if (lends_ && stays_on_this_machine(socket_of(h)))
    p.link->send(frame_kind::card, p.link->memory().card());
  if (p.tell) std::exchange(p.tell, nullptr)(p.link, {});
}

void network::hub::take_header(caf::io::connection_handle h, peer& p,
                               std::span<const std::byte> bytes) {
  byte_reader in(bytes);
  const auto size = in.get<std::uint32_t>();
  const auto kind = in.get(last_frame_kind);
  if (size > most_frame_bytes)
    throw bytes_error("a frame of " + std::to_string(size) + " bytes is larger than any");
  if (size == 0) return take_frame(p, kind, {});
  p.body = kind;
  want(h, p, size);
}

void network::hub::take_body(caf::io::connection_handle h, peer& p,
                             std::span<const std::byte> bytes) {
  const auto kind = *std::exchange(p.body, std::nullopt);
  want(h, p, frame_header_bytes);
  take_frame(p, kind, bytes);
}

void network::hub::take_frame(peer& p, frame_kind kind, std::span<const std::byte> body) {
  switch (kind) {
    case frame_kind::card: return take_card(p, body);
    case frame_kind::challenge: return take_challenge(p, body);
    case frame_kind::proof: return take_proof(p);
    case frame_kind::reads: return p.link->lend();
    case frame_kind::lent: return take_lent(p, byte_reader(body));
    case frame_kind::returned: return p.link->returned();
    default: return p.receiver->received(kind, body);
  }
}

void network::hub::take_card(peer& p, std::span<const std::byte> card) const {
  if (p.lends) throw bytes_error("a second card");
  if (lends_) p.lends = lender::of(card);
  if (!p.lends) return;
  const auto challenge = fresh_nonce();
  p.lends->expect(p.shake.memory_proof(p.shake.other_end(), challenge));
  p.link->send(frame_kind::challenge, challenge);
}

void network::hub::take_challenge(peer& p, std::span<const std::byte> challenge) const {
  if (std::exchange(p.challenged, true) || !lends_) throw bytes_error("a challenge too many");
  p.link->memory().prove(p.shake.memory_proof(p.shake.own_end(), challenge));
  p.link->send(frame_kind::proof, {});
}

void network::hub::take_proof(peer& p) {
  if (!p.lends || p.reads) throw bytes_error("a proof that nobody asked for");
  p.reads = p.lends->lends();
  if (p.reads) p.link->send(frame_kind::reads, {});
}

void network::hub::take_lent(peer& p, byte_reader in) {
  if (!p.reads) throw bytes_error("it lends memory that is not read");
  const auto header = in.get_bytes(chunk_header_bytes);
  const auto kind = in.get(last_frame_kind);
  const auto place = in.get<std::uint64_t>();
  const auto size = in.get<std::uint32_t>();
  if ((kind != frame_kind::store && kind != frame_kind::part) || size > chunk_bytes)
    throw bytes_error("it lends what is no part of a value");
  try {
    p.receiver->received(kind, {header, *p.lends, place, size});
  } catch (const unreadable_memory&) {
    lends_ = false;  // on none of the connections that follow
    throw;
  }
  p.link->send(frame_kind::returned, {});
}

void network::hub::look_at_all() {
  const auto time = clock::now();
  std::vector<std::pair<caf::io::connection_handle, std::string>> over;
  // Silence counts only while this side listens.
  const bool listened = time - std::exchange(last_look_, time) < 2 * heartbeat;
  for (auto& [h, p] : peers_) {
    if (!listened) p.last_heard = time;
    if (!p.link) {
      if (time - p.began > longest_handshake)
        over.emplace_back(h, "it took too long to say who it is");
    } else if (time - p.last_heard > longest_silence) {
      over.emplace_back(h, silence);
    } else if (time - p.last_sent >= heartbeat) {
      p.link->send(frame_kind::alive, {});
    }
  }
  for (const auto& [h, why] : over) end(h, why);
}

void network::hub::write(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes) {
  auto& out = self_->wr_buf(h);
  if (p.tls) {
    p.tls->seal(bytes);
    p.tls->take_sealed(out);
  } else {
    const auto* const first = reinterpret_cast<const char*>(bytes.data());
    out.insert(out.end(), first, first + bytes.size());
  }
  if (!out.empty()) self_->flush(h);
}

void network::hub::forget(caf::io::connection_handle h, const std::string& why) {
  auto node = peers_.extract(h);
  if (node.empty()) return;
  auto& p = node.mapped();
  if (p.tell) p.tell(nullptr, why);
  if (p.link) p.link->drop_all();
  if (p.receiver) p.receiver->closed(why);
  else if (p.to) p.to(turned_away(p.from, why));
}

}  // namespace troupe
