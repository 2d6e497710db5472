// SPDX-License-Identifier: MIT
#include "troupe/actors/counted_actor.hpp"

#include <utility>

namespace troupe {

counted_actor::counted_actor(caf::actor_config& config, std::shared_ptr<engine_state> shared,
                             actor_counters::kind kind, std::string name)
    : caf::event_based_actor(config),
      shared_(std::move(shared)),
      own_counters_(*shared_->counters.emplace_back(
          std::make_unique<actor_counters>(kind, std::move(name), id()))) {}

/// Takes a message from anybody. The sender's execution unit may belong to somebody else's actor
/// system, on which no actor of a runtime runs.
void counted_actor::enqueue(caf::mailbox_element_ptr message, caf::execution_unit*) {
  if (!from_itself(*message)) own_counters_.sent();
  caf::event_based_actor::enqueue(std::move(message), slot_);
}

caf::invoke_message_result counted_actor::consume(caf::mailbox_element& message) {
  if (!from_itself(message)) {
    own_counters_.taken();
    if (shared_->listening) shared_->listening->heard(own_counters_, message);
  }
  return caf::event_based_actor::consume(message);
}

bool counted_actor::from_itself(const caf::mailbox_element& message) const noexcept {
  return message.sender.get() == ctrl();
}

}  // namespace troupe
