// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "troupe/devices/driver.hpp"

namespace troupe {

/// Thread that waits for points of a GPU's stream on behalf of its lane, one point at a time,
/// unless their device tells by itself.
class gpu_watch {
 public:
  /// Starts the thread. It calls `tell` when the point is reached, and when the GPU has failed.
  explicit gpu_watch(std::function<void()> tell);
  gpu_watch(const gpu_watch&) = delete;
  gpu_watch& operator=(const gpu_watch&) = delete;
  ~gpu_watch();

  void look_at(std::shared_ptr<const event> point);

 private:
  void run();

  std::function<void()> tell_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const event> point_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace troupe
