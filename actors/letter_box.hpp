// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <optional>
#include <utility>

#include <caf/actor.hpp>
#include <caf/fwd.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/message_id.hpp>

#include "troupe/tasks/wait_limit.hpp"

namespace troupe {

/// Letter box in which an actor's answer to a plain thread arrives. The thread itself does not
/// become an actor: CAF leaves nothing behind in it.
class letter_box {
 public:
  explicit letter_box(caf::actor_system& system);

  /// Sends a request to `whom`.
  template <class Message>
  void ask(const caf::actor& whom, Message&& request) {
    post(whom, caf::make_mailbox_element(address(), caf::make_message_id(1), {},
                                         std::forward<Message>(request)));
  }
  bool arrived() const noexcept;
  /// Blocks until the answer is there. Returns false if the limit comes first.
  bool wait(const wait_limit& limit = {}) const;
  /// Returns the answer, which has arrived; nothing if it is of another type, such as an error.
  template <class Answer>
  std::optional<Answer> take() {
    auto& content = letter();
    if (!content.match_elements<Answer>()) return std::nullopt;
    return std::move(content.get_mutable_as<Answer>(0));
  }

 private:
  caf::strong_actor_ptr address() const;
  static void post(const caf::actor& whom, caf::mailbox_element_ptr request);
  caf::type_erased_tuple& letter();

  caf::actor box_;
};

}  // namespace troupe
