// SPDX-License-Identifier: MIT
#include "troupe/tasks/watching_thread.hpp"

#include <pthread.h>

#include <array>
#include <cstdint>
#include <new>

#include "troupe/devices/made_once.hpp"
#include "troupe/tasks/wait_watch.hpp"

namespace troupe {

namespace {

/// Part of the table.
struct room {
  std::mutex mutex;
  watching_thread* first = nullptr;
};

using table = std::array<room, 64>;

// Never destroyed: threads may wait during static destruction.
table& rooms() {
  static constinit made_once<table> all;
  return all.get();
}

// The threads that slept, or held a lock, stayed behind in the parent.
[[maybe_unused]] const int followed =
    (rooms(), pthread_atfork(nullptr, nullptr, [] { ::new (&rooms()) table; }));

room& room_of(const void* object) noexcept {
  const auto mixed = reinterpret_cast<std::uintptr_t>(object) * 0x9E3779B97F4A7C15u;
  return rooms()[mixed >> 58];
}

}  // namespace

watching_thread::watching_thread(const void* object, std::stop_token stop)
    : object_(object), stop_(std::move(stop)) {
  {
    auto& in = room_of(object_);
    std::lock_guard lock(in.mutex);
    next_ = in.first;
    if (next_) next_->previous_ = this;
    in.first = this;
  }
  if (stop_.stop_possible()) when_stopped_.emplace(stop_, stopper{this});
}

watching_thread::~watching_thread() {
  when_stopped_.reset();
  auto& in = room_of(object_);
  std::lock_guard lock(in.mutex);
  (previous_ ? previous_->next_ : in.first) = next_;
  if (next_) next_->previous_ = previous_;
}

bool watching_thread::sleep_once(std::optional<std::chrono::steady_clock::time_point> deadline) {
  std::unique_lock lock(room_of(object_).mutex);
  const auto awake = [this] { return woken_; };
  if (!deadline) wait_watch::wait(changed_, lock, awake);
  else if (!changed_.wait_until(lock, *deadline, awake)) return false;
  woken_ = false;
  return !stop_.stop_requested();
}

void watching_thread::wake() noexcept {
  std::lock_guard lock(room_of(object_).mutex);
  woken_ = true;
  changed_.notify_one();
}

void wake_watching_threads(const void* object) noexcept {
  auto& in = room_of(object);
  std::lock_guard lock(in.mutex);
  for (auto* one = in.first; one; one = one->next_) {
    if (one->object_ != object) continue;
    one->woken_ = true;
    one->changed_.notify_one();
  }
}

}  // namespace troupe
