// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <caf/event_based_actor.hpp>

#include "troupe/actors/messages.hpp"
#include "troupe/actors/stage.hpp"

namespace troupe {

/// What all actors of a runtime have in common: a name, and a count of their messages. What an actor sends to itself, to
/// stay awake, does not count.
class role : public caf::event_based_actor {
 public:
  role(caf::actor_config& config, std::shared_ptr<stage> shared, post::kind kind, std::string name);

  using caf::event_based_actor::enqueue;
  void enqueue(caf::mailbox_element_ptr message, caf::execution_unit* host) final;
  caf::invoke_message_result consume(caf::mailbox_element& message) final;

  /// What it recorded since then, for the trace. To be called on the thread that it runs on.
  virtual trace_part trace(ticks) const { return {}; }

 protected:
  const std::shared_ptr<stage> shared_;

 private:
  bool from_itself(const caf::mailbox_element& message) const noexcept;

  post& post_;
};

}  // namespace troupe
