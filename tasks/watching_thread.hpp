// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>

#include "troupe/tasks/wait_limit.hpp"

namespace troupe {

/// Thread that sleeps until something happens to an object, known by its address. Objects need no
/// lock and no list of their own: threads that watch are kept in a table of this process.
///
/// The order is: make a watching_thread, mark the object as watched, sleep. Whoever changes a
/// watched object wakes its threads afterwards.
class watching_thread {
 public:
  explicit watching_thread(const void* object, std::stop_token stop = {});
  watching_thread(const watching_thread&) = delete;
  watching_thread& operator=(const watching_thread&) = delete;
  ~watching_thread();

  /// Sleeps until `done` returns true, which is asked again whenever the thread is woken. Returns
  /// false if the deadline or the request to stop comes first. Throws what a `wait_watch` throws.
  template <class Done>
  bool sleep(Done&& done, std::optional<std::chrono::steady_clock::time_point> deadline = {}) {
    while (!done()) {
      if (!sleep_once(deadline)) return done();
    }
    return true;
  }

 private:
  friend void wake_watching_threads(const void* object) noexcept;
  struct stopper {
    watching_thread* self;
    void operator()() const noexcept { self->wake(); }
  };

  bool sleep_once(std::optional<std::chrono::steady_clock::time_point> deadline);
  void wake() noexcept;

  const void* object_;
  watching_thread* next_ = nullptr;
  watching_thread* previous_ = nullptr;
  bool woken_ = false;
  std::condition_variable changed_;
  std::stop_token stop_;
  std::optional<std::stop_callback<stopper>> when_stopped_;
};

/// Wakes the threads that watch an object, which may have been destroyed meanwhile.
void wake_watching_threads(const void* object) noexcept;

}  // namespace troupe
