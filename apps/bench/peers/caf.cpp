// SPDX-License-Identifier: MIT
#include <cstdint>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include "troupe/apps/bench/peers/serve.hpp"
#include "troupe/apps/bench/timing.hpp"

namespace {

constexpr int messages_of_a_wait = 5;

using left = std::int64_t;  // messages

// Sends as many messages back and forth, and ends.
caf::behavior partner(caf::event_based_actor* self) {
  return {[self](left n) {
    if (n > 0) self->send(caf::actor_cast<caf::actor>(self->current_sender()), n - 1);
    else self->quit();
  }};
}

// Both actors are run by one thread, which no lock or cache line keeps waiting.
double round_trip_messages(int count) {
  caf::actor_system_config config;
  config.set("scheduler.max-threads", std::size_t{1});
  caf::actor_system system(config);
  const auto one = system.spawn(partner), other = system.spawn(partner);
  const caf::scoped_actor outside(system);
  return troupe::bench::seconds_of([&] {
           caf::send_as(one, other, left{count} * messages_of_a_wait);
           outside->wait_for(left{count} * messages_of_a_wait % 2 == 0 ? other : one);
         }) /
         count;
}

constexpr troupe::bench::peer_case cases[] = {{"round_trip_messages", round_trip_messages}};

}  // namespace

int main() {
  return troupe::bench::serve("CAF, five messages between two actors in one thread", cases);
}
