// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include "troupe/actors/actor_set.hpp"
#include "troupe/actors/request_error.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tests/actors/recorder.hpp"
#include "troupe/tests/actors/test_operations.hpp"

namespace troupe::testing {

/// Request for values, answered with the first of them.
template <class... Values>
await_values request_for(const value_ref& v, const Values&... more) {
  return {{v, more...}, caf::make_message(value_resolved{v})};
}

/// CAF's testing scheduler and an engine_state: nothing runs until `run` is called, and then in a
/// fixed order.
class actor_bench {
 public:
  explicit actor_bench(int devices = 2, int lanes = 2)
      : shared(std::make_shared<engine_state>(make_cpu_drivers({devices, lanes, memory_limit}),
                                              memory_limit, 1'000, 1'000)) {
    config_.set("scheduler.policy", caf::atom("testing"));
    system = std::make_unique<caf::actor_system>(config_);
    scheduler_ = dynamic_cast<caf::scheduler::test_coordinator*>(&system->scheduler());
  }
  actor_bench(const actor_bench&) = delete;
  actor_bench& operator=(const actor_bench&) = delete;
  ~actor_bench() {
    for (const auto& one : actors_) caf::anon_send_exit(one, caf::exit_reason::user_shutdown);
    run();
    actors_.clear();
  }

  /// Lets actors handle their messages until there are none, or `most` messages.
  void run(std::size_t most = ~std::size_t{0}) { scheduler_->run(most); }

  /// Ends an actor together with the actor_bench.
  caf::actor keep(caf::actor one) {
    actors_.push_back(one);
    return one;
  }
  caf::actor stand_in(const std::string& name) { return keep(system->spawn<recorder>(name, said)); }

  /// Returns a task as the frontend hands it on: numbered, with one number as output, owned by
  /// dependency actor `home`.
  task_ptr numbered(std::uint64_t sequence, const std::vector<value_ref>& inputs = {},
                    float nanoseconds = 200, body run = succeed, int home = 0) {
    auto t = std::make_unique<task>(body_operation, cpu(home), caller::current());
    t->attributes = body_attributes{std::move(run), -1};
    t->kernel = &body_kernel;
    t->estimate = nanoseconds;
    t->sequence = sequence;
    for (const auto& v : inputs) {
      auto& in = t->inputs.emplace_back();
      in.source = v;
      in.element = v->element;
    }
    value_ref out(new value({{}, float64, cpu(home)}));
    out->sequence = sequence;
    out->home = static_cast<std::int16_t>(home);
    t->add_output(std::move(out));
    return t;
  }

  /// Acts as a lane: runs a task that was recorded.
  task_ptr perform(std::uint64_t sequence) {
    auto found = std::find_if(said->tasks.begin(), said->tasks.end(),
                              [&](auto& t) { return t->sequence == sequence; });
    auto t = std::move(*found);
    said->tasks.erase(found);
    execution(*t, *shared->devices[0]).run();
    return t;
  }

  /// Returns tasks in one batch, in this order.
  template <class... Tasks>
  static batch_ref together(Tasks... tasks) {
    batch_ref all(new batch);
    (all->push_back(std::move(tasks)), ...);
    return all;
  }

  static void succeed(const kernel_args& a, std::int64_t, std::int64_t) {
    *begin(a.outputs[0]) = 1;
  }
  static void fail(const kernel_args&, std::int64_t, std::int64_t) {
    throw std::runtime_error("on purpose");
  }

  static constexpr std::size_t memory_limit = std::size_t{1} << 30;
  std::shared_ptr<engine_state> shared;
  std::shared_ptr<record> said = std::make_shared<record>();

 private:
  caf::actor_system_config config_;

 public:
  std::unique_ptr<caf::actor_system> system;

 private:
  caf::scheduler::test_coordinator* scheduler_;
  std::vector<caf::actor> actors_;
};

using lines = std::vector<std::string>;

}  // namespace troupe::testing
