// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <list>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "troupe/devices/cpu/features.hpp"
#include "troupe/devices/cpu/jit/code_memory.hpp"
#include "troupe/devices/cpu/jit/row_kernel.hpp"
#ifdef TROUPE_HAS_ASMJIT
#include "troupe/devices/cpu/jit/row_code.hpp"
#endif

namespace troupe::cpu_kernels::jit {

namespace {

#ifdef TROUPE_HAS_ASMJIT

/// The kernels that were used last, by their expressions.
class kernel_cache {
 public:
  std::shared_ptr<const row_kernel> find(const expression& e) {
    auto key = e.key();
    std::lock_guard lock(mutex_);
    if (const auto found = places_.find(key); found != places_.end()) {
      latest_first_.splice(latest_first_.begin(), latest_first_, found->second);
      return found->second->second;
    }
    auto kernel = compiled(e);
    if (!kernel) return nullptr;
    ++count_;
    latest_first_.emplace_front(std::move(key), kernel);
    places_[latest_first_.front().first] = latest_first_.begin();
    if (latest_first_.size() > most_kernels) {
      places_.erase(latest_first_.back().first);
      latest_first_.pop_back();
    }
    return kernel;
  }
  kernel_counts counts() {
    std::lock_guard lock(mutex_);
    return {latest_first_.size(), count_};
  }

 private:
  using by_key = std::list<std::pair<std::string, std::shared_ptr<const row_kernel>>>;

  std::shared_ptr<const row_kernel> compiled(const expression& e) {
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
  std::mutex mutex_;
  by_key latest_first_;
  std::unordered_map<std::string_view, by_key::iterator> places_;
  std::uint64_t count_ = 0;
};

kernel_cache& cache() {
  static kernel_cache one;
  return one;
}

bool fits(const expression& e) noexcept {
  return !e.refused() && !e.outputs.empty() && row_words(e).count() <= row_kernel::most_words;
}

#endif

}  // namespace

#ifdef TROUPE_HAS_ASMJIT

std::shared_ptr<const row_kernel> kernel_of(const expression& e) {
  if (best_instruction_set() == instruction_set::baseline || !fits(e)) return nullptr;
  return cache().find(e);
}

kernel_counts count_kernels() { return cache().counts(); }

#else

std::shared_ptr<const row_kernel> kernel_of(const expression&) { return nullptr; }

kernel_counts count_kernels() { return {}; }

#endif

}  // namespace troupe::cpu_kernels::jit
