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
  current_mailbox_element(&message);
  if (take(message.content())) return caf::invoke_message_result::consumed;
  return caf::event_based_actor::consume(message);
}

/// Acts on the next message, as CAF would. None of these actors puts a message off.
caf::resumable::resume_result counted_actor::resume(caf::execution_unit* host, std::size_t most) {
  if (!slot_ || !getf(is_initialized_flag)) return caf::event_based_actor::resume(host, most);
  mailbox().fetch_more();
  auto& queues = mailbox().queue().queues();
  auto& ordinary = std::get<normal_queue_index>(queues);
  if (!std::get<urgent_queue_index>(queues).empty() || ordinary.empty() || !alive())
    return caf::event_based_actor::resume(host, most);
  context(host);
  ordinary.inc_deficit(1);
  auto message = ordinary.next();
  if (reactivate(*message) == activation_result::terminated) return resume_result::done;
  message = nullptr;
  return mailbox().try_block() ? resume_result::awaiting_message : resume_result::resume_later;
}

bool counted_actor::from_itself(const caf::mailbox_element& message) const noexcept {
  return message.sender.get() == ctrl();
}

}  // namespace troupe
