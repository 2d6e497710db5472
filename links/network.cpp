// SPDX-License-Identifier: MIT
#include "troupe/links/network.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/exit_reason.hpp>
#include <caf/io/broker.hpp>
#include <caf/io/middleman.hpp>
#include <caf/io/network/multiplexer.hpp>
#include <caf/logger.hpp>
#include <caf/send.hpp>

#include "troupe/links/handshake.hpp"
#include "troupe/tasks/byte_stream.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto heartbeat = 200ms, longest_silence = 1000ms, longest_handshake = 5000ms;
constexpr std::size_t most_strangers = 64;
// Bytes that wait for the socket: it is given more when there are fewer than `refill`.
constexpr std::size_t most_unsent = std::size_t{4} << 20, refill = std::size_t{1} << 20;

struct look_at_clock {};

}  // namespace

}  // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::look_at_clock)

namespace troupe {

/// The broker's side of all connections. Everything here runs on the network's thread.
class network::hub : public std::enable_shared_from_this<hub> {
 public:
  explicit hub(caf::io::network::multiplexer& thread) noexcept : thread_(&thread) {}

  /// Runs a function on the network's thread. Returns false if that is about to end.
  template <class Function>
  bool post(Function f) {
    const std::lock_guard lock(posting_);
    if (thread_) thread_->post(std::move(f));
    return thread_ != nullptr;
  }
  /// Ends all connections, then the broker; `ended` is called behind that. Nothing else is posted.
  void end_soon(const std::function<void()>& ended) {
    const std::lock_guard lock(posting_);
    auto* const thread = std::exchange(thread_, nullptr);
    // A round later: CAF keeps a connection, and its socket, for good if it is made and ended in
    // the same round of its loop.
    thread->post([h = shared_from_this(), thread, ended] {
      thread->post([h, ended] { h->end_all(ended); });
    });
  }

  caf::behavior start(caf::io::broker* self) {
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
        [this](const caf::io::connection_closed_msg& m) {
          forget(m.handle, "the other side closed the connection");
        },
        [](const caf::io::acceptor_closed_msg&) {},
        [this](look_at_clock) {
          if (!self_) return;
          look_later();
          look_at_all();
        },
    };
  }

  using result = std::function<void(std::shared_ptr<connection>, const std::string& why)>;

  void add_calling_side(handshake::side who, int socket, const secret_key& key,
                        const welcome& greet, const result& tell) {
    if (!self_) {
      ::close(socket);
      return tell(nullptr, "the network has ended");
    }
    const auto scribe = self_->parent().backend().new_scribe(socket);
    self_->add_scribe(scribe);
    auto& p = add(scribe->hdl(), who, key, greet);
    p.tell = tell;
    const auto bytes = p.shake.opening();
    write(scribe->hdl(), bytes);
  }

  std::string add_doorman(const network_address& at, const secret_key& key, welcome greet, log to,
                          std::uint16_t& port) {
    if (!self_) return "the network has ended";
    const auto made =
        self_->add_tcp_doorman(at.port, at.host.empty() ? nullptr : at.host.c_str(), true);
    if (!made) return self_->system().render(made.error());
    port = made->second;
    doors_.insert_or_assign(made->first, door{key, std::move(greet), std::move(to)});
    return {};
  }

  void pump(caf::io::connection_handle h) {
    const auto found = peers_.find(h);
    if (found == peers_.end() || !found->second.link) return;
    auto& p = found->second;
    if (p.unsent >= most_unsent) return;
    auto& out = self_->wr_buf(h);
    const auto before = out.size();
    p.link->take(out, most_unsent - p.unsent);
    if (out.size() == before) return;
    p.unsent += out.size() - before;
    p.last_sent = clock::now();
    self_->flush(h);
  }

  void end(caf::io::connection_handle h, const std::string& why) {
    const auto found = peers_.find(h);
    if (self_ && found != peers_.end()) {
      // CAF would keep the socket, and the system's end would wait for it, until the other side has
      // read all that was written, which a process that was stopped never does. A stranger is sent
      // a few bytes, which the socket takes at once. CAF's handles are numbers of sockets.
      if (found->second.link && self_->valid(h)) ::shutdown(static_cast<int>(h.id()), SHUT_RDWR);
      self_->close(h);
    }
    forget(h, why);
  }

  void end_all(const std::function<void()>& ended) {
    while (!peers_.empty()) end(peers_.begin()->first, "this side has ended");
    doors_.clear();
    auto* const self = std::exchange(self_, nullptr);
    if (!self) return ended();
    self->attach_functor(ended);
    caf::anon_send_exit(caf::actor_cast<caf::actor>(self), caf::exit_reason::user_shutdown);
  }

 private:
  struct peer {
    handshake shake;
    welcome greet;
    log to = {};
    result tell = {};
    std::shared_ptr<connection> link = {};
    std::shared_ptr<frame_receiver> receiver = {};
    std::optional<frame_kind> body = {};  ///< the kind of the frame whose body comes next
    std::size_t unsent = 0;
    clock::time_point began = clock::now(), last_heard = began, last_sent = began;
  };
  struct door {
    secret_key key;
    welcome greet;
    log to;
  };

  /// From nobody: a message of the broker's own that its end leaves unread would keep it alive.
  void look_later() {
    caf::delayed_anon_send(caf::actor_cast<caf::actor>(self_), heartbeat, look_at_clock{});
  }

  peer& add(caf::io::connection_handle h, handshake::side side, const secret_key& key,
            const welcome& greet) {
    auto& p = peers_.emplace(h, peer{handshake(side, key), greet}).first->second;
    self_->ack_writes(h, true);
    self_->configure_read(h, caf::io::receive_policy::exactly(p.shake.expects()));
    return p;
  }

  void accept(const caf::io::new_connection_msg& m) {
    if (!self_) return;
    const auto found = doors_.find(m.source);
    if (found == doors_.end()) {
      self_->close(m.handle);
      return;
    }
    end_surplus_stranger();
    add(m.handle, handshake::side::node, found->second.key, found->second.greet).to =
        found->second.to;
  }

  /// Makes room for a newcomer, who may be an owner: proofs take milliseconds, so who has waited
  /// longest goes.
  void end_surplus_stranger() {
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

  void take(const caf::io::new_data_msg& m) {
    const auto found = peers_.find(m.handle);
    if (found == peers_.end()) return;
    auto& p = found->second;
    p.last_heard = clock::now();
    const auto bytes = std::as_bytes(std::span(m.buf));
    try {
      if (p.shake.expects() > 0) take_handshake(m.handle, p, bytes);
      else if (p.body) take_body(m.handle, p, bytes);
      else take_header(m.handle, p, bytes);
    } catch (const std::exception& e) { end(m.handle, e.what()); }
  }

  void take_handshake(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes) {
    const auto answer = p.shake.take(bytes);
    write(h, answer);
    if (const auto next = p.shake.expects(); next > 0)
      return self_->configure_read(h, caf::io::receive_policy::exactly(next));
    self_->configure_read(h, caf::io::receive_policy::exactly(frame_header_bytes));
    const std::weak_ptr<hub> weak = shared_from_this();
    p.link = std::make_shared<connection>(
        [weak, h] {
          if (const auto alive = weak.lock()) alive->post([alive, h] { alive->pump(h); });
        },
        [weak, h](const std::string& why) {
          if (const auto alive = weak.lock()) alive->post([alive, h, why] { alive->end(h, why); });
        });
    p.receiver = p.greet(p.link, p.shake.other());
    if (p.tell) std::exchange(p.tell, nullptr)(p.link, {});
  }

  void take_header(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes) {
    byte_reader in(bytes);
    const auto size = in.get<std::uint32_t>();
    const auto kind = in.get(last_frame_kind);
    if (size > most_frame_bytes)
      throw bytes_error("a frame of " + std::to_string(size) + " bytes is larger than any");
    if (size == 0) return p.receiver->received(kind, {});
    p.body = kind;
    self_->configure_read(h, caf::io::receive_policy::exactly(size));
  }

  void take_body(caf::io::connection_handle h, peer& p, std::span<const std::byte> bytes) {
    const auto kind = *std::exchange(p.body, std::nullopt);
    self_->configure_read(h, caf::io::receive_policy::exactly(frame_header_bytes));
    p.receiver->received(kind, bytes);
  }

  void look_at_all() {
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
        over.emplace_back(h, "it has been silent for a second");
      } else if (time - p.last_sent >= heartbeat) {
        p.link->send(frame_kind::alive, {});
      }
    }
    for (const auto& [h, why] : over) end(h, why);
  }

  void write(caf::io::connection_handle h, std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    self_->write(h, bytes.size(), bytes.data());
    self_->flush(h);
  }

  void forget(caf::io::connection_handle h, const std::string& why) {
    auto node = peers_.extract(h);
    if (node.empty()) return;
    auto& p = node.mapped();
    if (p.tell) p.tell(nullptr, why);
    if (p.link) p.link->drop_all();
    if (p.receiver) p.receiver->closed(why);
    else if (p.to) p.to("a stranger was turned away: " + why);
  }

  std::mutex posting_;
  caf::io::network::multiplexer* thread_;  ///< null when it is about to end
  caf::io::broker* self_ = nullptr;
  clock::time_point last_look_ = clock::now();
  std::unordered_map<caf::io::connection_handle, peer> peers_;
  std::unordered_map<caf::io::accept_handle, door> doors_;
};

struct network::system {
  struct settings : caf::actor_system_config {
    settings() {
      load<caf::io::middleman>();
      set("scheduler.policy", caf::atom("sharing"));
      set("scheduler.max-threads", 1);
    }
  };
  settings config;
  caf::actor_system actors{config};

  caf::io::network::multiplexer& thread() { return actors.middleman().backend(); }
};

namespace {

/// Returns a socket that is connected, or an error's number, negative.
int connected_socket(const std::string& host, std::uint16_t port, std::chrono::milliseconds limit) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0)
    return -EHOSTUNREACH;
  int problem = EHOSTUNREACH;
  for (const auto* one = found; one; one = one->ai_next) {
    const int fd = ::socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) continue;
    problem = ::connect(fd, one->ai_addr, one->ai_addrlen) == 0 ? 0 : errno;
    if (problem == EINPROGRESS) {
      pollfd waiting{fd, POLLOUT, 0};
      socklen_t size = sizeof problem;
      if (::poll(&waiting, 1, static_cast<int>(limit.count())) <= 0) problem = ETIMEDOUT;
      else ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size);
    }
    if (problem == 0) {
      const int yes = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      ::freeaddrinfo(found);
      return fd;
    }
    ::close(fd);
  }
  ::freeaddrinfo(found);
  return -problem;
}

/// Waits for what the network's thread says.
template <class T>
class answer {
 public:
  void give(T x) {
    const std::lock_guard lock(mutex_);
    x_ = std::move(x);
    given_.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    given_.wait(lock, [&] { return x_.has_value(); });
  }
  std::optional<T> wait(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    given_.wait_for(lock, limit, [&] { return x_.has_value(); });
    return x_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable given_;
  std::optional<T> x_;
};

}  // namespace

network_address network_address::parse(std::string_view text, std::source_location call_site) {
  const auto colon = text.rfind(':');
  network_address out;
  if (colon != std::string_view::npos && colon > 0) {
    const auto port = text.substr(colon + 1);
    const auto [end, problem] = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (problem == std::errc() && end == port.data() + port.size() && !port.empty()) {
      out.host = text.substr(0, colon);
      return out;
    }
  }
  throw error('"' + std::string(text) + "\" is no address: host:port is", call_site);
}

network::network()
    : system_(std::make_unique<system>()), hub_(std::make_shared<hub>(system_->thread())) {
  system_->actors.middleman().spawn_broker(
      [](caf::io::broker* self, const std::shared_ptr<hub>& h) { return h->start(self); }, hub_);
  caf::logger::set_current_actor_system(nullptr);
}

network::~network() {
  const auto ended = std::make_shared<answer<bool>>();
  hub_->end_soon([ended] { ended->give(true); });
  ended->wait();
  hub_ = nullptr;
  system_ = nullptr;
  caf::logger::set_current_actor_system(nullptr);
}

std::shared_ptr<connection> network::connect(const network_address& to, const secret_key& key,
                                             const welcome& greet, std::chrono::milliseconds limit,
                                             std::source_location call_site) {
  return connect_as(handshake::side::owner, hub_, to, key, greet, limit, call_site);
}

network::dialer network::dialer_with(const secret_key& key) const {
  return [h = hub_, key](const network_address& to, const welcome& greet,
                         std::chrono::milliseconds limit) {
    return connect_as(handshake::side::peer, h, to, key, greet, limit, {});
  };
}

std::shared_ptr<connection> network::connect_as(handshake::side who, const std::shared_ptr<hub>& h,
                                                const network_address& to, const secret_key& key,
                                                const welcome& greet,
                                                std::chrono::milliseconds limit,
                                                std::source_location call_site) {
  const auto name = to.host + ':' + std::to_string(to.port);
  const int socket = connected_socket(to.host, to.port, limit);
  if (socket < 0)
    throw error("nothing listens at " + name + ": " + std::generic_category().message(-socket),
                call_site);
  using outcome = std::pair<std::shared_ptr<connection>, std::string>;
  const auto told = std::make_shared<answer<outcome>>();
  const bool posted = h->post([h, who, socket, key, greet, told] {
    h->add_calling_side(who, socket, key, greet,
                        [told](std::shared_ptr<connection> made, const std::string& why) {
                          told->give({std::move(made), why});
                        });
  });
  if (!posted) {
    ::close(socket);
    throw error("the network of this side has ended", call_site);
  }
  const auto made = told->wait(limit);
  if (!made) throw error(name + " does not answer", call_site);
  if (!made->first) throw error(name + " is no node for this key: " + made->second, call_site);
  return made->first;
}

std::uint16_t network::listen(const network_address& at, const secret_key& key, welcome greet,
                              log to, std::source_location call_site) {
  using outcome = std::pair<std::uint16_t, std::string>;
  const auto told = std::make_shared<answer<outcome>>();
  hub_->post([h = hub_, at, key, greet, to, told] {
    std::uint16_t port = 0;
    auto why = h->add_doorman(at, key, greet, to, port);
    told->give({port, std::move(why)});
  });
  const auto made = told->wait(5s).value_or(outcome(0, "the network does not answer"));
  if (!made.second.empty())
    throw error("cannot listen at " + at.host + ':' + std::to_string(at.port) + ": " + made.second,
                call_site);
  return made.first;
}

}  // namespace troupe
