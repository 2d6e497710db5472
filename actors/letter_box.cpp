// SPDX-License-Identifier: MIT
#include "troupe/actors/letter_box.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/make_actor.hpp>
#include <caf/monitorable_actor.hpp>

#include "troupe/tasks/watching_thread.hpp"

namespace troupe {

namespace {

/// The receiving end. CAF sees an actor that is never run.
class box final : public caf::monitorable_actor {
 public:
  explicit box(caf::actor_config& config) : caf::monitorable_actor(config) {}

  void enqueue(caf::mailbox_element_ptr message, caf::execution_unit*) override {
    letter = std::move(message);
    arrived.store(true);
    wake_watching_threads(this);
  }

  caf::mailbox_element_ptr letter;
  std::atomic<bool> arrived = false;
};

box& inside(const caf::actor& one) {
  return static_cast<box&>(*caf::actor_cast<caf::abstract_actor*>(one));
}

}  // namespace

letter_box::letter_box(caf::actor_system& system) {
  caf::actor_config config;
  box_ = caf::make_actor<box, caf::actor>(system.next_actor_id(), system.node(), &system, config);
}

caf::strong_actor_ptr letter_box::address() const {
  return caf::actor_cast<caf::strong_actor_ptr>(box_);
}

void letter_box::post(const caf::actor& whom, caf::mailbox_element_ptr request) {
  whom->enqueue(std::move(request), nullptr);
}

bool letter_box::arrived() const noexcept { return inside(box_).arrived.load(); }

bool letter_box::wait(const wait_limit& limit) const {
  watching_thread self(&inside(box_), limit.stop);
  return self.sleep([this] { return arrived(); }, limit.deadline);
}

caf::type_erased_tuple& letter_box::letter() { return inside(box_).letter->content(); }

}  // namespace troupe
