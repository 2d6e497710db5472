// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/kept_failures.hpp"
#include "troupe/tasks/trace.hpp"

namespace troupe {

/// Engine that runs each task at once, on the thread that submits it: the reference for what
/// results must be, and the engine to debug with. Failures are kept in the values and reported
/// where the asynchronous engine reports them.
class synchronous_engine final : public engine {
 public:
  explicit synchronous_engine(drivers devices, std::size_t trace_capacity = 0);
  ~synchronous_engine() override;

  void submit(task_ptr t) override;
  bool wait(const value_ref& v, const wait_limit& limit) override;
  void wait_all() override;
  void cancel_all() override {}
  trace_log trace(ticks since) override;

 private:
  void run(task& t);
  /// Runs a task with a stream of a device.
  void run_with(driver& by, task& t);

  std::mutex streams_mutex_;  ///< held while one of them works
  std::map<const driver*, std::unique_ptr<stream>> streams_;
  std::mutex mutex_;
  std::uint64_t last_sequence_ = 0;
  kept_failures failures_;
  trace_ring ring_;
};

}  // namespace troupe
