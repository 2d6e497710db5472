// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace troupe::testing {

/// A host of a network that a test makes: a thread with network interfaces of its own, which the
/// threads and processes that it starts share.
class tested_host {
 public:
  /// Returns what `f` returns on this host, or throws what it throws.
  template <class F>
  auto run(F&& f) {
    std::packaged_task<decltype(f())()> task(std::forward<F>(f));
    auto result = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      todo_ = [&task] { task(); };
    }
    changed_.notify_all();
    return result.get();
  }

  tested_host()
      : thread_([this] { serve(); }), separate_(run([] { return ::unshare(CLONE_NEWNET) == 0; })) {}
  tested_host(const tested_host&) = delete;
  tested_host& operator=(const tested_host&) = delete;
  ~tested_host() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// Returns false if the system does not let this process make networks.
  bool separate() const noexcept { return separate_; }

  /// Runs a command of the shell here; returns true if it succeeds.
  bool command(const std::string& text) {
    return run([&] { return std::system((text + " >/dev/null 2>&1").c_str()) == 0; });
  }

  pid_t id() {
    return run([] { return ::gettid(); });
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return todo_ || over_; });
      if (over_) return;
      const auto now = std::exchange(todo_, nullptr);
      lock.unlock();
      now();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> todo_;
  bool over_ = false;
  std::thread thread_;
  const bool separate_;
};

/// Two hosts with a cable between them.
struct tested_network {
  static constexpr const char *here_address = "10.99.0.1", *there_address = "10.99.0.2";

  tested_network()
      : plugged(here.separate() && there.separate() &&
                here.command("ip link add cable type veth peer name cable netns " +
                             std::to_string(there.id())) &&
                ready(here, here_address) && ready(there, there_address)) {}

  tested_host here, there;
  const bool plugged;  ///< false where the system does not allow it, or has no `ip`

 private:
  static bool ready(tested_host& host, const std::string& address) {
    return host.command("ip link set lo up && ip address add " + address +
                        "/24 dev cable && ip link set cable up");
  }
};

}  // namespace troupe::testing
