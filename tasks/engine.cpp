// SPDX-License-Identifier: MIT
#include "troupe/tasks/engine.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string>

#include "troupe/devices/made_once.hpp"
#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/forks.hpp"

namespace troupe {

std::string_view to_string(task_state::status s) noexcept {
  constexpr std::string_view texts[] = {"waiting",   "ready", "early",
                                        "no memory", "sent",  "running"};
  return texts[static_cast<std::size_t>(s)];
}

namespace {

// Existing engines, by the low bits of their ids. Readable at any time, including static
// destruction.
constexpr std::uint32_t slots = 1024;

struct registry {
  std::mutex mutex;
  std::uint32_t last_id = 0;
  std::array<std::atomic<engine*>, slots> engines{};
  std::atomic<std::uint32_t> newest = 0;

  engine* find(std::uint32_t id) const noexcept {
    auto* e = engines[id % slots].load(std::memory_order_acquire);
    return e && e->id() == id ? e : nullptr;
  }
  bool holds_any() const noexcept {
    return std::ranges::any_of(engines, [](auto& one) { return one.load() != nullptr; });
  }
};

registry& engines() {
  static constinit made_once<registry> all;
  return all.get();
}

thread_local constinit std::uint32_t chosen = 0;

/// Lets the thread of a forked process, if it was within an operation of a runtime that stayed
/// behind, do without both.
void leave_operation_behind() noexcept {
  const auto* const e = engines().find(chosen);
  if (!e || !e->stayed_behind()) return;
  chosen = 0;
  working_scope::forget();
  bookkeeping::forget();
}

/// Makes a fork wait until no thread is at work on the registry, whose lock would otherwise stay
/// locked in the child for ever.
int follow_forks() {
  engines();  // a child does not make it
  return pthread_atfork([] { engines().mutex.lock(); }, [] { engines().mutex.unlock(); },
                        [] {
                          engines().mutex.unlock();
                          leave_operation_behind();
                        });
}

// While the process has one thread: what registers later waits for forks under way.
[[maybe_unused]] const int followed = follow_forks();

}  // namespace

engine::engine(drivers devices, found by) : drivers_(std::move(devices)), by_(by) {
  failure_without_memory();  // made while there is memory
  for (const auto& one : drivers_) tables_.push_back({one->id(), &one->kernels()});
  auto& r = engines();
  std::lock_guard lock(r.mutex);
  for (std::uint32_t tries = 0; tries < slots; ++tries) {
    const auto id = ++r.last_id;
    if (id == 0 || r.engines[id % slots]) continue;
    id_ = id;
    r.engines[id % slots].store(this, std::memory_order_release);
    if (by_ == found::by_anybody) r.newest.store(id, std::memory_order_release);
    return;
  }
  throw error("runtime: too many runtimes at the same time", {});
}

bool engine::trim_all() noexcept {
  auto& r = engines();
  const std::unique_lock lock(r.mutex, std::try_to_lock);
  if (!lock) return false;
  bool any = false;
  for (const auto& one : r.engines) {
    const auto* const e = one.load();
    if (!e || e->stayed_behind()) continue;
    for (const auto& d : e->devices()) {
      if (!d->id().traits().synchronous || d->id().node > 0) continue;
      any |= d->memory()->statistics().cached > 0;
      d->memory()->trim();
    }
  }
  return any;
}

void engine::trim_memory() const noexcept {
  for (const auto& one : drivers_) one->memory()->trim();
}

engine::~engine() { retire(); }

void engine::bring(driver&, std::size_t, const std::function<void()>& take) { take(); }

void engine::retire() noexcept {
  auto& r = engines();
  std::lock_guard lock(r.mutex);
  auto& slot = r.engines[id_ % slots];
  if (slot.load() != this) return;
  slot.store(nullptr, std::memory_order_release);
  if (r.newest != id_) return;
  std::uint32_t newest = 0;
  for (const auto& e : r.engines) {
    if (auto* other = e.load();
        other && other->by_ == found::by_anybody && !other->stayed_behind() && other->id() > newest)
      newest = other->id();
  }
  r.newest.store(newest, std::memory_order_release);
}

void engine::tell_unread(std::vector<failure_ptr> failures, std::uint64_t not_kept) noexcept {
  if (!teller_) return;
  try {
    const auto line = text_of_unreported(std::move(failures), not_kept);
    if (!line.empty()) teller_(line);
  } catch (...) {}  // there is nobody left to tell
}

driver& engine::at(device d, std::string_view what, std::source_location call_site) const {
  for (const auto& one : drivers_) {
    if (one->id() == d) return *one;
  }
  std::string known;
  for (const auto& one : drivers_) known += (known.empty() ? "" : ", ") + to_string(one->id());
  throw error(
      std::string(what) + ": there is no device " + to_string(d) + "; this runtime has " + known,
      call_site);
}

void engine::seed(std::uint64_t key, std::uint64_t counter) noexcept {
  key_.store(key, std::memory_order_relaxed);
  counter_.store(counter, std::memory_order_relaxed);
}

void engine::bind_to_process() noexcept { process_ = forks::count(); }

bool engine::stayed_behind() const noexcept {
  return process_ != any_process && process_ != forks::count();
}

namespace {

[[noreturn, gnu::cold]] void refuse_in_child(std::string_view what,
                                             std::source_location call_site) {
  throw error(std::string(what) +
                  ": the runtime stayed behind in the process that this one was forked from; "
                  "start one here",
              call_site);
}

}  // namespace

void engine::refuse_if_stayed_behind(std::string_view what, std::source_location call_site) const {
  if (stayed_behind()) refuse_in_child(what, call_site);
}

engine& engine::of(const value& v, std::string_view what, std::source_location call_site) {
  if (auto* e = engines().find(v.engine)) {
    e->refuse_if_stayed_behind(what, call_site);
    return *e;
  }
  std::string text = "the runtime that this tensor belongs to has ended";
  if (v.failed() && v.why()) text = v.why()->text;
  else if (!v.device.traits().synchronous)
    text += ", and with it the way to " + to_string(v.device);
  throw error(std::string(what) + ": " + text, call_site);
}

engine& engine::current(std::string_view what, std::source_location call_site) {
  auto& r = engines();
  const auto id = chosen ? chosen : r.newest.load(std::memory_order_acquire);
  if (auto* e = r.find(id)) {
    e->refuse_if_stayed_behind(what, call_site);
    return *e;
  }
  if (forks::count() > 0 && r.holds_any()) refuse_in_child(what, call_site);
  if (chosen)
    throw error(
        std::string(what) + ": the runtime of its tensors, or that was chosen here, has ended",
        call_site);
  throw error(std::string(what) + ": no runtime is running; start one with `troupe::runtime rt;`",
              call_site);
}

void refuse_while_working(const char* what, std::source_location call_site) {
  if (working_scope::active())
    throw error(
        std::string(what) + ": not possible inside an operation, which would wait for itself",
        call_site);
}

use_engine::use_engine(const engine& e) noexcept : use_engine(e.id()) {}
use_engine::use_engine(std::uint32_t id) noexcept : before_(chosen) { chosen = id; }

use_engine::~use_engine() { chosen = before_; }

}  // namespace troupe
