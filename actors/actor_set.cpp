// SPDX-License-Identifier: MIT
#include "troupe/actors/actor_set.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include "troupe/actors/actor_scheduler.hpp"
#include "troupe/actors/copy.hpp"
#include "troupe/actors/dependency.hpp"
#include "troupe/actors/frontend.hpp"
#include "troupe/actors/gpu_lane.hpp"
#include "troupe/actors/lane.hpp"
#include "troupe/actors/messages.hpp"

namespace troupe {

namespace {

using lane_kind = actor_scheduler::lane_kind;

bool works_on_streams(const driver& one) { return !one.id().traits().synchronous; }

}  // namespace

void actor_set::quit() {
  if (frontend) caf::anon_send_exit(frontend, caf::exit_reason::user_shutdown);
  for (auto& one : dependencies) caf::anon_send_exit(one, caf::exit_reason::user_shutdown);
  for (auto& one : lanes) caf::anon_send_exit(one, caf::exit_reason::user_shutdown);
}

/// Spawns an actor, which starts with its first message.
template <class Actor, class... Args>
caf::actor spawn_in(caf::actor_system& system, actor_slot* slot, Args&&... args) {
  auto one = system.spawn<Actor, caf::lazy_init>(std::forward<Args>(args)...);
  if (slot) static_cast<counted_actor&>(*caf::actor_cast<caf::abstract_actor*>(one)).run_in(*slot);
  return one;
}

actor_set spawn_actors(caf::actor_system& system, const std::shared_ptr<engine_state>& shared) {
  actor_set all;
  spawn_actors(system, shared, all);
  return all;
}

void spawn_actors(caf::actor_system& system, const std::shared_ptr<engine_state>& shared,
                  actor_set& all) {
  auto* const scheduler = shared->scheduler;
  const auto control_slot = [&] { return scheduler ? &scheduler->add_control() : nullptr; };
  const auto spawn_lane = [&]<class Lane>(std::type_identity<Lane>, std::string name,
                                          const std::shared_ptr<driver>& device, int index,
                                          lane_kind kind, auto&&... args) {
    const auto number = static_cast<int>(all.lanes.size());
    auto* slot = scheduler ? &scheduler->add_lane(device, index, kind) : nullptr;
    all.lanes.push_back(spawn_in<Lane>(system, slot, shared, number, device, args...));
    all.lane_names.push_back(std::move(name));
    return all.lanes.back();
  };

  const auto& devices = shared->devices;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const auto first = static_cast<int>(all.lanes.size());
    std::vector<caf::actor> lanes;
    for (int i = 0; i < devices[d]->lanes(); ++i) {
      auto name = to_string(devices[d]->id()) + " lane " + std::to_string(i);
      lanes.push_back(works_on_streams(*devices[d])
                          ? spawn_lane(std::type_identity<gpu_lane>{}, std::move(name), devices[d],
                                       i, lane_kind::tied, i)
                          : spawn_lane(std::type_identity<lane>{}, std::move(name), devices[d], i,
                                       lane_kind::open, i));
    }
    const std::vector<ordering::place> place{{devices[d].get(), shared->credits[d].get()}};
    all.dependencies.push_back(spawn_in<dependency>(
        system, control_slot(), shared, static_cast<int>(d), std::move(lanes), place, first));
  }

  const auto first = static_cast<int>(all.lanes.size());
  std::vector<caf::actor> lanes;
  std::vector<ordering::place> places;
  // A stream, and the thread that opened it, belong together.
  const auto copies_on =
      std::ranges::any_of(devices, [](auto& one) { return works_on_streams(*one); })
          ? lane_kind::tied
          : lane_kind::open;
  const auto spawn_copy = [&](const std::shared_ptr<driver>& end, copy::what copied) {
    lanes.push_back(spawn_lane(std::type_identity<copy>{}, copy::name_of(*end, copied), end,
                               driver::no_lane, copies_on, copied));
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
  all.dependencies.push_back(spawn_in<dependency>(system, control_slot(), shared,
                                                  static_cast<int>(devices.size()),
                                                  std::move(lanes), std::move(places), first));

  all.dependencies.push_back(spawn_in<dependency>(
      system, control_slot(), shared, static_cast<int>(shared->home_of_timed()),
      std::vector<caf::actor>(),
      std::vector<ordering::place>{{devices[0].get(), shared->credits[0].get()}}, 0));

  all.frontend = spawn_in<frontend>(system, control_slot(), shared, all.dependencies);
  for (auto& one : all.dependencies) caf::anon_send(one, peers{all.frontend, all.dependencies});
}

}  // namespace troupe
