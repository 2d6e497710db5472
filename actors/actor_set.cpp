// SPDX-License-Identifier: MIT
#include "troupe/actors/actor_set.hpp"

#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include "troupe/actors/copy.hpp"
#include "troupe/actors/dependency.hpp"
#include "troupe/actors/frontend.hpp"
#include "troupe/actors/gpu_lane.hpp"
#include "troupe/actors/lane.hpp"
#include "troupe/actors/messages.hpp"

namespace troupe {

namespace {

bool works_on_streams(const driver& one) { return !one.id().traits().synchronous; }

}  // namespace

const caf::actor& actor_set::first_lane(const drivers& devices, device place) const noexcept {
  std::size_t lane = 0;
  for (const auto& one : devices) {
    if (one->id() == place) break;
    lane += static_cast<std::size_t>(one->lanes());
  }
  return lanes[lane];
}

void actor_set::quit() {
  caf::anon_send_exit(frontend, caf::exit_reason::user_shutdown);
  for (auto& one : dependencies) caf::anon_send_exit(one, caf::exit_reason::user_shutdown);
  for (auto& one : lanes) caf::anon_send_exit(one, caf::exit_reason::user_shutdown);
}

actor_set spawn_actors(caf::actor_system& system, const std::shared_ptr<engine_state>& shared,
                       lane_threads threads) {
  actor_set all;
  if (threads == lane_threads::pooled) shared->spin_time = 0;
  const auto spawn_lane = [&]<class Lane>(std::type_identity<Lane>, std::string name,
                                          auto&&... args) {
    const auto number = static_cast<int>(all.lanes.size());
    all.lanes.push_back(threads == lane_threads::own
                            ? system.spawn<Lane, caf::detached>(shared, number, args...)
                            : system.spawn<Lane>(shared, number, args...));
    all.lane_names.push_back(std::move(name));
    return all.lanes.back();
  };

  const auto& devices = shared->devices;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const auto first = static_cast<int>(all.lanes.size());
    std::vector<caf::actor> lanes;
    for (int i = 0; i < devices[d]->lanes(); ++i) {
      auto name = to_string(devices[d]->id()) + " lane " + std::to_string(i);
      lanes.push_back(
          works_on_streams(*devices[d])
              ? spawn_lane(std::type_identity<gpu_lane>{}, std::move(name), devices[d], i)
              : spawn_lane(std::type_identity<lane>{}, std::move(name), devices[d], i));
    }
    const std::vector<ordering::place> place{{devices[d].get(), shared->credits[d].get()}};
    all.dependencies.push_back(
        system.spawn<dependency>(shared, static_cast<int>(d), std::move(lanes), place, first));
  }

  const auto first = static_cast<int>(all.lanes.size());
  std::vector<caf::actor> lanes;
  std::vector<ordering::place> places;
  const auto spawn_copy = [&](const std::shared_ptr<driver>& end, copy::what copied) {
    lanes.push_back(
        spawn_lane(std::type_identity<copy>{}, copy::name_of(*end, copied), end, copied));
  };
  for (std::size_t d = 0; d < devices.size(); ++d) {
    spawn_copy(devices[d], copy::what::to_device);
    places.push_back({devices[d].get(), shared->credits[d].get()});
  }
  for (const auto& one : devices) {
    if (works_on_streams(*one)) spawn_copy(one, copy::what::from_gpu);
  }
  for (std::size_t d = 0; d < devices.size(); ++d) {
    if (!works_on_streams(*devices[d])) continue;
    places[d].lane_behind = static_cast<int>(lanes.size());
    spawn_copy(devices[d], copy::what::behind_gpu);
  }
  all.dependencies.push_back(system.spawn<dependency>(shared, static_cast<int>(devices.size()),
                                                      std::move(lanes), std::move(places), first));

  all.frontend = system.spawn<frontend>(shared, all.dependencies);
  for (auto& one : all.dependencies) caf::anon_send(one, peers{all.frontend, all.dependencies});
  return all;
}

}  // namespace troupe
