// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <caf/event_based_actor.hpp>

#include "troupe/actors/engine_state.hpp"
#include "troupe/actors/messages.hpp"

namespace troupe {

/// What all actors of a runtime have in common: a name, and a count of their messages. What an
/// actor sends to itself, to stay awake, does not count.
class counted_actor : public caf::event_based_actor {
 public:
  counted_actor(caf::actor_config& config, std::shared_ptr<engine_state> shared,
                actor_counters::kind kind, std::string name);

  using caf::event_based_actor::enqueue;
  void enqueue(caf::mailbox_element_ptr message, caf::execution_unit* host) final;
  caf::invoke_message_result consume(caf::mailbox_element& message) final;

  /// What it recorded since then, for the trace. To be called on the thread that it runs on.
  virtual trace_part trace(ticks) const { return {}; }

 protected:
  const std::shared_ptr<engine_state> shared_;

 private:
  bool from_itself(const caf::mailbox_element& message) const noexcept;

  actor_counters& own_counters_;
};

}  // namespace troupe
