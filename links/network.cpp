// SPDX-License-Identifier: MIT
#include "troupe/links/network.hpp"

#include <unistd.h>

#include <condition_variable>
#include <optional>
#include <utility>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/io/middleman.hpp>
#include <caf/logger.hpp>
#include <caf/thread_hook.hpp>

#include "troupe/links/connected_socket.hpp"
#include "troupe/links/network_hub.hpp"
#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/library_thread.hpp"

namespace troupe {

using namespace std::chrono_literals;

namespace {

/// Lets CAF's threads wait where they find no memory: an exception there would end the program.
class waits_for_memory final : public caf::thread_hook {
 public:
  void init(caf::actor_system& /*of*/) override {}
  void thread_started() override { books_.emplace(); }
  void thread_terminates() override { books_.reset(); }

 private:
  static thread_local std::optional<bookkeeping> books_;
};

thread_local std::optional<bookkeeping> waits_for_memory::books_;

}  // namespace

struct network::system {
  struct settings : caf::actor_system_config {
    settings() {
      bookkeeping::prepare();
      add_thread_hook<waits_for_memory>();
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

std::unique_ptr<network::system> network::start() {
  const without_signals quiet;  // for CAF's threads
  return std::make_unique<system>();
}

network::network(bool tls) : system_(start()), hub_(std::make_shared<hub>(system_->thread(), tls)) {
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
  const auto name = to.text();
  std::string why_not;
  const int socket = connected_socket(to, limit, why_not);
  if (socket < 0) throw error(why_not, call_site);
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
  if (!made.second.empty()) {
    const auto reason = why_no_listener(at.host, at.port);
    throw error("cannot listen at " + at.text() + ": " + (reason.empty() ? made.second : reason),
                call_site);
  }
  return made.first;
}

}  // namespace troupe
