// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <typeinfo>

#include <caf/event_based_actor.hpp>

#include "troupe/actors/actor_scheduler.hpp"
#include "troupe/actors/engine_state.hpp"
#include "troupe/actors/messages.hpp"

namespace troupe {

/// Base of all actors of a runtime: has a name and counts its messages. Messages an actor sends to
/// itself to stay awake do not count.
///
/// A batch of tasks goes through four messages, and CAF takes longer over each than the actor: it
/// looks after streams, timeouts, results and a logger, none of which they need. So these come
/// straight from the mailbox to `take`; all others, and the requests, have a behavior.
class counted_actor : public caf::event_based_actor {
 public:
  counted_actor(caf::actor_config& config, std::shared_ptr<engine_state> shared,
                actor_counters::kind kind, std::string name);

  /// Makes the runtime's own scheduler run the actor. Without, as in tests, its actor system does.
  /// Call it before the actor gets its first message.
  void run_in(actor_slot& slot) noexcept { slot_ = &slot; }

  using caf::event_based_actor::enqueue;
  void enqueue(caf::mailbox_element_ptr message, caf::execution_unit* host) final;
  caf::invoke_message_result consume(caf::mailbox_element& message) final;
  resume_result resume(caf::execution_unit* host, std::size_t most) final;

  /// Returns the trace events recorded since the given time. Call it on the actor's own thread.
  virtual trace_part trace(ticks) const { return {}; }

 protected:
  /// Acts on a message that comes with every batch of tasks. Returns false if it is another one.
  virtual bool take(caf::type_erased_tuple&) { return false; }
  /// Returns the message if it is of this type, else null.
  template <class Message>
  static Message* as(caf::type_erased_tuple& message) {
    return message.size() == 1 && message.type(0).second &&
                   *message.type(0).second == typeid(Message)
               ? static_cast<Message*>(message.get_mutable(0))
               : nullptr;
  }

  /// Returns the runtime's scheduler; null where the actor system runs the actor.
  actor_scheduler* scheduler() const noexcept { return slot_ ? shared_->scheduler : nullptr; }

  const std::shared_ptr<engine_state> shared_;
  actor_slot* slot_ = nullptr;

 private:
  bool from_itself(const caf::mailbox_element& message) const noexcept;

  actor_counters& own_counters_;
};

}  // namespace troupe
