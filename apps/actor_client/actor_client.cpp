// SPDX-License-Identifier: MIT
// A program with actors of its own, which asks the runtime for tensors without blocking any of
// them.
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <iostream>

#include "troupe/caf.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;

namespace {

void client(caf::event_based_actor* self, const caf::actor& frontend) {
  const tensor x = uniform({1000, 1000});
  const tensor y = matmul(x, x);
  self->request(frontend, caf::infinite, await(mean(y), stddev(y)))
      .then(
          [](const tensor& average, const tensor& spread) {
            std::cout << "mean " << average.item<float>() << ", standard deviation "
                      << spread.item<float>() << '\n';
          },
          [](const caf::error& e) { std::cerr << error_of(e).what() << '\n'; });
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
