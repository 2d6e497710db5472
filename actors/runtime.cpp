// SPDX-License-Identifier: MIT
#include "troupe/actors/runtime.hpp"

#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "troupe/actors/actor_engine.hpp"
#include "troupe/actors/frontend_actor.hpp"
#include "troupe/actors/reception.hpp"
#include "troupe/devices/cpu/blas.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/devices/cuda/cuda_driver.hpp"
#include "troupe/links/remote_driver.hpp"
#include "troupe/tasks/file_call.hpp"
#include "troupe/tasks/synchronous_engine.hpp"
#include "troupe/tasks/trace.hpp"

namespace troupe {

namespace {

std::unique_ptr<engine> start(const runtime_options& o) {
  prepare_blas();  // takes milliseconds, so not at the first matmul
  const auto gpus = make_cuda_drivers(*o.gpus, *o.gpu_memory_limit);
  auto devices = make_cpu_drivers({.devices = *o.cpu_devices,
                                   .lanes = *o.lanes,
                                   .memory_limit = *o.memory_limit,
                                   .lock = gpus.empty() ? page_lock{} : cuda_page_lock()});
  devices.insert(devices.end(), gpus.begin(), gpus.end());
  if (!o.nodes->empty()) {
    const auto far = make_remote_drivers(*o.nodes, secret_key::from_file(*o.key, {}), *o.tls,
                                         *devices.front(), *o.memory_limit / 4);
    devices.insert(devices.end(), far.begin(), far.end());
  }
  const auto trace = static_cast<std::size_t>(*o.trace_events);
  if (*o.synchronous) return std::make_unique<synchronous_engine>(std::move(devices), trace);
  return std::make_unique<actor_engine>(std::move(devices),
                                        memory_bound(*o.memory_limit, *o.strict_memory),
                                        static_cast<std::uint64_t>(*o.max_pending), trace);
}

/// Writes one line at once: other threads may write, too.
void tell_on_standard_error(const std::string& line) {
  std::fputs(("troupe: nobody has read this failure: " + line + "\n").c_str(), stderr);
}

}  // namespace

runtime::runtime(const runtime_options& options)
    : options_(complete(options)), engine_(start(options_)) {
  engine_->seed(*options_.seed);
  if (*options_.tell_failures) engine_->tell_unread_with(tell_on_standard_error);
}

runtime::~runtime() {
  if (engine_ && engine_->outlives_runtime()) (void)engine_.release();
}

void runtime::wait_all() { engine_->wait_all(); }
void runtime::cancel_all() { engine_->cancel_all(); }
const drivers& runtime::devices() const noexcept { return engine_->devices(); }
void runtime::inject_faults(fault_plan plan) { engine_->inject_faults(std::move(plan)); }
void runtime::tell_failures_with(std::function<void(const std::string&)> teller) {
  engine_->tell_unread_with(std::move(teller));
}
void runtime::seed(std::uint64_t key) noexcept { engine_->seed(key); }
std::uint64_t runtime::pending() const noexcept { return engine_->pending(); }
std::vector<task_state> runtime::tasks() const { return engine_->tasks(); }

std::vector<actor_state> runtime::actors() const {
  const auto* e = dynamic_cast<const actor_engine*>(engine_.get());
  return e ? e->actors() : std::vector<actor_state>();
}

trace_log runtime::trace(ticks since) const { return engine_->trace(since); }
overlap_report runtime::overlap(ticks since) const { return measure_overlap(trace(since)); }

profile_report runtime::profile(ticks since) const { return measure_profile(trace(since)); }

memory_statistics runtime::memory(device d, std::source_location call_site) const {
  return engine_->at(d, "memory", call_site).memory()->statistics();
}

void runtime::trim_memory() const noexcept { engine_->trim_memory(); }

void runtime::save_trace(const std::string& path, ticks since,
                         std::source_location call_site) const {
  write_chrome_trace(trace(since), {"save_trace", path, call_site});
}

caf::actor frontend_of(const runtime& rt) {
  std::call_once(rt.asked_, [&] {
    const auto* e = dynamic_cast<const actor_engine*>(&rt.engine());
    rt.reception_ = std::make_unique<reception>(rt.engine(), e ? e->frontend() : caf::actor());
  });
  return rt.reception_->desk();
}

}  // namespace troupe
