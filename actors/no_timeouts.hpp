// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <caf/actor_clock.hpp>
#include <caf/group.hpp>

namespace troupe {

/// Clock of actors that never ask for a time. CAF's own needs a thread that empties its queue, into
/// which each actor that ends puts a request.
class no_timeouts final : public caf::actor_clock {
 public:
  void set_ordinary_timeout(time_point, caf::abstract_actor*, caf::atom_value,
                            std::uint64_t) override {}
  void set_multi_timeout(time_point, caf::abstract_actor*, caf::atom_value,
                         std::uint64_t) override {}
  void set_request_timeout(time_point, caf::abstract_actor*, caf::message_id) override {}
  void cancel_ordinary_timeout(caf::abstract_actor*, caf::atom_value) override {}
  void cancel_request_timeout(caf::abstract_actor*, caf::message_id) override {}
  void cancel_timeouts(caf::abstract_actor*) override {}
  void schedule_message(time_point, caf::strong_actor_ptr, caf::mailbox_element_ptr) override {}
  void schedule_message(time_point, caf::group, caf::strong_actor_ptr, caf::message) override {}
  void cancel_all() override {}
};

}  // namespace troupe
