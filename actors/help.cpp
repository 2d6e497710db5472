// SPDX-License-Identifier: MIT
#include "troupe/actors/help.hpp"

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

namespace troupe {

void pass_on(const help_run& request, const caf::strong_actor_ptr& dependency) {
  const auto& helpers = request.plan->helpers;
  const auto first = request.place * help_fan_out;
  if (first >= helpers.size()) return;
  const auto sender = caf::actor_cast<caf::actor>(dependency);
  for (auto i = first; i < first + help_fan_out && i < helpers.size(); ++i)
    caf::send_as(sender, helpers[i], help_run{request.plan, i + 1});
}

}  // namespace troupe
