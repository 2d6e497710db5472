// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/tasks/fault_injector.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tasks/task_state.hpp"
#include "troupe/tasks/trace.hpp"
#include "troupe/tasks/use_engine.hpp"
#include "troupe/tasks/wait_limit.hpp"

namespace troupe {

/// Interface between writing and running programs: takes tasks and runs them.
class engine {
 public:
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;
  virtual ~engine();

  /// Takes a task whose inputs are values of this engine. Returns without waiting for any of them.
  virtual void submit(task_ptr t) = 0;
  /// Waits until a value is ready or failed; returns false if the limit comes first.
  virtual bool wait(const value_ref& v, const wait_limit& limit) = 0;
  /// Waits for everything submitted so far, then throws the first failure that was not reported
  /// yet.
  virtual void wait_all() = 0;
  /// Calls `take`, which takes `bytes` of a device's memory for data that a client brings. An
  /// engine that bounds memory first waits for room, or until the tasks submitted before have
  /// ended; it does not wait inside an operation. Throws what `take` throws, and std::bad_alloc or
  /// `over_limit` where there is no room.
  virtual void bring(driver& to, std::size_t bytes, const std::function<void()>& take);
  /// Fails all tasks that have not started.
  virtual void cancel_all() = 0;
  /// Fails the task of a value unless it has started, and those before it that nothing else needs.
  virtual void cancel(const value_ref&) {}
  /// Returns the events since a point in time. Waits for the tasks that are running.
  virtual trace_log trace(ticks since) = 0;
  /// Returns the number of tasks submitted that have not ended.
  virtual std::uint64_t pending() const noexcept { return 0; }
  /// Returns the tasks that have not ended and what each waits for, in program order. Waits for no
  /// task.
  virtual std::vector<task_state> tasks() { return {}; }

  /// Makes the engine tell of failures that no client has seen, in one line, when it ends.
  void tell_unread_with(std::function<void(const std::string& line)> teller) {
    teller_ = std::move(teller);
  }

  /// Makes tasks submitted from now on late or fail.
  void inject_faults(fault_plan plan) { fault_injector_.set(std::move(plan)); }
  /// Marks a task if the fault plan says so. To be called with each task before `submit`.
  void mark(task& t) { fault_injector_.mark(t); }

  std::uint32_t id() const noexcept { return id_; }
  const drivers& devices() const noexcept { return drivers_; }
  /// Gives memory that devices keep for reuse back to the system.
  void trim_memory() const noexcept;
  /// Lets all engines do so for the CPU's memory; for a thread that found none, whatever it is at.
  /// Returns true if they kept any.
  static bool trim_all() noexcept;
  /// Returns the driver of a device. Throws if this engine has no such device; `what` names the
  /// caller in the error.
  driver& at(device d, std::string_view what, std::source_location call_site) const;
  /// Returns the kernels of a device. Throws as `at` does. Asks no driver: every task calls this.
  const kernel_table& kernels_of(device d, std::string_view what,
                                 std::source_location call_site) const {
    for (const auto& one : tables_) {
      if (one.device == d) return *one.kernels;
    }
    return at(d, what, call_site).kernels();
  }

  /// Returns the key of this engine's random numbers; `take_random` reserves a range of `count`
  /// counters.
  std::uint64_t random_key() const noexcept { return key_.load(std::memory_order_relaxed); }
  std::uint64_t take_random(std::uint64_t count) noexcept {
    return counter_.fetch_add(count, std::memory_order_relaxed);
  }
  /// Restarts the random numbers with this key, from `counter`.
  void seed(std::uint64_t key, std::uint64_t counter = 0) noexcept;
  /// Returns the position in the random numbers: the next ones to be drawn.
  random_source random_state() const noexcept {
    return {random_key(), counter_.load(std::memory_order_relaxed)};
  }

  /// Returns the engine that created a value; throws if it has ended, or stayed behind in the
  /// process that this one was forked from.
  static engine& of(const value& v, std::string_view what, std::source_location call_site);
  /// Returns the engine that new values belong to: the one this thread chose, or else the newest
  /// that still exists. Throws if there is none.
  static engine& current(std::string_view what, std::source_location call_site);

  /// Returns true if it has to stay as it is when its runtime ends, since an operation of its own
  /// ends that, as by std::exit, and would wait for itself. Other threads may go on using it.
  virtual bool outlives_runtime() const noexcept { return false; }
  /// Returns true in a process that was forked from the one that it is bound to.
  bool stayed_behind() const noexcept;

 protected:
  /// Visibility of an engine: to all threads while no newer one exists, or only to threads that
  /// chose it with `use_engine`.
  enum class found { by_anybody, by_choice };

  explicit engine(drivers devices, found by = found::by_anybody);
  /// Binds an engine to this process, since it or its devices have threads: it stays behind when
  /// the process is forked.
  void bind_to_process() noexcept;
  /// Throws in such a process, in the name of `what`.
  void refuse_if_stayed_behind(std::string_view what, std::source_location call_site = {}) const;
  /// Hides the engine from `of` and `current`. Called first by the destructor of the most derived
  /// class.
  void retire() noexcept;
  /// Tells of these failures if no client has seen them. `not_kept` is the number of failures
  /// missing from the list.
  void tell_unread(std::vector<failure_ptr> failures, std::uint64_t not_kept = 0) noexcept;

 private:
  static constexpr std::uint32_t any_process = ~std::uint32_t{0};

  struct device_kernels {
    troupe::device device;
    const kernel_table* kernels;
  };

  drivers drivers_;
  std::vector<device_kernels> tables_;
  fault_injector fault_injector_;
  std::function<void(const std::string&)> teller_;
  std::uint32_t id_ = 0;
  std::uint32_t process_ = any_process;  ///< number of forks between the first process and its own
  found by_;
  std::atomic<std::uint64_t> key_ = 0;
  std::atomic<std::uint64_t> counter_ = 0;
};

/// Scope in which this thread runs a task or a message handler and must not wait for values.
class working_scope {
 public:
  working_scope() noexcept : before_(working_) { working_ = true; }
  working_scope(const working_scope&) = delete;
  working_scope& operator=(const working_scope&) = delete;
  ~working_scope() { working_ = before_; }

  static bool active() noexcept { return working_; }
  /// Ends all scopes of the calling thread, which is the only one of a forked process.
  static void forget() noexcept { working_ = false; }

 private:
  static inline thread_local constinit bool working_ = false;
  bool before_;
};

/// Throws inside a task or a message handler, where `what` would wait for itself.
void refuse_while_working(const char* what, std::source_location call_site = {});

}  // namespace troupe
