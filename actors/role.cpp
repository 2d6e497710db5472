// SPDX-License-Identifier: MIT
#include "troupe/actors/role.hpp"

#include <utility>

namespace troupe {

role::role(caf::actor_config& config, std::shared_ptr<stage> shared, post::kind kind,
           std::string name)
    : caf::event_based_actor(config),
      shared_(std::move(shared)),
      post_(*shared_->posts.emplace_back(std::make_unique<post>(kind, std::move(name), id()))) {}

void role::enqueue(caf::mailbox_element_ptr message, caf::execution_unit* host) {
  if (!from_itself(*message)) post_.sent();
  caf::event_based_actor::enqueue(std::move(message), host);
}

caf::invoke_message_result role::consume(caf::mailbox_element& message) {
  if (!from_itself(message)) {
    post_.taken();
    if (shared_->listening) shared_->listening->heard(post_, message);
  }
  return caf::event_based_actor::consume(message);
}

bool role::from_itself(const caf::mailbox_element& message) const noexcept {
  return message.sender.get() == ctrl();
}

}  // namespace troupe
