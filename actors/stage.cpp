// SPDX-License-Identifier: MIT
#include "troupe/actors/stage.hpp"

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

bool is_gpu(const driver& one) { return one.id().kind == device_kind::gpu; }

/// Of all devices, one that copies to each, and one that copies behind each GPU.
std::size_t count_lanes(const drivers& devices) {
  auto lanes = devices.size();
  for (const auto& one : devices) lanes += static_cast<std::size_t>(one->lanes()) + is_gpu(*one);
  return lanes;
}

}  // namespace

stage::stage(drivers d, std::size_t memory_limit, std::uint64_t most_pending, std::size_t trace)
    : devices(std::move(d)),
      signs(count_lanes(devices)),
      window(most_pending),
      trace_capacity(trace) {
  for (const auto& one : devices)
    credits.push_back(std::make_unique<memory_credit>(
        one->memory(), one->memory_limit() > 0 ? one->memory_limit() : memory_limit));
}

bool stage::submit(task_ptr t, bool may_wait) {
  std::size_t device = 0;
  while (devices[device]->id() != t->place) ++device;
  t->home = static_cast<std::int16_t>(device);
  if (t->op->transfer) {
    t->lane = t->home;  // one copy lane for each direction
    t->home = static_cast<std::int16_t>(devices.size());
  }
  t->sequence = window.enter(may_wait);
  t->submitted = now();
  for (auto& out : t->outputs) {
    out->sequence = t->sequence;
    out->home = t->home;
    out->estimate = t->estimate;
  }
  return submitted.put(std::move(t));
}

std::vector<actor_state> stage::actors() const {
  std::vector<actor_state> all;
  for (const auto kind : {post::kind::frontend, post::kind::dependency, post::kind::lane})
    for (const auto& one : posts) {
      if (one->what != kind) continue;
      const auto taken = one->all_taken();  // first, so that it is not the larger one
      all.push_back({one->name, taken, one->all_sent() - taken});
    }
  return all;
}

std::uint64_t stage::live_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const auto& one : devices) bytes += one->memory()->live();
  return bytes;
}

const caf::actor& cast::first_lane(const drivers& devices, device place) const noexcept {
  std::size_t lane = 0;
  for (const auto& one : devices) {
    if (one->id() == place) break;
    lane += static_cast<std::size_t>(one->lanes());
  }
  return lanes[lane];
}

void cast::dismiss() {
  caf::anon_send_exit(frontend, caf::exit_reason::user_shutdown);
  for (auto& one : dependencies) caf::anon_send_exit(one, caf::exit_reason::user_shutdown);
  for (auto& one : lanes) caf::anon_send_exit(one, caf::exit_reason::user_shutdown);
}

cast spawn_cast(caf::actor_system& system, const std::shared_ptr<stage>& shared,
                lane_threads threads) {
  cast all;
  if (threads == lane_threads::pooled) shared->patience = 0;
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
          is_gpu(*devices[d])
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
  for (std::size_t d = 0; d < devices.size(); ++d) {
    if (!is_gpu(*devices[d])) continue;
    places[d].lane_behind = static_cast<int>(lanes.size());
    spawn_copy(devices[d], copy::what::behind_gpu);
  }
  all.dependencies.push_back(system.spawn<dependency>(shared, static_cast<int>(devices.size()),
                                                      std::move(lanes), std::move(places), first));

  all.frontend = system.spawn<frontend>(shared, all.dependencies);
  for (auto& one : all.dependencies)
    caf::anon_send(one, introduction{all.frontend, all.dependencies});
  return all;
}

}  // namespace troupe
