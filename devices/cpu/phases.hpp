// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

namespace troupe::cpu_kernels {

/// Phases of a kernel whose chunks build on what others have done. A chunk takes the next step, in
/// the order of the phases, whatever its own number is; the first steps of a phase wait until those
/// of the phases before have ended. These are running then, so waiting always ends. It lives in the
/// kernel's scratch memory and is made by its `begin`.
class phases {
 public:
  /// Takes `chunks` steps: calls f(phase, i) for step i of the `width` steps of each phase.
  template <class F>
  void run(std::int64_t chunks, std::int64_t width, const F& f) noexcept {
    for (; chunks > 0; --chunks) {
      const std::int64_t step = next_.fetch_add(1, std::memory_order_relaxed);
      const std::int64_t phase = step / width;
      wait_for(phase * width);
      f(phase, step % width);
      const std::int64_t ended = ended_.fetch_add(1, std::memory_order_acq_rel) + 1;
      if (ended % width == 0) ended_.notify_all();
    }
  }

 private:
  void wait_for(std::int64_t steps) noexcept {
    for (;;) {
      const auto ended = ended_.load(std::memory_order_acquire);
      if (ended >= steps) return;
      ended_.wait(ended, std::memory_order_acquire);
    }
  }

  std::atomic<std::int32_t> next_ = 0;
  alignas(64) std::atomic<std::int32_t> ended_ = 0;
};

}  // namespace troupe::cpu_kernels
