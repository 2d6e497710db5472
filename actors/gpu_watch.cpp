// SPDX-License-Identifier: MIT
#include "troupe/actors/gpu_watch.hpp"

#include <exception>
#include <utility>

#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/library_thread.hpp"

namespace troupe {

gpu_watch::gpu_watch(std::function<void()> tell)
    : tell_(std::move(tell)), thread_(library_thread([this] { run(); })) {}

gpu_watch::~gpu_watch() {
  {
    std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void gpu_watch::look_at(std::shared_ptr<const event> point) {
  if (point->notify(tell_)) return;
  {
    std::lock_guard lock(mutex_);
    point_ = std::move(point);
  }
  changed_.notify_one();
}

void gpu_watch::run() {
  const bookkeeping books;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || point_; });
    if (over_) return;
    const auto point = std::exchange(point_, nullptr);
    lock.unlock();
    try {
      point->wait();
    } catch (const std::exception&) {}  // whoever queries the point gets the error
    tell_();
    lock.lock();
  }
}

}  // namespace troupe
