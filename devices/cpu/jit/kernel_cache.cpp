// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <mutex>

#include "troupe/devices/cpu/features.hpp"
#include "troupe/devices/cpu/jit/code_memory.hpp"
#include "troupe/devices/cpu/jit/row_kernel.hpp"
#include "troupe/devices/fork_lock.hpp"
#include "troupe/devices/made_once.hpp"
#include "troupe/devices/recently_used.hpp"
#ifdef TROUPE_HAS_ASMJIT
#include "troupe/devices/cpu/jit/row_code.hpp"
#endif

namespace troupe::cpu_kernels::jit {

namespace {

#ifdef TROUPE_HAS_ASMJIT

/// The kernels that were used last, by their expressions.
class kernel_cache {
 public:
  std::shared_ptr<const row_kernel> find(const element_expression& e) {
    auto key = e.key();
    std::lock_guard lock(mutex_);
    if (const auto* const found = kernels_.find(key)) return *found;
    auto kernel = compiled(e);
    if (!kernel) return nullptr;
    ++count_;
    return kernels_.add(std::move(key), std::move(kernel));
  }
  kernel_counts counts() {
    std::lock_guard lock(mutex_);
    return {kernels_.size(), count_};
  }

 private:
  std::shared_ptr<const row_kernel> compiled(const element_expression& e) {
    // A process that was forked shares memory for code with its parent, which goes on using it.
    if (const auto process = ::getpid(); process != process_) {
      process_ = process;
      memory_ = std::make_shared<code_memory>();
    }
    row_code code;
    const bool wide = best_instruction_set() == instruction_set::x86_64_v4;
    if (!code.write(e, wide)) return nullptr;
    const auto function = memory_->place(code.holder);
    if (!function) return nullptr;
    return std::make_shared<row_kernel>(e, memory_, function, code.lanes);
  }

  std::shared_ptr<code_memory> memory_ = std::make_shared<code_memory>();
  ::pid_t process_ = ::getpid();
  fork_lock mutex_;
  recently_used<std::shared_ptr<const row_kernel>> kernels_{most_kernels};
  std::uint64_t count_ = 0;
};

kernel_cache& cache() {
  static constinit made_once<kernel_cache> one;
  return one.get();
}

bool fits(const element_expression& e) noexcept {
  return !e.refused() && !e.outputs.empty() && row_words(e).count() <= row_kernel::most_words;
}

#endif

}  // namespace

#ifdef TROUPE_HAS_ASMJIT

std::shared_ptr<const row_kernel> kernel_of(const element_expression& e) {
  if (best_instruction_set() == instruction_set::baseline || !fits(e)) return nullptr;
  return cache().find(e);
}

kernel_counts count_kernels() { return cache().counts(); }

#else

std::shared_ptr<const row_kernel> kernel_of(const element_expression&) { return nullptr; }

kernel_counts count_kernels() { return {}; }

#endif

}  // namespace troupe::cpu_kernels::jit
