// SPDX-License-Identifier: MIT
// A program with actors of its own, which asks the runtime for values without blocking any of them.
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <iostream>

#include "troupe/actors/frontend_actor.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;

namespace {

void client(caf::event_based_actor* self, const caf::actor& frontend) {
  const tensor x = uniform({1000, 1000});
  const tensor y = mean(matmul(x, x));
  self->request(frontend, caf::infinite, await_value{y.source()})
      .then([y](value_resolved) { std::cout << "the mean is " << y.item<float>() << '\n'; },
            [self](const caf::error& e) { std::cerr << self->system().render(e) << '\n'; });
  std::cout << "asked, and free to do other things\n";
}

}  // namespace

int main() {
  runtime rt;
  caf::actor_system_config config;
  caf::actor_system system(config);
  system.spawn(client, frontend_of(rt));
  system.await_all_actors_done();
}
