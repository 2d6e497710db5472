// SPDX-License-Identifier: MIT
#include "troupe/nodes/node_server.hpp"

#include <atomic>
#include <utility>
#include <vector>

#include "troupe/actors/runtime.hpp"
#include "troupe/links/network.hpp"
#include "troupe/links/own_process.hpp"
#include "troupe/nodes/session.hpp"

namespace troupe {

struct node_server::state {
  explicit state(bool tls) : wires(tls) {}

  engine* with = nullptr;
  memory_bound limit{0};  ///< of each of its devices
  node_options options;
  std::atomic<int> owners = 0;
  std::uint16_t port = 0;
  std::vector<std::shared_ptr<session>> sessions;  ///< for the network's thread
  std::shared_ptr<visits> who_come = std::make_shared<visits>();
  network::dialer dial;
  network wires;

  void log(const std::string& line) const {
    if (!options.log) return;
    try {
      options.log(line);
    } catch (...) {}  // the node goes on
  }

  std::shared_ptr<frame_receiver> greet(std::shared_ptr<connection> link, handshake::side who) {
    if (who == handshake::side::peer) return who_come->greet(std::move(link));
    // An owner's last tasks may run for a while after it has gone: nobody waits for them here.
    std::erase_if(sessions, [](const auto& one) { return one->over(); });
    log("an owner has come: " + std::to_string(++owners) + " now");
    return sessions.emplace_back(std::make_shared<session>(
        *with, limit, std::move(link),
        [this](const std::string& why) {
          const int left = --owners;
          log("an owner has gone, " + std::to_string(left) + " left: " + why);
        },
        session::neighbours{who_come, dial}));
  }
};

node_server::node_server(runtime& with, node_options options, std::source_location call_site)
    : state_(make_for_this_process<state>(*with.options().tls)) {
  state_->with = &with.engine();
  state_->limit = memory_bound(*with.options().memory_limit, *with.options().strict_memory);
  state_->options = std::move(options);
  const auto key = secret_key::from_file(state_->options.key, call_site);
  state_->dial = state_->wires.dialer_with(key);
  auto* const s = state_.get();  // the network's thread ends before it
  s->port = s->wires.listen(
      network_address::parse(s->options.listen, call_site), key,
      [s](std::shared_ptr<connection> link, handshake::side who) {
        return s->greet(std::move(link), who);
      },
      [s](const std::string& line) { s->log(line); }, call_site);
}

node_server::~node_server() = default;

std::uint16_t node_server::port() const noexcept { return state_->port; }
int node_server::owners() const noexcept { return state_->owners.load(); }

}  // namespace troupe
