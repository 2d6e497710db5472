// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "troupe/devices/cpu/memory_pool.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/devices/kernel_table.hpp"
#include "troupe/tests/devices/cuda/behaviour.hpp"
#include "troupe/tests/devices/cuda/guarded_memory.hpp"

namespace troupe::testing {

/// Stream whose work is done by its own thread, in order, some time later: like a GPU's.
class fake_stream final : public stream {
 public:
  fake_stream(std::shared_ptr<behaviour> gpu, std::shared_ptr<guarded_memory> memory)
      : gpu_(std::move(gpu)), memory_(std::move(memory)), thread_([this] { run(); }) {}
  fake_stream(const fake_stream&) = delete;
  fake_stream& operator=(const fake_stream&) = delete;
  ~fake_stream() override {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// Adds work for the device. Throws if the device has failed.
  void put(std::function<void()> work) {
    gpu_->broken.check();
    add([this, work = std::move(work)] {
      if (gpu_->broken.happened()) return;
      try {
        const guarded_memory::work in_progress(*memory_);
        work();
      } catch (const std::exception& e) { gpu_->broken.happen(e.what()); }
    });
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    put([=, this] {
      ++gpu_->copies_begun;
      gpu_->copies.wait();
      std::memcpy(to, from, bytes);
    });
    ++gpu_->copies_put;
  }
  std::unique_ptr<event> record() override {
    gpu_->broken.check();
    auto got = std::make_shared<std::atomic<progress>>(progress::before);
    add([this, got] {
      got->store(gpu_->broken.happened() ? progress::never : progress::there);
      got->notify_all();
    });
    return std::make_unique<fake_event>(got, gpu_);
  }
  void wait(const event& point) override {
    gpu_->broken.check();
    add([got = static_cast<const fake_event&>(point).got_] { got->wait(progress::before); });
  }

 private:
  /// Progress of a stream relative to a point of it.
  enum class progress : char { before, there, never };

  struct fake_event final : event {
    fake_event(std::shared_ptr<std::atomic<progress>> got, std::shared_ptr<behaviour> gpu)
        : got_(std::move(got)), gpu_(std::move(gpu)) {}
    bool reached() const override {
      if (gpu_->news.on()) return false;
      if (got_->load() == progress::there) return true;
      gpu_->broken.check();
      return false;
    }
    void wait() const override {
      while (!reached()) {
        got_->wait(progress::before);
        std::this_thread::yield();
      }
    }
    std::shared_ptr<std::atomic<progress>> got_;
    std::shared_ptr<behaviour> gpu_;
  };

  void add(std::function<void()> work) {
    {
      std::lock_guard lock(mutex_);
      queue_.push_back(std::move(work));
    }
    changed_.notify_all();
  }

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return over_ || !queue_.empty(); });
      if (queue_.empty()) return;
      const auto work = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  std::shared_ptr<behaviour> gpu_;
  std::shared_ptr<guarded_memory> memory_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool over_ = false;
  std::thread thread_;
};

/// Fake GPU: its memory is the host's, but only its streams may access it, and these are threads.
class fake_gpu final : public driver {
 public:
  /// Creates a GPU that may hold `memory_limit` bytes, with half as many more for gaps between
  /// them.
  explicit fake_gpu(int index = 0, std::size_t memory_limit = std::size_t{1} << 40,
                    const kernel_table& kernels = no_kernels)
      : index_(index),
        memory_limit_(memory_limit),
        kernels_(kernels),
        memory_(std::make_shared<segment_pool>(std::make_unique<guarded_source>(memory_of_all()),
                                               memory_limit / 2 * 3)) {}

  device id() const override { return gpu(index_); }
  std::string description() const override { return "a fake GPU"; }
  const std::shared_ptr<troupe::memory>& memory() const override { return memory_; }
  const std::shared_ptr<troupe::memory>& shared_memory() const override { return shared_memory_; }
  std::size_t memory_limit() const override { return memory_limit_; }
  const kernel_table& kernels() const override { return kernels_; }
  std::unique_ptr<stream> open_stream() override {
    does->broken.check();
    return std::make_unique<fake_stream>(does, memory_of_all());
  }
  int lanes() const override { return 1; }
  void enter(int) noexcept override {}

  const std::shared_ptr<behaviour> does = std::make_shared<behaviour>();

 private:
  static constexpr kernel_table no_kernels{};

  int index_;
  std::size_t memory_limit_;
  const kernel_table& kernels_;
  /// GPUs read and write each other's memory.
  static std::shared_ptr<guarded_memory> memory_of_all() {
    static const auto one = std::make_shared<guarded_memory>();
    return one;
  }
  std::shared_ptr<troupe::memory> memory_;
  std::shared_ptr<troupe::memory> shared_memory_ =
      std::make_shared<memory_pool>(std::size_t{1} << 20);
};

}  // namespace troupe::testing
